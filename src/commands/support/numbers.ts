import type { Store } from '../../store/store.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import { type Call, CommandError, UsageError } from './command.ts';
import { requireArgument } from './usage.ts';

/** Parses the memory number argument of a command: `12` or `#12`. */
export function parseMemoryNumber({ positionals }: Call): number {
  return readMemoryNumber(requireArgument(positionals[0], 'memory number', 'See: cairn recent'));
}

export function readMemoryNumber(word: string): number {
  const number = /^#?(\d{1,15})$/.exec(word)?.[1];
  if (!number) throw new UsageError(`Not a memory number: ${word}.`);
  return Number(number);
}

export function requireMemory(store: Store, id: number): StoredMemory {
  const memory = store.getMemory(id);
  if (!memory) throw new CommandError(`There is no memory ${id}. See: cairn recent --all`);
  return memory;
}
