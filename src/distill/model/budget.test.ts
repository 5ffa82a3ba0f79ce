import { expect, test } from 'vitest';
import { checkBudget, startOfDay } from './budget.ts';

const settings = { 'model.dailyCalls': 10, 'model.dailyTokens': 1_000 };
const noon = new Date(2026, 10, 15, 12).getTime();
const midnight = new Date(2026, 10, 16).getTime();

test.each([
  ['nothing used', { calls: 0, tokens: 0 }, { ok: true }],
  ['one call left', { calls: 9, tokens: 999 }, { ok: true }],
  [
    'no call left',
    { calls: 10, tokens: 0 },
    { ok: false, why: '10 calls a day are spent (model.dailyCalls)', until: midnight },
  ],
  [
    'no tokens left',
    { calls: 1, tokens: 1_200 },
    { ok: false, why: '1000 tokens a day are spent (model.dailyTokens)', until: midnight },
  ],
])('%s', (_name, used, expected) => {
  expect(checkBudget(used, settings, noon)).toEqual(expected);
});

test('a day begins at midnight by the clock on the wall', () => {
  expect(startOfDay(noon)).toBe(new Date(2026, 10, 15).getTime());
  expect(startOfDay(midnight)).toBe(midnight);
  expect(startOfDay(midnight - 1)).toBe(startOfDay(noon));
});
