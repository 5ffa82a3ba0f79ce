import { expect, test } from 'vitest';
import { costsOfPrefixes, listNeighbours, typoCost, typoLimit } from './typo-cost.ts';

test.each([
  { typed: 'limitter', meant: 'limiter', isMeant: true },
  { typed: 'cahce', meant: 'cache', isMeant: true },
  { typed: 'midleware', meant: 'middleware', isMeant: true },
  { typed: 'socjet', meant: 'socket', isMeant: true },
  { typed: 'authentciaton', meant: 'authentication', isMeant: true },
  { typed: 'house', meant: 'mouse', isMeant: false },
  { typed: 'lost', meant: 'list', isMeant: false },
  { typed: 'port8080', meant: 'port8081', isMeant: false },
  { typed: 'api', meant: 'app', isMeant: false },
])('$typed is a typo of $meant: $isMeant', ({ typed, meant, isMeant }) => {
  expect(typoCost(typed, meant) <= typoLimit(typed.length)).toBe(isMeant);
});

test('likely mistakes cost less than unlikely ones', () => {
  const costs = ['socekt', 'sockt', 'sovket', 'sotket'].map((typed) => typoCost(typed, 'socket'));
  expect(costs[0]).toBeLessThan(costs[1] ?? 0);
  expect(costs[2]).toBeLessThan(costs[3] ?? 0);
  expect(typoCost('socket', 'socket')).toBe(0);
});

test('lists the keys around a letter', () => {
  expect([...listNeighbours('g')].sort().join('')).toBe('bfhtvy');
  expect(listNeighbours('1')).toBe('');
});

test('does not stop early at swapped letters of a short word', () => {
  const limit = typoLimit(4);
  expect(costsOfPrefixes('pnpm', 'pnmp', limit).at(-1)).toBe(typoCost('pnmp', 'pnpm'));
  expect(costsOfPrefixes('lock', 'zebr', limit)).toEqual([]);
});
