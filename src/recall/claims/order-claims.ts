import { type Claim, type ClaimSource, listClaims } from '../../indexing/claims.ts';
import { joinTokens } from '../../indexing/search-text.ts';
import { type PromptWord, readPromptWords } from '../prompt-words.ts';
import { describeMatch } from './claim-reasons.ts';
import { type ClaimScope, matchClaims, sumOwn } from './match-claims.ts';
import { sum } from './signals.ts';
import { indexWords } from './word-index.ts';

/** A claim of a memory, with how much it says of what was asked: 0 where it says nothing of it. */
export type OrderedClaim = Claim & { strength: number; reasons: string[] };

/** The claims of one memory, those that say most of what was asked first. */
export function orderClaims(memory: ClaimSource, text: string): OrderedClaim[] {
  const words = readPromptWords(text);
  const claims = listClaims(memory);
  const matches = matchClaims(words, scopeOf(claims));
  return claims
    .map((claim, index) => {
      const match = matches[index];
      return {
        ...claim,
        strength: sum(match?.own ?? []),
        reasons: match ? describeMatch(match, words) : [],
      };
    })
    .sort((one, other) => other.strength - one.strength || one.position - other.position);
}

/** The claim of a memory that says most of these words; undefined if none says anything of them. */
export function findTellingClaim(memory: ClaimSource, words: PromptWord[]): Claim | undefined {
  const claims = listClaims(memory);
  const strengths = sumOwn(words, scopeOf(claims));
  const most = Math.max(0, ...strengths);
  return most > 0 ? claims[strengths.indexOf(most)] : undefined;
}

function scopeOf(claims: Claim[]): ClaimScope {
  const docs = claims.map(({ position, text }) => ({
    ...{ memoryId: 0, sessionId: null, position, type: '', request: '' },
    words: joinTokens([text]),
  }));
  return { docs, index: indexWords(docs), total: docs.length, found: new Map(), relatedTo: () => [] };
}
