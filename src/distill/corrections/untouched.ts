import { createMarker } from '../offline/rating/marker.ts';
import { MARKERS } from '../offline/rating/markers.ts';
import { splitClauses } from './polarity.ts';

/** Phrases that say that something is as it was before the work. */
const asBefore = createMarker(
  'untouched|unchanged|not (yet )?(touched|changed|migrated|converted|moved|ported|updated|switched)|still (uses?|has|have|on|the old|old|needs?)|unverändert|unangetastet|noch (nicht|alt|auf)|inchangée?s?|intacte?s?|pas encore|sin cambios|intact[oa]s?|todavía|aún no|sem alterações|ainda|invariat[oa]|ancora|ongewijzigd|nog niet|bez zmian|jeszcze nie|nietknięt\\p{L}+|без изменений|не тронут\\p{L}*|ещё не|еще не|без змін|ще не|henüz|değişmedi',
  '没(?:有)?(?:动|改)|未(?:动|改|变)|还是(?:旧|老)|保持不变|まだ|そのまま|変更していません|変えていません|아직|그대로|건드리지',
);
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
