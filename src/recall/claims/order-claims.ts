import { type Claim, type ClaimSource, listClaims } from '../../indexing/claims.ts';
import { joinTokens } from '../../indexing/search-text.ts';
import { matchClaims } from './match-claims.ts';
import { readPromptWords } from './prompt-words.ts';
import { measureClaims } from './signals.ts';

/** The claims of one memory, those that say most of what is asked first; undefined strength where they say nothing of it. */
export function orderClaims(
  memory: ClaimSource,
  text: string,
): (Claim & { strength: number; words: string[] })[] {
  const words = readPromptWords(text);
  const claims = listClaims(memory);
  const docs = claims.map(({ position, text: claim }) => ({
    ...{ memoryId: 0, position, type: '', request: '' },
    words: joinTokens([claim]),
  }));
  const matched = matchClaims(words, { docs, total: docs.length });
  const signals = measureClaims(words, matched);
  return claims
    .map((claim, index) => ({
      ...claim,
      strength: signals[index]?.own ?? 0,
      words: words
        .filter((_, word) => (matched.matches[index]?.own[word] ?? 0) > 0)
        .map(({ written }) => written),
    }))
    .sort((one, other) => other.strength - one.strength || one.position - other.position);
}
