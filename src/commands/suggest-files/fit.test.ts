import { expect, test } from 'vitest';
import { buildFits, buildFitsWithGaps, scoreWithGaps } from './fit.ts';
import { joinPaths } from './path-list.ts';

const scope = { start: '\\0', holds: () => '' };

function worthOf(path: string, query: string): number | null {
  const isPath = query.includes('/');
  const fits = ({ pattern }: { pattern: string }) => new RegExp(pattern).test(joinPaths([path]));
  const whole = buildFits(query, isPath, scope).find(fits);
  if (whole) return whole.worth;
  return buildFitsWithGaps(query, isPath, scope).some(fits) ? scoreWithGaps(path, query, isPath) : null;
}

/** The paths of each row are ordered by how well they must match. */
const orders = [
  {
    query: 'store',
    paths: [
      'src/store.ts',
      'src/storefront.ts',
      'src/memory-store.ts',
      'src/restore.ts',
      'store/open.ts',
      'bookstore/a.ts',
    ],
  },
  { query: 'mst', paths: ['src/memory-store.ts', 'src/mist.ts', 'src/models/history.ts'] },
  { query: 'store', paths: ['src/store.ts', 'src/memoryStore.ts', 'src/restore.ts'] },
  { query: 'ums', paths: ['src/useMemoryStore.tsx', 'ui/makes/a.ts'] },
  { query: 'src/st', paths: ['src/store.ts', 'app/src/store.ts', 'mysrc/store.ts', 'src/agents/store.ts'] },
  { query: 'inst', paths: ['install.ts', 'src/i/n/s/t.ts'] },
  { query: 'store', paths: ['src/store/', 'src/store/open.ts'] },
];

test.each(orders)('$query', ({ query, paths }) => {
  const scores = paths.map((path) => worthOf(path, query) ?? -1);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(new Set(scores).size).toBe(paths.length);
  for (const score of scores) expect(score).toBeGreaterThan(0);
});

test.each([
  { path: 'src/store.ts', query: 'x' },
  { path: 'src/store.ts', query: 'tsx' },
  { path: '', query: 'a' },
])('$query does not match $path', ({ path, query }) => expect(worthOf(path, query)).toBe(null));

test('a full name gets the maximum score', () => {
  expect(['src/store.ts', 'src/store/', 'store'].map((path) => worthOf(path, 'store'))).toEqual([1, 1, 1]);
});
