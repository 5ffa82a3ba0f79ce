import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openPlainStore, type PlainStore } from '../../test/support/plain-store.ts';
import { type Random, randomFrom } from '../../test/support/random.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { updateIndex } from '../indexing/update-index.ts';
import type { RankedMatch } from './calibrate.ts';
import { findBySimilarityOnly, fuseScore, fuseScores, measureSimilarities } from './fuse-similarity.ts';
import { recall } from './recall.ts';
import { PUSH_THRESHOLD } from './threshold.ts';

/** Each with a question in its words, and one in other words. */
const KNOWN = [
  ['Always use pnpm here', 'npm writes a second lockfile', 'pnpm or npm', 'which tool fetches libraries'],
  ['Payment calls are retried', 'three attempts with a backoff', 'payment retries', 'what if charging fails'],
  ['The CDN is purged by tag', 'when a product is saved', 'CDN purge', 'stale pictures at the edge'],
  ['Webhooks are signed', 'over the raw body', 'webhook signature', 'how do we trust incoming calls'],
  ['Lists are paged by cursor', 'offsets showed rows twice', 'cursor paging', 'duplicates while scrolling'],
  [
    'Orders load customers at once',
    'one query took nine seconds',
    'orders customers query',
    'checkout is slow',
  ],
  ['Releases are tagged on main', 'the pipeline publishes them', 'release tag', 'how do we ship'],
  ['Dates are stored in UTC', 'and shown in local time', 'UTC dates', 'the hour is off by one'],
  ['Prices are integers', 'in cents, never floats', 'prices cents', 'rounding of money'],
  ['Logs have no addresses', 'the law asks for it', 'logs addresses', 'privacy rules'],
] as const;
const FILLERS = 60;
const DIMENSION = 64;
const place = { path: '/home/ada/shop/.git', name: 'shop' };

let store: PlainStore | undefined;
afterEach(() => {
  store?.close();
  store = undefined;
});

/** The known notes and the fillers, each with a direction of its own. */
function openSet() {
  store = openPlainStore(join(tempFolder(), 'cairn.db'));
  const random = randomFrom(7);
  const notes = [
    ...KNOWN.map(([title, narrative]) => [title, narrative]),
    ...Array.from({ length: FILLERS }, (_, at) => [
      `Chapter ${at} was read`,
      `Somebody wrote page ${at} anew.`,
    ]),
  ];
  for (const [title = '', narrative = ''] of notes)
    store.addNote(
      {
        ...{ type: null, title, narrative, aliases: [], files: [], pins: [], place },
        ...{ scope: 'project', saidBy: 'person', isPinned: false },
      },
      Date.UTC(2026, 4, 4),
    );
  updateIndex(store);
  store.startVectorIndex('made up', 0);
  const directions = new Map<string, Float32Array>();
  const made = store.listPendingVectors(1_000).map(({ memoryId, changes, title }) => {
    const vector = direction(random);
    directions.set(title, vector);
    return { memoryId, changes, vector };
  });
  store.saveVectors(made);
  return { store, directions, random };
}

interface Asked {
  text: string;
  title: string;
}

const IN_ITS_WORDS = KNOWN.map(([title, , text]): Asked => ({ text, title }));
const IN_OTHER_WORDS = KNOWN.map(([title, , , text]): Asked => ({ text, title }));

/** How many questions have their note among the first five. */
function foundAmongFive(questions: Asked[], vectorOf: (parsed: Asked) => Float32Array | undefined): number {
  return questions.filter((parsed) => {
    const vector = vectorOf(parsed);
    return find(parsed.text, vector).some(({ title }) => title === parsed.title);
  }).length;
}

function find(text: string, vector: Float32Array | undefined) {
  const from = store;
  if (!from) throw new Error('no store is open');
  const projectId = from.findProject(place)?.id ?? null;
  const now = Date.UTC(2026, 4, 5);
  return recall(from, { text, projectId, reach: 'project', limit: 5, now, ...(vector && { vector }) }).map(
    (hit) => ({ ...hit, title: from.getMemory(hit.id)?.title ?? '' }),
  );
}

describe('in recall', () => {
  test('an embedder that knows the answer finds what no word finds', () => {
    const { directions } = openSet();
    expect(foundAmongFive(IN_OTHER_WORDS, () => undefined)).toBeLessThan(4);
    expect(foundAmongFive(IN_OTHER_WORDS, ({ title }) => directions.get(title))).toBe(KNOWN.length);
  });

  test('one that knows nothing takes nothing away', () => {
    const { random } = openSet();
    const byWords = foundAmongFive(IN_ITS_WORDS, () => undefined);
    expect(byWords).toBe(KNOWN.length);
    for (let times = 0; times < 20; times++)
      expect(foundAmongFive(IN_ITS_WORDS, () => direction(random))).toBeGreaterThanOrEqual(byWords - 1);
  });

  test('one that is always wrong does not bury what the words say', () => {
    const { directions } = openSet();
    const wrong = (at: number) => directions.get(`Chapter ${at} was read`);
    expect(foundAmongFive(IN_ITS_WORDS, ({ text }) => wrong(text.length))).toBe(KNOWN.length);
  });

  test('a hit by meaning says so, and is never sure enough to be given unasked', () => {
    const { directions } = openSet();
    const [best] = find('which tool fetches libraries', directions.get('Always use pnpm here'));
    expect(best).toMatchObject({
      title: 'Always use pnpm here',
      reasons: ['means much the same', '1 day old'],
    });
    expect(best?.score).toBeGreaterThan(0.3);
    expect(best?.score).toBeLessThan(PUSH_THRESHOLD.memories);
  });

  test('operators hold for what is found by meaning too', () => {
    const { directions } = openSet();
    const vector = directions.get('Always use pnpm here');
    const ask = (text: string) => find(text, vector).map(({ title }) => title);
    expect(ask('libraries before:2026-05-01')).toEqual([]);
    expect(ask('libraries since:2026-05-01')).toEqual(['Always use pnpm here']);
    expect(ask('libraries -pnpm')).toEqual([]);
    expect(ask('libraries "read anew"')).toEqual([]);
  });
});

describe('how far one stands out', () => {
  const some = (...cosines: number[]) => ({ docs: cosines.map((_, at) => at + 1), cosines });
  const alike = Array.from({ length: 40 }, (_, at) => 0.5 + 0.05 * Math.sin(at * 7));

  test.each([
    { name: 'nothing', given: some(), meant: [] },
    { name: 'one alone', given: some(0.9), meant: [] },
    { name: 'a few that are alike', given: some(0.51, 0.5, 0.52, 0.55), meant: [] },
    { name: 'one of a few', given: some(0.1, 0.15, 0.8, 0.12), meant: [3] },
    { name: 'many that are alike', given: some(...alike), meant: [] },
    { name: 'two of many', given: some(0.95, ...alike, 0.99), meant: [42, 1] },
    { name: 'an embedder to which all is the same', given: some(...alike.map(() => 0.7)), meant: [] },
  ])('$name', ({ given, meant }) => {
    expect(findBySimilarityOnly(measureSimilarities(given))).toEqual(meant);
  });

  test('lifts a low score and leaves a high one', () => {
    const similarities = measureSimilarities(some(0.99, ...alike));
    expect([
      fuseScore(0.1, 1, similarities),
      fuseScore(0.9, 1, similarities),
      fuseScore(0.1, 2, similarities),
    ]).toEqual([0.6, 0.9, 0.1]);
  });
});

/** A direction like any other. */
function direction({ next }: Random): Float32Array {
  const values = Array.from({ length: DIMENSION }, () => next() + next() + next() - 1.5);
  const size = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / size);
}

test('of several that stand out far the nearest in meaning comes first', () => {
  const docs = Array.from({ length: 40 }, (_, at) => at);
  const cosines = docs.map((at) => (at === 38 ? 0.98 : at === 39 ? 0.7 : at % 2 === 0 ? 0.01 : -0.01));
  const similarities = measureSimilarities({ docs, cosines });
  const hits = [39, 38].map(
    (id) => ({ match: { doc: { id }, own: [] }, total: 0 }) as unknown as RankedMatch,
  );
  fuseScores(hits, similarities);
  expect(hits[1]?.total).toBeGreaterThan(hits[0]?.total ?? 0);
});
