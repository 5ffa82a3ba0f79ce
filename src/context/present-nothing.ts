import { toOneLine } from '../framing/stored-lines.ts';
import { shorten } from '../model/shorten.ts';
import { isOnlyStopWords } from '../recall/parse-question.ts';
import { describeWeaker, type LimitUnit } from './present-count.ts';
import type { PresentedHit } from './present-hits.ts';

const MOST_NEAREST = 4;

export interface EmptyAnswer {
  text: string;
  /** ` in shop`, or empty for every project. */
  where: string;
  now: number;
  weaker: Pick<PresentedHit, 'entry'>[];
  /** How to see the weaker hits. */
  unit: LimitUnit;
  /** What to try if there are none. */
  tryElse: string;
}

/** Describes an empty result: what is not known, and the nearest words that are. */
export function describeNothing({ text, now, where, weaker, unit, tryElse }: EmptyAnswer): string {
  const asked = quoteQuery(toOneLine(shorten(text, 200)));
  if (isOnlyStopWords(text, now))
    return `Nothing about ${asked}: it has only very common words. Add a word that tells what you look for.`;
  const nearest = listNearestWords(weaker);
  const hidden = describeWeaker(weaker.length, 0, unit);
  return [
    `Nothing about ${asked}${where}.`,
    ...(nearest.length > 0 ? [`Nearest: ${nearest.join(', ')}.`] : []),
    ...(hidden.length > 0 ? hidden : [tryElse]),
  ].join(' ');
}

/** A query with quotes gets no others. */
function quoteQuery(text: string): string {
  return text.includes('"') ? text : `"${text}"`;
}

/** Words of the query in the spelling of the weaker hits. */
function listNearestWords(hits: EmptyAnswer['weaker']): string[] {
  const words = hits.flatMap(({ entry: { title, matches = [] } }) =>
    matches.map(([start, end]) => title.slice(start, end)),
  );
  const known = new Map(words.map((word) => [word.toLowerCase(), toOneLine(word)]));
  return [...known.values()].slice(0, MOST_NEAREST);
}
