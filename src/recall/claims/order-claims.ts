import { type Claim, type ClaimSource, listClaims } from '../../indexing/claims.ts';
import { joinTokens } from '../../indexing/search-text.ts';
import { describeMatch } from './claim-reasons.ts';
import { matchClaims } from './match-claims.ts';
import { readPromptWords } from './prompt-words.ts';
import { sum } from './signals.ts';
import { indexWords } from './word-index.ts';

/** A claim of a memory, with how much it says of what was asked: 0 where it says nothing of it. */
export type OrderedClaim = Claim & { strength: number; reasons: string[] };

/** The claims of one memory, those that say most of what was asked first. */
export function orderClaims(memory: ClaimSource, text: string): OrderedClaim[] {
  const words = readPromptWords(text);
  const claims = listClaims(memory);
  const docs = claims.map(({ position, text: claim }) => ({
    ...{ memoryId: 0, sessionId: null, position, type: '', request: '' },
    words: joinTokens([claim]),
  }));
  const matches = matchClaims(words, {
    ...{ docs, index: indexWords(docs), total: docs.length },
    found: new Map(),
  });
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
