import { fold } from '../../indexing/fold.ts';
import { stem } from '../../indexing/stem.ts';
import { typoCost, typoLimit } from '../../model/typo-cost.ts';
import type { Store } from '../../store/store.ts';
import type { SearchFilter } from '../../store/types/search.ts';
import { EVERYDAY_WORDS } from '../claims/everyday-words.ts';
import { COMMON_WORDS } from '../common-words.ts';
import { findNearTerms } from './near-terms.ts';
import { listPrefixes } from './prefixes.ts';
import { findWrittenForm } from './written-form.ts';

export type NearWordStore = Pick<
  Store,
  'countTerms' | 'findSearchCandidates' | 'getMemories' | 'listIndexedTerms' | 'listNewestWithTerm'
>;

/** Reading more terms of the index takes longer than a person should wait. */
const MOST_TERMS = 6_000;
/** The nearest ones that are looked for in the scope of the search. */
const CHECKED = 8;
const MOST_COUNTED = 100;
/** A word with one likely mistake is meant rather than two words. */
const ONE_MISTAKE = 0.95;
/** The cost of another ending: `limitter` where memories say `limits`. */
const ENDING = 1.2;
/** A much more frequent word is meant rather than one that is a little closer. */
const FREQUENCY = 0.01;

/** A word that memories in this scope have, instead of one that they do not; undefined if none is near. */
export function findReplacement(
  store: NearWordStore,
  typed: string,
  filter: SearchFilter,
  isTyping: boolean,
): string | undefined {
  const word = fold(typed).replace(/[^a-z0-9]/g, '');
  if (word.length < 3 || word.length !== fold(typed).replace(/[-_.]/g, '').length) return undefined;
  if (isSpelledRight(word)) return undefined;
  const completed = isTyping ? findCompletion(store, word, filter) : undefined;
  if (completed) return completed;
  const near = findNearWord(store, word, filter);
  if (near && near.cost <= ONE_MISTAKE) return near.word;
  return findSplit(store, word, filter) ?? near?.word;
}

/** Words of everyday language that no memory has. */
function isSpelledRight(word: string): boolean {
  return EVERYDAY_WORDS.has(stem(word)) || COMMON_WORDS.has(stem(word));
}

function findNearWord(
  store: NearWordStore,
  word: string,
  filter: SearchFilter,
): { word: string; cost: number } | undefined {
  const near = findNearTerms(word, store.listIndexedTerms(listPrefixes(word), MOST_TERMS)).slice(0, CHECKED);
  const counts = countIn(
    store,
    filter,
    near.map(({ term }) => term),
  );
  const known = near
    .map((each, index) => ({ ...each, count: counts[index] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.cost - FREQUENCY * Math.log2(a.count) - (b.cost - FREQUENCY * Math.log2(b.count)));
  for (const { term, cost } of known) {
    const written = findWrittenForm(store, term, word, filter);
    if (written && isNear(word, written, term)) return { word: written, cost };
  }
  return undefined;
}

/** What memories really write is near, not only another word with the same stem. */
function isNear(typed: string, written: string, term: string): boolean {
  const short = stem(typed);
  const cost = typoCost(typed, fold(written).replace(/[^a-z0-9]/g, ''));
  const limit = typoLimit(typed.length);
  return cost <= limit || (cost <= limit + ENDING && typoCost(short, term) <= typoLimit(short.length));
}

/** The rest of a word that is being typed; the most frequent one. */
function findCompletion(store: NearWordStore, word: string, filter: SearchFilter): string | undefined {
  const terms = store
    .listIndexedTerms([word], MOST_TERMS)
    .sort((one, other) => one.length - other.length)
    .slice(0, CHECKED * 4);
  const counts = countIn(store, filter, terms);
  const most = Math.max(0, ...counts);
  const term = most > 0 ? terms[counts.indexOf(most)] : undefined;
  return term && (findWrittenForm(store, term, word, filter) ?? term);
}

/** What follows a name in another spelling of it. */
const SUFFIXES = ['js', 'ts', 'db', 'io', 'css', 'sql', 'lang'];
const SHORTEST_PART = 2;

/** `ratelimiter` for `rate limiter`, and `reactjs` where memories only say React. */
function findSplit(store: NearWordStore, word: string, filter: SearchFilter): string | undefined {
  const splits: [string, string][] = [];
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++)
    splits.push([word.slice(0, at), word.slice(at)]);
  const counts = countIn(store, filter, splits.flat().map(stem), 1);
  const known = splits.filter((_, index) => (counts[index * 2] ?? 0) > 0 && (counts[index * 2 + 1] ?? 0) > 0);
  const isThere = ([one, other]: [string, string]) =>
    store.findSearchCandidates(
      { any: [stem(one)], pairs: [] },
      { ...filter, phrases: [...filter.phrases, `${stem(one)} ${stem(other)}`] },
      1,
    ).length > 0;
  const split = known.find(isThere);
  if (split) return split.join(' ');
  const name = splits.find(
    ([one, other], index) => one.length > 2 && SUFFIXES.includes(other) && (counts[index * 2] ?? 0) > 0,
  );
  return name && (findWrittenForm(store, stem(name[0]), name[0], filter) ?? name[0]);
}

function countIn(store: NearWordStore, filter: SearchFilter, terms: string[], most = MOST_COUNTED): number[] {
  return terms.length === 0 ? [] : store.countTerms(filter, terms, most).terms;
}
