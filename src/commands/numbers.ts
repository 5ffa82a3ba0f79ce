import type { StoredMemory } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { type Call, CommandError, UsageError } from './command.ts';

/** The one memory that a command is called with: `12`, or `#12`. */
export function memoryNumber({ positionals: [word] }: Call): number {
  if (!word) throw new UsageError('Which memory? They are listed by "cairn recent".');
  const number = /^#?(\d{1,15})$/.exec(word)?.[1];
  if (!number) throw new UsageError(`"${word}" is no number of a memory.`);
  return Number(number);
}

export function memoryBy(store: Store, id: number): StoredMemory {
  const memory = store.memory(id);
  if (!memory) throw new CommandError(`There is no memory ${id}. See: cairn recent --all`);
  return memory;
}
