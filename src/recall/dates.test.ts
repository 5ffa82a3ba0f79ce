import { describe, expect, it } from 'vitest';
import { findSpan } from './dates.ts';

/** A Monday. */
const NOW = new Date(2026, 5, 15, 12).getTime();
const days = (...ends: [number, number, number][]) =>
  ends.map(([year, month, date]) => new Date(year, month - 1, date).getTime());

describe('findSpan', () => {
  const cases: { text: string; span: number[]; rest?: string }[] = [
    { text: 'what happened on 8 May 2023', span: days([2023, 5, 8], [2023, 5, 9]) },
    { text: 'what happened on May 8th, 2023', span: days([2023, 5, 8], [2023, 5, 9]) },
    { text: 'what happened on 2023-05-08', span: days([2023, 5, 8], [2023, 5, 9]) },
    { text: 'plans in May 2023', span: days([2023, 5, 1], [2023, 6, 1]), rest: 'plans in ' },
    { text: 'plans in May', span: days([2026, 5, 1], [2026, 6, 1]) },
    { text: 'plans in December', span: days([2025, 12, 1], [2026, 1, 1]) },
    { text: 'plans in 2023', span: days([2023, 1, 1], [2024, 1, 1]) },
    { text: 'what did we do yesterday', span: days([2026, 6, 14], [2026, 6, 15]) },
    { text: 'what broke last week', span: days([2026, 6, 8], [2026, 6, 15]) },
    { text: 'what broke this month', span: days([2026, 6, 1], [2026, 7, 1]) },
    { text: 'released two weeks ago', span: days([2026, 6, 1], [2026, 6, 8]) },
    { text: 'released 3 days ago', span: days([2026, 6, 12], [2026, 6, 13]) },
    { text: 'lambda fixes in summer 2023', span: days([2023, 6, 1], [2023, 9, 1]) },
    { text: 'what changed last autumn', span: days([2025, 9, 1], [2025, 12, 1]) },
    { text: 'router work in the last week', span: [...days([2026, 6, 8]), NOW] },
    { text: 'the bug on Friday', span: days([2026, 6, 12], [2026, 6, 13]) },
    { text: 'last Monday', span: days([2026, 6, 8], [2026, 6, 9]) },
  ];
  it.each(cases)('$text', ({ text, span, rest }) => {
    const found = findSpan(text, NOW);
    expect([found.span?.from, found.span?.to]).toEqual(span);
    if (rest !== undefined) expect(found.rest.trimEnd()).toBe(rest.trimEnd());
  });

  it.each([
    { text: 'encode work at the end of July', from: [2026, 6, 21] },
    { text: 'vim mode in early 2024', from: [2024, 0, 1] },
    { text: 'proxies in mid 2020', from: [2020, 4, 1] },
    { text: 'released mid-2020', from: [2020, 4, 1] },
  ])('$text: a third of it', ({ text, from: [year = 0, month = 0, date = 0] }) => {
    const span = findSpan(text, new Date(2026, 7, 15).getTime()).span;
    expect(Math.abs((span?.from ?? 0) - new Date(year, month, date).getTime())).toBeLessThan(3 * 86_400_000);
  });

  it.each(['it may break', 'march on', 'version 2023 of it', 'the second week', 'port 2026', ''])(
    '%s: no time',
    (text) => {
      expect(findSpan(text, NOW)).toEqual({ span: null, rest: text });
    },
  );
});
