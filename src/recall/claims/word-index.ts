import type { ClaimDoc } from '../../store/types/search.ts';
import { hasForms, isNearForm } from '../near-forms.ts';
import type { PromptWord } from '../prompt-words.ts';

/** The documents in which each word is found. */
export interface WordIndex {
  words: Map<string, number[]>;
  /** The requests in which each word is found, and the documents of each: memories of a turn share one. */
  requests: Map<string, number[]>;
  requestPlaces: number[][];
  /** The words of each document, in their order. */
  tokens: string[][];
}

/** Of a long run of characters so much has to be there. */
const MOST_OF_A_RUN = 0.7;
/** What another form of a word counts. */
const NEAR = 0.7;

export function indexWords(docs: ClaimDoc[]): WordIndex {
  const index: WordIndex = { words: new Map(), requests: new Map(), requestPlaces: [], tokens: [] };
  const numbers = new Map<string, number>();
  for (const [at, { words, request }] of docs.entries()) {
    const tokens = splitTokens(words);
    index.tokens.push(tokens);
    add(index.words, tokens, at);
    if (request === '') continue;
    const known = numbers.get(request);
    if (known !== undefined) index.requestPlaces[known]?.push(at);
    else {
      add(index.requests, splitTokens(request), numbers.size);
      numbers.set(request, numbers.size);
      index.requestPlaces.push([at]);
    }
  }
  return index;
}

function splitTokens(words: string): string[] {
  return words.trim().split(' ');
}

function add(index: Map<string, number[]>, tokens: string[], at: number): void {
  for (const token of tokens) {
    const known = index.get(token);
    if (!known) index.set(token, [at]);
    else if (known[known.length - 1] !== at) known.push(at);
  }
}

/** What a word is looked for as: a run of characters in one piece, any other word under each of its terms. */
export function termsOf({ isRun, terms }: PromptWord): string[][] {
  return isRun ? [terms] : terms.map((term) => [term]);
}

/** The share of the word that each document has. */
export function findPlaces(
  terms: string[],
  isRun: boolean,
  postings: Map<string, number[]>,
): Map<number, number> {
  return isRun ? placesOfRun(terms, postings) : placesOfTerm(terms[0] ?? '', postings);
}

/** The share of the word that the request of each document has. */
export function findRequestPlaces(terms: string[], isRun: boolean, index: WordIndex): Map<number, number> {
  const places = new Map<number, number>();
  for (const [request, share] of findPlaces(terms, isRun, index.requests))
    for (const at of index.requestPlaces[request] ?? []) places.set(at, share);
  return places;
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
