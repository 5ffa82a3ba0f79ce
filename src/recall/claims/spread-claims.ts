import { STOP_WORDS } from '../../indexing/stop-words.ts';
import type { RatedClaim } from './likelihood.ts';

/** What a word of the prompt is worth less in a claim if a claim before it has the word. */
const SAID_BEFORE = 1;
/** Claims that share so much of the shorter one say the same. */
const SAME = 0.6;
/** Further back claims are worth too little to be moved up. */
const LOOKED_AT = 30;

/**
 * The best first, but claims that say other things of the prompt before those that say the same again, and of claims
 * that are nearly the same only the best.
 *
 * @param rated the best first
 */
export function spreadClaims(rated: RatedClaim[], most: number): RatedClaim[] {
  const left = rated.slice(0, LOOKED_AT).map((claim) => ({ claim, worth: claim.worth }));
  const chosen: RatedClaim[] = [];
  const contents: Set<string>[] = [];
  const said: number[] = [];
  while (chosen.length < most && left.length > 0) {
    const best = left.reduce((one, other) => (other.worth > one.worth ? other : one));
    left.splice(left.indexOf(best), 1);
    const content = contentOf(best.claim);
    if (contents.some((other) => isSame(content, other))) continue;
    chosen.push({ ...best.claim, worth: best.worth });
    contents.push(content);
    for (const [word, told] of best.claim.match.own.entries()) said[word] = Math.max(said[word] ?? 0, told);
    for (const other of left) other.worth = worthAfter(other.claim, said);
  }
  return chosen;
}

function worthAfter({ match, worth }: RatedClaim, said: number[]): number {
  let again = 0;
  for (const [word, told] of match.own.entries()) again += Math.min(told, said[word] ?? 0);
  return worth - SAID_BEFORE * again;
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
