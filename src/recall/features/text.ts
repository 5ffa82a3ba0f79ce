import type { Question } from '../asked.ts';
import type { Match } from '../match.ts';
import { AT, type Features } from './list.ts';

/** How a text is made, whatever it is about: who only asks knows nothing, and "when" wants a time. */
export function textFeatures(values: Features, { asked }: Question, { doc, own }: Match): void {
  const matched = own.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
  values[AT.asksIt] = (doc.asks * matched) / Math.max(own.length, 1);
  values[AT.length] = Math.log(1 + Math.min(doc.words, 200)) / 4;
  if (doc.words < 5) values[AT.tiny] = 1;
  for (const mention of asked.wants) if (doc.mentions.includes(mention)) values[AT[mention]] = 1;
}
