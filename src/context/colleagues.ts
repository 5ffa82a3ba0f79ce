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
