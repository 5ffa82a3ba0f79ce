import { expect, it } from 'vitest';
import type { QueryWords, SearchFilter } from '../store/types/search.ts';
import { findCandidates, QUICK_BREADTH, type SearchBreadth, WIDE_BREADTH } from './candidates.ts';
import { parseQuestion } from './parse-question.ts';

const FILTER: SearchFilter = {
  ...{ projects: null, kinds: ['note'], phrases: [], without: [], types: [], branches: [], agents: [] },
  ...{ files: [], since: null, before: null },
};

type Look = QueryWords & { limit: number };

it.each<[string, { text: string; terms: number[]; breadth: SearchBreadth }, Look[]]>([
  [
    'rare words: any of them',
    { text: 'heron stork', terms: [3, 700], breadth: WIDE_BREADTH },
    [{ any: ['heron', 'stork'], pairs: [], limit: 200 }],
  ],
  [
    'common words: two together, beside the rare one',
    { text: 'heron invoice ledger', terms: [3, 5_000, 6_000], breadth: WIDE_BREADTH },
    [{ any: ['heron'], pairs: [['invoic', 'ledger']], limit: 200 }],
  ],
  [
    'one word that is everywhere',
    { text: 'invoice', terms: [90_000], breadth: WIDE_BREADTH },
    [{ any: ['invoic'], pairs: [], limit: 200 }],
  ],
  [
    'nothing but common words: first what has two of them',
    { text: 'invoice ledger', terms: [18_000, 19_000], breadth: WIDE_BREADTH },
    [
      { any: [], pairs: [['invoic', 'ledger']], limit: 100 },
      { any: ['invoic'], pairs: [], limit: 100 },
    ],
  ],
  [
    'nothing but common words, and nobody asked',
    { text: 'invoice ledger', terms: [18_000, 19_000], breadth: QUICK_BREADTH },
    [],
  ],
])('%s', (_name, { text, terms, breadth }, expected) => {
  const looks: Look[] = [];
  const store = {
    findSearchCandidates(words: QueryWords, _filter: SearchFilter, limit: number) {
      looks.push({ ...words, limit });
      return [];
    },
  };
  findCandidates(store, parseQuestion(text, 0), FILTER, { counts: { docs: 100_000, terms }, breadth });
  expect(looks).toEqual(expected);
});
