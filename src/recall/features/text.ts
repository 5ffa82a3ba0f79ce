import type { Match } from '../match.ts';
import type { Question } from '../parse-question.ts';
import { FEATURE_INDEX, type Features } from './list.ts';

/** Features of a text independent of its subject: a question is not an answer, and "when" needs a time. */
export function textFeatures(values: Features, { parsed }: Question, { doc, own }: Match): void {
  const matched = own.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
  values[FEATURE_INDEX.asksIt] = (doc.asks * matched) / Math.max(own.length, 1);
  values[FEATURE_INDEX.length] = Math.log(1 + Math.min(doc.words, 200)) / 4;
  if (doc.words < 5) values[FEATURE_INDEX.tiny] = 1;
  for (const mention of parsed.wants) if (doc.mentions.includes(mention)) values[FEATURE_INDEX[mention]] = 1;
}
