import { toOneLine } from '../framing/stored-lines.ts';
import { shorten } from '../model/shorten.ts';
import type { PresentedHit } from './present-hits.ts';
import { formatCount } from './words.ts';

const MOST_NEAREST = 4;

export interface EmptyAnswer {
  text: string;
  /** ` in shop`, or empty for every project. */
  where: string;
  weaker: Pick<PresentedHit, 'entry'>[];
  /** How to see the weaker hits, and what else to try. */
  showWeaker: string;
  tryElse: string;
}

/** Describes an empty result: what is not known, and the nearest words that are. */
export function describeNothing({ text, where, weaker, showWeaker, tryElse }: EmptyAnswer): string {
  const nearest = listNearestWords(weaker);
  return [
    `Nothing about "${toOneLine(shorten(text, 200))}"${where}.`,
    ...(nearest.length > 0 ? [`Nearest: ${nearest.join(', ')}.`] : []),
    weaker.length > 0 ? `${formatCount(weaker.length, 'weaker hit')}: ${showWeaker}` : tryElse,
  ].join(' ');
}

/** Words of the query in the spelling of the weaker hits. */
function listNearestWords(hits: EmptyAnswer['weaker']): string[] {
  const words = hits.flatMap(({ entry: { title, matches = [] } }) =>
    matches.map(([start, end]) => title.slice(start, end)),
  );
  const known = new Map(words.map((word) => [word.toLowerCase(), toOneLine(word)]));
  return [...known.values()].slice(0, MOST_NEAREST);
}
