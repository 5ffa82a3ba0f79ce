import type { ScorePart } from '../../model/score-part.ts';
import type { Store } from '../../store/store.ts';
import { chooseQueryWords, QUICK_BREADTH } from '../candidates.ts';
import { asksSomething, isShortPrompt, type PromptWord, readPromptWords } from '../prompt-words.ts';
import { createRelatedLookup } from '../thesaurus/look-up.ts';
import { describeClaim } from './claim-reasons.ts';
import { dropRepeats } from './drop-repeats.ts';
import {
  estimateLikelihood,
  listWorth,
  measurePrompt,
  type PromptSignals,
  type RatedClaim,
  worthOf,
} from './likelihood.ts';
import { type ClaimScope, matchClaims } from './match-claims.ts';
import { readPromptKind } from './prompt-kind.ts';
import { measureClaim, sum } from './signals.ts';
import { indexWords } from './word-index.ts';
import { isEveryday } from './word-weight.ts';

export interface FoundClaim {
  memoryId: number;
  position: number;
  /** What claims are put in order by. */
  score: number;
  /** Why it was found. */
  reasons: string[];
  /** What the score is made of, where it is a sum. */
  parts?: ScorePart[];
}

export interface FoundClaims {
  /** How likely the prompt is answered by the best of these. */
  likelihood: number;
  /** The best first. */
  claims: FoundClaim[];
  /** A rule or trap that names what the prompt names: worth giving even if the prompt hardly asks for it. */
  warning: FoundClaim | null;
}

export interface ClaimRequest {
  projectId: number;
  /** What was given before is neither found nor counted as the best. */
  isKnown(memoryId: number, position: number): boolean;
  /** Whether the session was given anything before. */
  hasGiven?: boolean;
}

type ClaimStore = Pick<Store, 'countClaimDocs' | 'listClaimDocs' | 'countClaimTerms' | 'findClaimDocs'>;

export const NOTHING_FOUND: FoundClaims = { likelihood: 0, claims: [], warning: null };

/** Further back no claim is given. */
const MOST_FOUND = 12;
/** So many are read without asking the full text index: other forms of a word are found too. */
const MOST_READ = 300;

/** Other words for what a prompt names that the index is asked for. */
const MOST_OTHERS = 24;

/** Claims for a prompt, and whether they are worth giving. */
export function findClaims(store: ClaimStore, prompt: string, request: ClaimRequest): FoundClaims {
  const scope = readScope(store, prompt, request.projectId);
  return scope ? findClaimsIn(scope, prompt, request) : NOTHING_FOUND;
}

export function findClaimsIn(scope: ClaimScope, prompt: string, request: ClaimRequest): FoundClaims {
  const words = readPromptWords(prompt);
  const rating = rateClaims(scope, prompt, words, request);
  if (!rating) return NOTHING_FOUND;
  const meant = isShortPrompt(prompt)
    ? selectNamed(rating.claims, words, asksSomething(prompt))
    : selectTelling(rating.claims, request.hasGiven === true);
  const named = words.map(readWholeName);
  const warning = rating.claims.find((claim) => isWarning(claim, named));
  return {
    likelihood: isShortPrompt(prompt) ? Number(meant.length > 0) : estimateLikelihood(rating.prompt),
    claims: dropRepeats(meant, MOST_FOUND).map((claim) => describe(claim, words)),
    warning: warning ? describe(warning, words) : null,
  };
}

function describe(claim: RatedClaim, words: PromptWord[]): FoundClaim {
  return {
    memoryId: claim.match.doc.memoryId,
    position: claim.match.doc.position,
    score: claim.worth,
    reasons: describeClaim(claim, words),
    parts: listWorth(claim.signals),
  };
}

/** What a name tells that few claims have. */
const RARE_NAME = 0.5;
const WARNINGS = new Set(['preference', 'note', 'decision', 'gotcha']);

/** “update some rows in ventas_raw” only orders something, but there is a rule about that table. */
function isWarning(
  { match: { doc, own, header, tokens, headerTokens } }: RatedClaim,
  named: (string | null)[],
): boolean {
  return (
    WARNINGS.has(doc.type) &&
    named.some(
      (name, word) =>
        name !== null &&
        Math.max(own[word] ?? 0, header[word] ?? 0) >= RARE_NAME &&
        (tokens.includes(name) || headerTokens.includes(name)),
    )
  );
}

/** Of an identifier, a path or a call. Its parts, a number or an acronym may be in a claim about anything. */
function readWholeName({ written, terms, isName }: PromptWord): string | null {
  const isTelling = isName && /[a-z]{2}/i.test(written) && !/^[A-Z]{2,5}s?\W*$/.test(written);
  return (isTelling && terms[0]) || null;
}

/**
 * Where the best claim has something of what was asked, claims that have nothing of it are left out; so are they in a
 * session that was given the best of the project before.
 */
function selectTelling(claims: RatedClaim[], hasGiven: boolean): RatedClaim[] {
  const [best] = claims;
  return best && (hasGiven || hasSome(best)) ? claims.filter(hasSome) : claims;
}

function hasSome({ signals: { own, header, related }, match }: RatedClaim): boolean {
  return own + header + related + sum(match.request) > 0;
}

/** More memories than this have the word: it is not what they are about. */
const MOST_NAMED = 3;

/** What a short prompt names: claims with all of its telling words, where few memories have them. */
function selectNamed(claims: RatedClaim[], words: PromptWord[], asks: boolean): RatedClaim[] {
  const telling = [...words.keys()].filter((word) => words[word] && !isEveryday(words[word]));
  // "run pytest" orders something, "pytest" and "pytest slow?" ask for what is known.
  if (!asks && telling.length < words.length) return [];
  const named = claims.filter(({ match }) =>
    telling.every((word) => Math.max(match.own[word] ?? 0, match.header[word] ?? 0) > 0),
  );
  const memories = new Set(named.map(({ match }) => match.doc.memoryId));
  return telling.length > 0 && memories.size <= MOST_NAMED ? named : [];
}

export interface ClaimRating {
  /** The best first. */
  claims: RatedClaim[];
  prompt: PromptSignals;
}

/** @returns null where there is no claim, or the prompt has no word that tells anything. */
export function rateClaims(
  scope: ClaimScope,
  prompt: string,
  words: PromptWord[],
  { isKnown }: Pick<ClaimRequest, 'isKnown'>,
): ClaimRating | null {
  if (words.length === 0) return null;
  const matches = matchClaims(words, scope).filter(({ doc }) => !isKnown(doc.memoryId, doc.position));
  if (matches.length === 0) return null;
  // Making its regular expressions takes 4 ms, so only for a prompt that has claims.
  const kind = readPromptKind(prompt);
  const [best, ...others] = matches
    .map((match): RatedClaim => {
      const signals = measureClaim(kind, words, match);
      return { match, signals, worth: worthOf(signals) };
    })
    .sort((one, other) => other.worth - one.worth || other.match.doc.memoryId - one.match.doc.memoryId);
  if (!best) return null;
  const traits = { words, asks: asksSomething(prompt), kind, docs: scope.total };
  return { claims: [best, ...others], prompt: measurePrompt([best, ...others], traits) };
}

/** All there is, or what the full text index finds for the rarer words; null where nothing can be found. */
export function readScope(store: ClaimStore, prompt: string, projectId: number): ClaimScope | null {
  const words = readPromptWords(prompt);
  const total = store.countClaimDocs(projectId);
  if (words.length === 0 || total === 0) return null;
  const relatedTo = createRelatedLookup(prompt);
  if (total <= MOST_READ) {
    const docs = store.listClaimDocs(projectId);
    return { docs, index: indexWords(docs), total, found: new Map(), relatedTo };
  }
  // Words that are everywhere bring up nothing among many claims: the index is not asked for them.
  if (words.every(isEveryday)) return null;
  const named = [...new Set(words.flatMap((word) => word.terms))];
  const having = store.countClaimTerms(projectId, named, QUICK_BREADTH.counted);
  // A word that no claim has may be there under another name.
  const unknown = words.filter(({ terms }) => terms.every((term) => !having[named.indexOf(term)]));
  const others = [...new Set(unknown.flatMap(relatedTo).flat())]
    .filter((term) => !named.includes(term))
    .slice(0, MOST_OTHERS);
  const terms = [...named, ...others];
  const counted = [...having, ...store.countClaimTerms(projectId, others, QUICK_BREADTH.counted)];
  const [wanted] = chooseQueryWords(terms, { docs: total, terms: counted }, QUICK_BREADTH);
  const docs = wanted ? store.findClaimDocs(projectId, wanted, QUICK_BREADTH.candidates) : [];
  return {
    docs,
    index: indexWords(docs),
    total,
    found: new Map(),
    relatedTo,
    counts: new Map(terms.map((term, index) => [term, counted[index] ?? 0])),
  };
}
