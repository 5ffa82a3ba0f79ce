import type { ClaimDoc } from '../../store/types/search.ts';
import type { PromptWord } from '../prompt-words.ts';
import type { RelatedLookup } from '../thesaurus/look-up.ts';
import { findPlaces, findRequestPlaces, termsOf, type WordIndex } from './word-index.ts';
import { weighTerm } from './word-weight.ts';

/**
 * A claim, with what each word of the prompt tells in it, in its header and around it: in units of the most that one word
 * can tell.
 */
export interface ClaimMatch {
  doc: ClaimDoc;
  tokens: string[];
  headerTokens: string[];
  own: number[];
  header: number[];
  request: number[];
  /** In other claims of its memory. */
  siblings: number[];
  /** Anywhere in the memories of its session, or in what was asked there. */
  session: number[];
  /** Of other words for the same, in the claim or its header. */
  related: number[];
}

export interface ClaimScope {
  docs: ClaimDoc[];
  index: WordIndex;
  /** How many claims and headers there are, of which `docs` may be a part. */
  total: number;
  /** How many of all of them have a term, where `docs` are a part. */
  counts?: Map<string, number>;
  /** Other words for the same as one of the prompt. */
  relatedTo: RelatedLookup;
  /** Words that were looked for before: the topics of a prompt share them with the whole. */
  found: Map<string, FoundWord>;
}

export function matchClaims(words: PromptWord[], scope: ClaimScope): ClaimMatch[] {
  const { docs, index } = scope;
  const found = words.map((word) => findWord(word, scope));
  const related = words.map((word) => findOthers(word, scope));
  const sessions = groupBy(docs, ({ sessionId }) => sessionId);
  const inSession = new Map(
    [...sessions].map(([id, places]) => [
      id,
      found.map(({ hits, requests }) => Math.max(mostOf(hits, places), mostOf(requests, places))),
    ]),
  );
  const matches: ClaimMatch[] = [];
  for (const places of groupBy(docs, ({ memoryId }) => memoryId).values()) {
    const header = places.find((at) => docs[at]?.position === 0) ?? -1;
    for (const at of places) {
      const doc = docs[at];
      if (!doc || doc.position === 0) continue;
      const others = places.filter((place) => place !== at);
      matches.push({
        doc,
        tokens: index.tokens[at] ?? [],
        headerTokens: index.tokens[header] ?? [],
        own: found.map(({ hits }) => hits.get(at) ?? 0),
        header: found.map(({ hits }) => hits.get(header) ?? 0),
        request: found.map(({ requests }) => requests.get(header) ?? 0),
        siblings: found.map(({ hits }) => mostOf(hits, others)),
        session: doc.sessionId === null ? words.map(() => 0) : (inSession.get(doc.sessionId) ?? []),
        related: related.map((hits) => Math.max(hits.get(at) ?? 0, hits.get(header) ?? 0)),
      });
    }
  }
  return matches;
}

/** Only what the words tell in each document itself, summed. */
export function sumOwn(words: PromptWord[], scope: ClaimScope): number[] {
  const found = words.map((word) => findWord(word, scope));
  return scope.docs.map((_, at) => found.reduce((total, { hits }) => total + (hits.get(at) ?? 0), 0));
}

function mostOf(hits: Map<number, number>, places: number[]): number {
  let most = 0;
  if (hits.size > 0) for (const at of places) most = Math.max(most, hits.get(at) ?? 0);
  return most;
}

function groupBy<Key>(docs: ClaimDoc[], keyOf: (doc: ClaimDoc) => Key): Map<Key, number[]> {
  const groups = new Map<Key, number[]>();
  for (const [at, doc] of docs.entries()) {
    const key = keyOf(doc);
    const known = groups.get(key);
    if (known) known.push(at);
    else groups.set(key, [at]);
  }
  return groups;
}

interface FoundWord {
  /** What it tells in the words of each document. */
  hits: Map<number, number>;
  requests: Map<number, number>;
}

/** In whatever term tells most: a part of a name tells as much as it would by itself. */
function findWord(word: PromptWord, scope: ClaimScope): FoundWord {
  const known = scope.found.get(word.written) ?? lookUpWord(word, scope);
  scope.found.set(word.written, known);
  return known;
}

function lookUpWord(word: PromptWord, { index, total, counts }: ClaimScope): FoundWord {
  const found: FoundWord = { hits: new Map(), requests: new Map() };
  const weigh = (term: string, having: number) =>
    weighTerm(term, Math.max(having, counts?.get(term) ?? 0), total);
  for (const terms of termsOf(word)) {
    const places = findPlaces(terms, word.isRun, index.words);
    const weight = weigh(terms.join(' '), places.size);
    raise(found.hits, places, weight);
    raise(found.requests, findRequestPlaces(terms, word.isRun, index), weight);
  }
  return found;
}

/** What the best of the other words for the same tells in each document. */
function findOthers(word: PromptWord, { index, total, counts, relatedTo }: ClaimScope): Map<number, number> {
  const hits = new Map<number, number>();
  for (const terms of relatedTo(word)) {
    const places = findPlaces(terms, terms.length > 1, index.words);
    const key = terms.join(' ');
    raise(hits, places, weighTerm(key, Math.max(places.size, counts?.get(key) ?? 0), total));
  }
  return hits;
}

function raise(hits: Map<number, number>, places: Map<number, number>, weight: number): void {
  for (const [at, share] of places) hits.set(at, Math.max(hits.get(at) ?? 0, share * weight));
}
