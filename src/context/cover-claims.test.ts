import { expect, test } from 'vitest';
import type { Claim } from '../indexing/claims.ts';
import { coverClaims } from './cover-claims.ts';

const claim = (position: number, text: string): Claim => ({ position, text });
const long = 'x'.repeat(500);
const memories: Record<number, Claim[]> = {
  1: [claim(1, long)],
  2: [claim(1, 'The pool has ten connections.'), claim(2, 'Each job takes one.'), claim(3, 'None is left.')],
  3: [claim(1, 'Restart nginx last.')],
};

function cover(...found: [memoryId: number, position: number, score: number][]) {
  const claims = found.map(([memoryId, position, score]) => ({ memoryId, position, score, reasons: [] }));
  return coverClaims(claims, (id) => memories[id] ?? []).map(({ memoryId, position, score }) => [
    ...[memoryId, position],
    Number(score.toFixed(2)),
  ]);
}

test('ranks a claim with good neighbours before a better one alone, and the neighbours last', () => {
  expect(cover([1, 1, 5], [2, 1, 4.8], [2, 2, 4.7], [2, 3, 4.6], [3, 1, 3])).toEqual([
    [2, 1, 0.66],
    [1, 1, 0.3],
    [3, 1, 0.04],
    [2, 2, 0],
    [2, 3, 0],
  ]);
});

test('keeps a far better claim first', () => {
  expect(cover([1, 1, 9], [2, 1, 4.8], [2, 2, 4.7])).toEqual([
    [1, 1, 0.97],
    [2, 1, 0.03],
    [2, 2, 0],
  ]);
});

test('treats a claim that its memory no longer has as one without neighbours', () => {
  expect(cover([3, 7, 1])).toEqual([[3, 7, 1]]);
  expect(cover()).toEqual([]);
});
