import { expect, it } from 'vitest';
import { formatAge, formatDaysAgo } from './words.ts';

const NOW = new Date(2026, 10, 10, 14).getTime();
const HOUR = 3_600_000;

it.each([
  { at: NOW - 26 * HOUR, ago: '1 day ago', age: '2026-11-09' },
  { at: NOW - HOUR, ago: 'today', age: '1 h ago' },
  // The clock of another machine.
  { at: NOW + HOUR, ago: 'today', age: 'just now' },
  { at: new Date(2030, 0, 2).getTime(), ago: 'dated 2030-01-02', age: '2030-01-02' },
])('$ago', ({ at, ago, age }) => {
  expect(formatDaysAgo(at, NOW)).toBe(ago);
  expect(formatAge(at, NOW)).toBe(age);
});
