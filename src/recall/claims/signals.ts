import type { MatchedClaims } from './match-claims.ts';
import type { PromptWord } from './prompt-words.ts';

export type ClaimSignal = 'own' | 'header' | 'request' | 'siblings' | 'named' | 'words' | 'about';

/** What speaks for a claim, in units of the most that one word can tell. */
export type ClaimSignals = Record<ClaimSignal, number>;

const MOST_WORDS = 4;

export function measureClaims(
  words: PromptWord[],
  { matches, weights, known }: MatchedClaims,
): ClaimSignals[] {
  const all = sum(weights);
  const about = all > 0 ? sum(known) / all : 0;
  return matches.map(({ own, header, request, siblings }) => {
    const inside = words.map((_, word) => Math.max(own[word] ?? 0, header[word] ?? 0));
    const beyond = (list: number[], inner: number[]) =>
      sum(list.map((told, word) => Math.max(0, told - (inner[word] ?? 0))));
    return {
      own: sum(own),
      header: beyond(header, own),
      request: beyond(request, inside),
      siblings: beyond(siblings, inside),
      named: sum(inside.filter((_, word) => words[word]?.isName)),
      words: Math.min(MOST_WORDS, inside.filter((told) => told > 0).length) / MOST_WORDS,
      about,
    };
  });
}

function sum(list: number[]): number {
  let total = 0;
  for (const each of list) total += each;
  return total;
}
