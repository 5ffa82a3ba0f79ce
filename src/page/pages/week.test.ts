import { expect, test } from 'vitest';
import { arrangeDays, nameWeek, readWeek } from './week.ts';

const at = (text: string) => new Date(text).getTime();
const MONDAY = at('2026-11-16T15:00');

test.each([
  { name: null, first: '2026-11-10', last: '2026-11-16' },
  { name: '2026-46', first: '2026-11-09', last: '2026-11-15' },
  { name: '2026-01', first: '2025-12-29', last: '2026-01-04' },
  { name: '2026-53', first: '2026-12-28', last: '2027-01-03' },
  { name: '2026-99', first: '2026-11-10', last: '2026-11-16' },
  { name: 'x', first: '2026-11-10', last: '2026-11-16' },
])('the week named $name', ({ name, first, last }) => {
  const { days } = readWeek(name, MONDAY);
  expect([days[0], days[6], days.length]).toEqual([at(`${first}T00:00`), at(`${last}T00:00`), 7]);
});

test.each([
  { name: null, before: '2026-46', after: '2026-48' },
  { name: '2026-01', before: '2025-52', after: '2026-02' },
  { name: '2026-53', before: '2026-52', after: '2027-01' },
])('the weeks before and after $name', ({ name, before, after }) => {
  const week = readWeek(name, MONDAY);
  expect([nameWeek(week, -1), nameWeek(week, 1)]).toEqual([before, after]);
});

test('sessions are listed on the day of their first memory, those with the most memories first', () => {
  const session = (id: number, when: string, count: number) => ({
    ...{ id, agent: 'codex', project: 'orchard', title: null, at: at(when) },
    ...{ firstSeen: 0, lastSeen: 0, endedAt: null, byType: [{ name: 'decision', count }] },
  });
  const sessions = [
    session(1, '2026-11-10T00:00', 2),
    session(2, '2026-11-10T23:59', 5),
    session(3, '2026-11-16T12:00', 1),
    session(4, '2026-11-17T00:00', 1),
  ];
  expect(arrangeDays(readWeek(null, MONDAY), sessions).map((day) => day.map(({ id }) => id))).toEqual([
    ...[[2, 1], [], [], [], [], [], [3]],
  ]);
});
