import type { Store } from '../../store/store.ts';
import { chooseQueryWords, QUICK_BREADTH } from '../candidates.ts';
import { estimateLikelihood, strengthOf, typeStrength } from './likelihood.ts';
import { type ClaimMatch, type ClaimScope, isEveryday, matchClaims } from './match-claims.ts';
import { asksSomething, type PromptWord, readPromptWords } from './prompt-words.ts';
import { type ClaimSignals, measureClaims } from './signals.ts';

export interface FoundClaim {
  memoryId: number;
  position: number;
  /** What claims are put in order by. */
  score: number;
  /** Words of the prompt that it has, or its header. */
  words: string[];
}

export interface FoundClaims {
  /** How likely the prompt is answered by the best of these. */
  likelihood: number;
  /** The best first. */
  claims: FoundClaim[];
}

export interface ClaimRequest {
  projectId: number;
  /** What was given before is neither found nor counted as the best. */
  isKnown(memoryId: number, position: number): boolean;
}

type ClaimStore = Pick<Store, 'countClaimDocs' | 'listClaimDocs' | 'countClaimTerms' | 'findClaimDocs'>;

export const NOTHING_FOUND: FoundClaims = { likelihood: 0, claims: [] };

/** So many are read without asking the full text index: other forms of a word are found too. */
const MOST_READ = 300;
/** In a project this small a question may be answered by a claim that has none of its words. */
const FEW_DOCS = 150;
const MANY_DOCS = 800;
/** Claims that are weaker, compared with the best, are left out: an answer may be anywhere, a task is to be disturbed by
 * little. */
const FLOOR = { task: 0.9, question: 0.5, questionAmongMany: 0.85 };

/** Claims for a prompt, and whether they are worth giving. */
export function findClaims(
  store: ClaimStore,
  prompt: string,
  { projectId, isKnown }: ClaimRequest,
): FoundClaims {
  const words = readPromptWords(prompt);
  const total = store.countClaimDocs(projectId);
  if (words.length === 0 || total === 0) return NOTHING_FOUND;
  // Words that are everywhere bring up nothing among many claims: the index is not asked for them.
  if (total > MOST_READ && words.every(isEveryday)) return NOTHING_FOUND;
  const scope = readScope(store, projectId, words, total);
  const matched = matchClaims(words, scope);
  const signals = measureClaims(words, matched);
  const asks = asksSomething(prompt);
  const types = new Map(scope.docs.map(({ memoryId, type }) => [memoryId, type]));
  const rated = matched.matches.flatMap((match, index): RatedClaim[] => {
    const measured = signals[index];
    if (!measured || isKnown(match.memoryId, match.position)) return [];
    const strength = strengthOf(measured);
    const score = strength + typeStrength(types.get(match.memoryId) ?? '', total);
    return [{ match, signals: measured, strength, score }];
  });
  const best = rated.reduce((most: RatedClaim | null, each) => (isBetter(each, most) ? each : most), null);
  if (!best) return NOTHING_FOUND;
  const floor = asks ? floorOfQuestion(total) : FLOOR.task;
  return {
    likelihood: estimateLikelihood(best.signals, { asks, docs: total }),
    claims: rated
      .filter(({ strength }) => strength >= floor * best.strength)
      .sort((one, other) => other.score - one.score || other.match.memoryId - one.match.memoryId)
      .map(({ match, score }) => toFound(match, score, words)),
  };
}

function floorOfQuestion(total: number): number {
  if (total <= FEW_DOCS) return 0;
  return total <= MANY_DOCS ? FLOOR.question : FLOOR.questionAmongMany;
}

interface RatedClaim {
  match: ClaimMatch;
  signals: ClaimSignals;
  strength: number;
  score: number;
}

function isBetter({ strength }: RatedClaim, other: RatedClaim | null): boolean {
  return strength > (other?.strength ?? 0);
}

function toFound(
  { memoryId, position, own, header }: ClaimMatch,
  score: number,
  words: PromptWord[],
): FoundClaim {
  const met = words.filter((_, index) => (own[index] ?? 0) + (header[index] ?? 0) > 0);
  return { memoryId, position, score, words: met.map(({ written }) => written) };
}

/** All there is, or what the full text index finds for the rarer words. */
function readScope(store: ClaimStore, projectId: number, words: PromptWord[], total: number): ClaimScope {
  if (total <= MOST_READ) return { docs: store.listClaimDocs(projectId), total };
  const terms = [...new Set(words.flatMap((word) => word.terms))];
  const counted = store.countClaimTerms(projectId, terms, QUICK_BREADTH.counted);
  const [wanted] = chooseQueryWords(terms, { docs: total, terms: counted }, QUICK_BREADTH);
  return {
    docs: wanted ? store.findClaimDocs(projectId, wanted, QUICK_BREADTH.candidates) : [],
    total,
    counts: new Map(terms.map((term, index) => [term, counted[index] ?? 0])),
  };
}
