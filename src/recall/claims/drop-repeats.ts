import { STOP_WORDS } from '../../indexing/stop-words.ts';
import type { RatedClaim } from './likelihood.ts';

/** Claims that share so much of the shorter one say the same. */
const SAME = 0.6;

/**
 * Of claims that are nearly the same only the best: an observation and the summary of its turn say much alike.
 *
 * @param rated the best first
 */
export function dropRepeats(rated: RatedClaim[], most: number): RatedClaim[] {
  const chosen: RatedClaim[] = [];
  const contents: Set<string>[] = [];
  for (const claim of rated) {
    if (chosen.length === most) break;
    const content = contentOf(claim);
    if (contents.some((other) => isSame(content, other))) continue;
    chosen.push(claim);
    contents.push(content);
  }
  return chosen;
}

/** Without single characters, which claims of scripts without spaces share by accident. */
function contentOf({ match }: RatedClaim): Set<string> {
  return new Set(match.tokens.filter((token) => token.length > 1 && !STOP_WORDS.has(token)));
}

function isSame(one: Set<string>, other: Set<string>): boolean {
  const [short, long] = one.size <= other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const token of short) if (long.has(token)) shared++;
  return shared >= short.size * SAME;
}
