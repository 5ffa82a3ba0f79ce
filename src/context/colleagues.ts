import type { Settings } from '../config/settings.ts';
import { toOneLine } from '../framing/stored-lines.ts';
import { shorten } from '../model/shorten.ts';
import type { StoredMemory } from '../store/types/memory.ts';

const LONGEST_NAME = 40;

/** `from Anna` */
export function describeAuthor(author: string): string {
  return `from ${shorten(toOneLine(author), LONGEST_NAME)}`;
}

/** Its type, and who it is from. */
export function describeKind({ type, kind, author }: StoredMemory): string {
  return author === null ? (type ?? kind) : `${type ?? kind} ${describeAuthor(author)}`;
}

/** Whether agents are given it without asking (`context.team`); searching finds everything. */
export function isWelcome(
  { author, kind }: Pick<StoredMemory, 'author' | 'kind'>,
  settings: Settings,
): boolean {
  if (author === null || settings['context.team'] === 'all') return true;
  return settings['context.team'] === 'notes' && kind === 'note';
}
