import { MARKERS } from '../offline/rating/markers.ts';
import { asBefore } from '../phrases/work.ts';
import { splitClauses } from './polarity.ts';

/** Shorter names of files are words too. */
const SHORTEST_NAME = 5;

/** “TokenStore still uses the old API”, after a later turn has edited that file. */
export function isTouchedSince(sentence: string, editedPaths: string[]): boolean {
  const names = editedPaths.flatMap(namesOf);
  return splitClauses(sentence).some(
    ({ text }) =>
      (asBefore.test(text) || MARKERS.open.test(text)) && names.some((name) => hasWord(text, name)),
  );
}

/** What a sentence may call a file: `TokenStore.swift` or `TokenStore`. */
function namesOf(path: string): string[] {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const stem = file.replace(/\.[^.]+$/, '');
  return [file, stem].filter((name) => name.length >= SHORTEST_NAME);
}

function hasWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/[\w-]/.test(text[at - 1] ?? '') && !/[\w-]/.test(text[at + name.length] ?? '')) return true;
  return false;
}
