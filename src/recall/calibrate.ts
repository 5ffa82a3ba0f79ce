import { tokenise } from '../indexing/tokenise.ts';
import { COMMON_WORDS } from './common-words.ts';
import { type Match, SATURATION } from './match.ts';
import type { Question } from './parse-question.ts';

export type Signal = 'evidence' | 'title' | 'header' | 'named' | 'coverage' | 'behind';

/**
 * Logistic regression from features to a likelihood. Trained by bench/coding-set/calibrate.mjs on the questions and
 * one half of the prompts; `npm run bench -- push` measures it on the other half.
 */
const CALIBRATION: Record<Signal | 'constant', number> = {
  constant: -3.6,
  /** The match, relative to the logarithm of the number of memories. */
  evidence: 1.59,
  /** Evidence in the title alone. */
  title: 1,
  /** Evidence in the header: files, concepts, branch. */
  header: 0.6,
  /** Evidence from names of code, files and errors: one of them is worth more than three words. */
  named: 1.39,
  /** The share of the question that it covers: a long prompt matches many memories in a few words. */
  coverage: 2.24,
  /** Distance to the best score. */
  behind: -4.97,
};

/** Prior: as if this many memories had been there from the start. */
const BACKGROUND = 200;
const COMMON_SHARE = 0.08;
const NAME = /[a-z][A-Z]|_|\w[./]\w|\w\(|[A-Z]{2}|\d/;

export interface RankedMatch {
  match: Match;
  total: number;
}

/** How likely each of these is what was asked for; in their order, the best first. */
export function estimateLikelihoods(question: Question, memories: number, ranked: RankedMatch[]): number[] {
  return measureSignals(question, memories, ranked).map((signs) => {
    let sum = CALIBRATION.constant;
    for (const [name, value] of Object.entries(signs)) sum += CALIBRATION[name as Signal] * value;
    return 1 / (1 + Math.exp(-sum));
  });
}

/**
 * Rare words are evidence. With more memories there are more accidental matches, so the evidence is divided by the
 * logarithm of their number: one threshold fits small and large stores.
 */
export function measureSignals(
  question: Question,
  memories: number,
  ranked: RankedMatch[],
): Record<Signal, number>[] {
  const unit = Math.log(1 + memories + BACKGROUND);
  const idf = question.idf.map((rarity, index) =>
    smoothRarity(rarity, memories, question.parsed.terms[index] ?? ''),
  );
  const words = writtenWords(question);
  const best = ranked[0]?.total ?? 0;
  return ranked.map(({ match, total }) => {
    const matched = measureMatch(match, idf, words);
    return {
      evidence: matched.evidence / unit,
      title: matched.title / unit,
      header: matched.header / unit,
      named: matched.named / unit,
      coverage: matched.parsed > 0 ? matched.covered / matched.parsed : 0,
      behind: (best - total) / 10,
    };
  });
}

function smoothRarity(rarity: number, memories: number, term: string): number {
  const having = (memories + 1) / Math.exp(rarity);
  const common = COMMON_WORDS.has(term) ? BACKGROUND * COMMON_SHARE : 0;
  return Math.log((memories + 1 + BACKGROUND) / (having + common));
}

interface WrittenWord {
  terms: number[];
  isName: boolean;
}

function measureMatch(match: Match, idf: number[], words: WrittenWord[]) {
  const matched = { parsed: 0, evidence: 0, covered: 0, title: 0, header: 0, named: 0 };
  for (const { terms, isName } of words) {
    const most = (value: (term: number, weight: number) => number) =>
      Math.max(...terms.map((term) => value(term, idf[term] ?? 0)));
    const covered = most((term, weight) => (match.own[term] ? weight : 0));
    matched.parsed += most((_term, weight) => weight);
    matched.evidence += most((term, weight) => (weight * (match.own[term] ?? 0)) / SATURATION);
    matched.title += most((term, weight) => (match.inTitle[term] ? weight : 0));
    matched.header += most((term, weight) => (match.inHeader[term] ? weight : 0));
    matched.covered += covered;
    matched.named += isName ? covered : 0;
  }
  return matched;
}

/** A compound word is one piece of evidence, in however many terms it is indexed. */
function writtenWords({ parsed, request }: Question): WrittenWord[] {
  const wordOf = new Map<string, string>();
  for (const written of request.text.split(/\s+/))
    for (const term of tokenise(written)) if (!wordOf.has(term)) wordOf.set(term, written);
  const words = new Map<string, WrittenWord>();
  for (const [index, term] of parsed.terms.entries()) {
    // Scripts without spaces produce pairs of characters, each of which is evidence.
    const written = isWrittenAsWord(term) ? (wordOf.get(term) ?? term) : term;
    const word = words.get(written) ?? { terms: [], isName: NAME.test(written) };
    word.terms.push(index);
    words.set(written, word);
  }
  return [...words.values()];
}

/** Classes of scripts take long to compile, and most terms need none. */
function isWrittenAsWord(term: string): boolean {
  return /[a-z0-9]/.test(term) || /[\p{Script=Latin}\p{N}]/u.test(term);
}
