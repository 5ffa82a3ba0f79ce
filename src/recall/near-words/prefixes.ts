import { listNeighbours } from '../../model/typo-cost.ts';

const LENGTH = 3;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * What a word may begin with if `typed` has one mistake in its first letters, the likeliest first. Only what begins so
 * is read of the index, which is a small part of its words.
 */
export function listPrefixes(typed: string): string[] {
  const head = typed.slice(0, LENGTH + 1);
  const forms = [
    head,
    ...places(LENGTH).map((at) => swap(head, at)),
    ...places(LENGTH).map((at) => head.slice(0, at) + head.slice(at + 1)),
    ...places(LENGTH).flatMap((at) =>
      [...listNeighbours(head[at] ?? '')].map((key) => put(head, at, key, 1)),
    ),
    ...places(LENGTH).flatMap((at) => [...LETTERS].map((key) => put(head, at, key, 0))),
    // Any other letter instead of the second or third; a wrong first one is a neighbour of the right one.
    ...[1, 2].flatMap((at) => [...LETTERS].map((key) => put(head, at, key, 1))),
  ];
  return [...new Set(forms.map((form) => form.slice(0, LENGTH)))].filter((form) => form.length === LENGTH);
}

function places(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

function swap(text: string, at: number): string {
  return text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);
}

function put(text: string, at: number, key: string, replaced: number): string {
  return text.slice(0, at) + key + text.slice(at + replaced);
}
