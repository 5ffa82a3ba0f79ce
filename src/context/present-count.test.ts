import { expect, it } from 'vitest';
import { cutNewest, describeCount, describeHidden } from './present-count.ts';

const unit = (limit: number) => `--limit ${limit}`;

it.each([
  { hidden: { shown: 1, more: 0, weaker: 0 }, count: '1 hit', says: [] },
  {
    hidden: { shown: 10, more: 7, weaker: 0 },
    count: '10 of 17 hits',
    says: ['10 of 17 hits. To see all, add --limit 17'],
  },
  {
    hidden: { shown: 10, more: 80, weaker: 0 },
    count: '10 of 90 hits',
    says: ['10 of 90 hits. To see 50, add --limit 50'],
  },
  {
    hidden: { shown: 50, more: 40, weaker: 0 },
    count: '50 of 90 hits',
    says: ['50 of 90 hits. Add words or operators to see others.'],
  },
  {
    hidden: { shown: 10, more: 991, weaker: 0 },
    count: '10 of more than 1,000 hits',
    says: ['10 of more than 1,000 hits. To see 50, add --limit 50'],
  },
  {
    hidden: { shown: 3, more: 0, weaker: 1 },
    count: '3 hits',
    says: ['1 weaker hit is hidden. To see it, add --limit 4'],
  },
  {
    hidden: { shown: 3, more: 0, weaker: 5 },
    count: '3 hits',
    says: ['5 weaker hits are hidden. To see them, add --limit 8'],
  },
])('$count: $says', ({ hidden, count, says }) => {
  expect(describeCount(hidden.shown, hidden.more)).toBe(count);
  expect(describeHidden(hidden, unit, 50)).toEqual(says);
});

it('has no highest limit unless there is one', () => {
  const all = { shown: 10, more: 80, weaker: 0 };
  expect(describeHidden(all, unit)).toEqual(['10 of 90 hits. To see all, add --limit 90']);
  const uncounted = { shown: 10, more: 991, weaker: 0 };
  expect(describeHidden(uncounted, unit)).toEqual([
    '10 of more than 1,000 hits. To see 100, add --limit 100',
  ]);
});

it.each([
  { read: 2, most: 50, remark: [] },
  { read: 3, most: 50, remark: ['These are the newest 2. To see more, add --limit 4'] },
  { read: 3, most: 2, remark: ['These are the newest 2. Older ones are not shown.'] },
])('a list of two, of which $read were read', ({ read, most, remark }) => {
  const list = Array.from({ length: read }, (_, at) => at);
  expect(cutNewest(list, 2, unit, most)).toEqual({ shown: [0, 1], remark });
});
