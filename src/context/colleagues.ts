import type { Settings } from '../config/settings.ts';
import { toOneLine } from '../framing/stored-lines.ts';
import { shorten } from '../model/shorten.ts';
import type { StoredMemory } from '../store/types/memory.ts';

const LONGEST_NAME = 40;

/** `from Anna` */
export function describeAuthor(author: string): string {
  return `from ${shorten(toOneLine(author), LONGEST_NAME)}`;
}

/** The type of a memory, and its author. */
export function describeKind({ type, kind, author }: StoredMemory): string {
  return author === null ? (type ?? kind) : `${type ?? kind} ${describeAuthor(author)}`;
}

/** Whether agents get a colleague's memory without asking (`context.team`). Searches find all of them. */
export function isWelcome(
  { author, kind }: Pick<StoredMemory, 'author' | 'kind'>,
  settings: Settings,
): boolean {
  if (author === null || settings['context.team'] === 'all') return true;
  return settings['context.team'] === 'notes' && kind === 'note';
}
