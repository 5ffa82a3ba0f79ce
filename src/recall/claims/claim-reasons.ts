import { tokenise } from '../../indexing/tokenise.ts';
import type { PromptWord } from '../prompt-words.ts';
import type { RatedClaim } from './likelihood.ts';
import type { ClaimMatch } from './match-claims.ts';
import { sum } from './signals.ts';

const MOST_WORDS = 4;

/** Why a claim is given: what it has of the prompt, or else what makes it likely in a project with few memories. */
export function describeClaim({ match, signals }: RatedClaim, words: PromptWord[]): string[] {
  const reasons = describeMatch(match, words);
  if (reasons.length > 0) return reasons;
  if (signals.leave > 0) return ['a rule or decision, and the prompt asks what may be done'];
  if (signals.trouble > 0) return ['a trap, fix or finding, and the prompt reports trouble'];
  return ['one of few memories in this project'];
}

/** Where a claim has words of the prompt. Only words that it has are named, of a compound the part that it has. */
export function describeMatch(match: ClaimMatch, words: PromptWord[]): string[] {
  const own = namesIn(match.tokens, match.own, words);
  const header = namesIn(match.headerTokens, match.header, words).filter((name) => !own.includes(name));
  const related = words.flatMap(({ written }, at) =>
    (match.related[at] ?? 0) > 0 && !match.own[at] && !match.header[at] ? [written] : [],
  );
  return [
    ...describe('says', own),
    ...describe('title, files or names have', header),
    ...describe('has other words for', related),
    ...(sum(match.request) > 0 ? ['the prompt that led to it was about this'] : []),
    ...(own.length === 0 && sum(match.session) > 0 ? ['its session was about this'] : []),
  ];
}

function describe(what: string, names: string[]): string[] {
  return names.length > 0 ? [`${what} ${names.slice(0, MOST_WORDS).join(', ')}`] : [];
}

function namesIn(tokens: string[], weights: number[], words: PromptWord[]): string[] {
  const having = new Set(tokens);
  return words.flatMap((word, index) =>
    (weights[index] ?? 0) > 0 ? [nameIn(having, word) ?? `a form of ${word.written}`] : [],
  );
}

function nameIn(having: Set<string>, { written, terms, isRun }: PromptWord): string | undefined {
  if (isRun || having.has(terms[0] ?? '')) return written;
  const parts = written.split(/[^\w\u0080-\uffff]+|_|(?<=[a-z0-9])(?=[A-Z])/);
  return parts.find((part) => tokenise(part).some((term) => terms.includes(term) && having.has(term)));
}
