import type { ClaimDoc } from '../../store/types/search.ts';
import { COMMON_WORDS } from '../common-words.ts';
import { EVERYDAY_WORDS } from './everyday-words.ts';
import { hasForms, isNearForm } from './near-forms.ts';
import type { PromptWord } from './prompt-words.ts';

/**
 * A claim, with what each word of the prompt tells in it, in its header and around it: in units of the most that one word
 * can tell.
 */
export interface ClaimMatch {
  memoryId: number;
  position: number;
  own: number[];
  header: number[];
  request: number[];
  /** In other claims of its memory. */
  siblings: number[];
}

export interface MatchedClaims {
  matches: ClaimMatch[];
  /** The most that each word could tell. */
  weights: number[];
  /** The same for words that any claim or header has, 0 for others. */
  known: number[];
}

/** Of a long run of characters so much has to be there. */
const MOST_OF_A_RUN = 0.7;
/** What another form of a word counts. */
const NEAR = 0.7;
/** As if so many claims had been there from the start, in which common words are as common as they are. */
const BACKGROUND = 200;
const COMMON_SHARE = 0.2;
const EVERYDAY_SHARE = 0.4;

export interface ClaimScope {
  docs: ClaimDoc[];
  /** How many claims and headers there are, of which `docs` may be a part. */
  total: number;
  /** How many of all of them have a term, where `docs` are a part. */
  counts?: Map<string, number>;
}

export function matchClaims(words: PromptWord[], { docs, total, counts }: ClaimScope): MatchedClaims {
  const index = indexWords(docs);
  const unit = Math.log(1 + total + BACKGROUND);
  const weigh = (term: string, having: number) =>
    Math.log((total + 1 + BACKGROUND) / (Math.max(having, counts?.get(term) ?? 0) + 0.5 + background(term))) /
    unit;
  const found = words.map((word) => findWord(word, index, weigh));
  const matches: ClaimMatch[] = [];
  for (const places of byMemory(docs)) {
    const header = places.find((at) => docs[at]?.position === 0);
    for (const at of places) {
      const doc = docs[at];
      if (!doc || doc.position === 0) continue;
      const { memoryId, position } = doc;
      const inHeader = (hits: Map<number, number>) => (header === undefined ? 0 : (hits.get(header) ?? 0));
      matches.push({
        memoryId,
        position,
        own: found.map(({ hits }) => hits.get(at) ?? 0),
        header: found.map(({ hits }) => inHeader(hits)),
        request: found.map(({ requests }) => inHeader(requests)),
        siblings: found.map(({ hits }) => mostOf(hits, places, at)),
      });
    }
  }
  return {
    matches,
    weights: found.map(({ weight }) => weight),
    known: found.map(({ hits, weight }) => (hits.size > 0 ? weight : 0)),
  };
}

function mostOf(hits: Map<number, number>, places: number[], except: number): number {
  let most = 0;
  if (hits.size > 0) for (const at of places) if (at !== except) most = Math.max(most, hits.get(at) ?? 0);
  return most;
}

/** Documents of a memory stand together. */
function byMemory(docs: ClaimDoc[]): number[][] {
  const places = new Map<number, number[]>();
  for (const [at, { memoryId }] of docs.entries()) {
    const known = places.get(memoryId);
    if (known) known.push(at);
    else places.set(memoryId, [at]);
  }
  return [...places.values()];
}

/** Where each word of the documents stands: in the words of which, in the requests of which. */
interface WordIndex {
  words: Map<string, number[]>;
  requests: Map<string, number[]>;
}

function indexWords(docs: ClaimDoc[]): WordIndex {
  const index: WordIndex = { words: new Map(), requests: new Map() };
  for (const [at, { words, request }] of docs.entries()) {
    add(index.words, words, at);
    if (request !== '') add(index.requests, request, at);
  }
  return index;
}

function add(index: Map<string, number[]>, tokens: string, at: number): void {
  for (const token of tokens.trim().split(' ')) {
    const known = index.get(token);
    if (!known) index.set(token, [at]);
    else if (known.at(-1) !== at) known.push(at);
  }
}

interface FoundWord {
  /** What it tells in the words of each document. */
  hits: Map<number, number>;
  requests: Map<number, number>;
  weight: number;
}

type Weigh = (term: string, having: number) => number;

/** In whatever term tells most: a part of a name tells as much as it would by itself. */
function findWord(word: PromptWord, { words, requests }: WordIndex, weigh: Weigh): FoundWord {
  const found: FoundWord = { hits: new Map(), requests: new Map(), weight: 0 };
  for (const term of word.isRun ? [word.terms.join(' ')] : word.terms) {
    const places = word.isRun ? placesOfRun(word.terms, words) : placesOfTerm(term, words);
    const weight = weigh(term, places.size);
    found.weight = Math.max(found.weight, weight);
    raise(found.hits, places, weight);
    raise(
      found.requests,
      word.isRun ? placesOfRun(word.terms, requests) : placesOfTerm(term, requests),
      weight,
    );
  }
  return found;
}

function raise(hits: Map<number, number>, places: Map<number, number>, weight: number): void {
  for (const [at, share] of places) hits.set(at, Math.max(hits.get(at) ?? 0, share * weight));
}

/** The word itself, or else another form of it. */
function placesOfTerm(term: string, postings: Map<string, number[]>): Map<number, number> {
  const places = new Map<number, number>();
  if (hasForms(term))
    for (const [token, those] of postings)
      if (isNearForm(term, token)) for (const at of those) places.set(at, NEAR);
  for (const at of postings.get(term) ?? []) places.set(at, 1);
  return places;
}

function placesOfRun(terms: string[], postings: Map<string, number[]>): Map<number, number> {
  const places = new Map<number, number>();
  for (const term of terms)
    for (const at of postings.get(term) ?? []) places.set(at, (places.get(at) ?? 0) + 1 / terms.length);
  for (const [at, share] of places) if (share < MOST_OF_A_RUN) places.delete(at);
  return places;
}

/** Whether a word tells nothing of what a prompt is about. */
export function isEveryday({ terms }: PromptWord): boolean {
  return terms.every((term) => background(term) > 0);
}

function background(term: string): number {
  if (EVERYDAY_WORDS.has(term) || /^\d{1,3}$/.test(term)) return BACKGROUND * EVERYDAY_SHARE;
  return COMMON_WORDS.has(term) ? BACKGROUND * COMMON_SHARE : 0;
}
