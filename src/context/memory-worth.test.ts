import { expect, test } from 'vitest';
import type { Freshness } from '../recall/freshness.ts';
import { freshnessPenalty, freshnessWeight } from './memory-worth.ts';

/** From the freshest to the stalest. */
const STATES: Freshness[] = [
  freshness('unchanged'),
  freshness('changed', true),
  freshness('changed'),
  freshness('gone'),
];

test('a staler memory has a lower weight and a higher penalty', () => {
  for (const rate of [
    freshnessWeight,
    (state: Freshness) => -freshnessPenalty(state, 'start'),
    (state: Freshness) => -freshnessPenalty(state, 'file'),
  ]) {
    const values = STATES.map(rate);
    expect(values).toEqual(values.toSorted((x, y) => y - x));
    expect(new Set(values).size).toBe(4);
  }
  expect(freshnessWeight(freshness('unknown'))).toBe(freshnessWeight(freshness('unchanged')));
});

function freshness(state: Freshness['state'], namesRemain = false): Freshness {
  return { state, namesRemain, changed: [], gone: [] };
}
