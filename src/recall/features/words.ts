import { type Match, SATURATION } from '../match.ts';
import type { Question } from '../parse-question.ts';
import { FEATURE_INDEX, type Features } from './list.ts';

/** Weight of a word in a neighbouring document. */
const NEIGHBOUR = 0.55;
/** Maximum distance in characters of words that are close together. */
const NEAR = 16;

/** How much of the question is in a document and its neighbours. */
export function wordFeatures(
  values: Features,
  { idf, speakers }: Question,
  match: Match,
  previous: Match | undefined,
  next: Match | undefined,
): void {
  let [words, own, around, answers, alike, header] = [0, 0, 0, 0, 0, 0];
  let total = 0;
  const question = previous?.doc.asks ?? 0;
  for (let index = 0; index < idf.length; index++) {
    const weight = idf[index] ?? 0;
    const here = match.own[index] ?? 0;
    const before = previous?.own[index] ?? 0;
    const after = next?.own[index] ?? 0;
    total += weight;
    words += weight * Math.max(here, NEIGHBOUR * before, NEIGHBOUR * after);
    answers += weight * Math.max(here, before * question);
    if (here > 0 || before > 0 || after > 0) around += weight;
    if (match.alike[index]) alike += weight;
    if (here === 0) continue;
    own += weight;
    // The speaker is a separate feature.
    if (match.inHeader[index] && !speakers.has(index)) header += weight;
  }
  if (total === 0) return;
  values[FEATURE_INDEX.weight] = words / 20;
  values[FEATURE_INDEX.own] = own / total;
  values[FEATURE_INDEX.around] = around / total;
  values[FEATURE_INDEX.answers] = answers / total / SATURATION;
  values[FEATURE_INDEX.together] = pairsTogether(idf, match) / total;
  values[FEATURE_INDEX.alike] = alike / total;
  values[FEATURE_INDEX.header] = header / total;
}

/** Words that are adjacent in the question and close together in the text. */
function pairsTogether(idf: number[], { place, inTitle }: Match): number {
  let sum = 0;
  for (let index = 1; index < idf.length; index++) {
    const one = place[index - 1] ?? -1;
    const other = place[index] ?? -1;
    const near = one >= 0 && other >= 0 && Math.abs(one - other) <= NEAR;
    if (near || (inTitle[index - 1] && inTitle[index])) sum += Math.min(idf[index - 1] ?? 0, idf[index] ?? 0);
  }
  return sum;
}
