import type { Answer } from '../api/call.ts';
import { startOfDay } from '../parts/format.ts';

export type Period = Answer<'GET', '/api/period'>;
export type PeriodSession = Period['sessions'][number];

/** Seven days in the browser's time zone. */
export interface Week {
  /** Midnight at the start of each day. */
  days: number[];
  end: number;
  /** The name in the address; null for the last seven days. */
  name: string | null;
}

const NAME = /^(\d{4})-(\d{2})$/;

/** `2026-46` is an ISO 8601 week, which starts on Monday. Anything else means the last seven days. */
export function readWeek(name: string | null, now: number): Week {
  const [, year, number] = NAME.exec(name ?? '') ?? [];
  if (year === undefined || Number(number) < 1 || Number(number) > 53)
    return startWeek(addDays(startOfDay(now), -6), null);
  return startWeek(addDays(firstMonday(Number(year)), (Number(number) - 1) * 7), name);
}

/** The name of the week that is `step` weeks after this one. */
export function nameWeek(week: Week, step: number): string {
  const first = week.days[week.name === null ? 6 : 0] ?? week.end;
  return nameOf(addDays(first, step * 7));
}

/** Groups sessions by day. The session with the most memories comes first. */
export function arrangeDays(week: Week, sessions: PeriodSession[]): PeriodSession[][] {
  return week.days.map((day, index) => {
    const end = week.days[index + 1] ?? week.end;
    return sessions
      .filter(({ at }) => at >= day && at < end)
      .sort((one, other) => countMemories(other) - countMemories(one));
  });
}

export function countMemories({ byType }: PeriodSession): number {
  return byType.reduce((sum, { count }) => sum + count, 0);
}

function startWeek(first: number, name: string | null): Week {
  const days = [0, 1, 2, 3, 4, 5, 6].map((day) => addDays(first, day));
  return { days, end: addDays(first, 7), name };
}

/** Adds calendar days, which have 23 to 25 hours. */
function addDays(at: number, days: number): number {
  const date = new Date(at);
  return date.setDate(date.getDate() + days);
}

/** The first week of a year contains 4 January. */
function firstMonday(year: number): number {
  const fourth = new Date(year, 0, 4).getTime();
  return addDays(fourth, -daysSinceMonday(fourth));
}

function daysSinceMonday(at: number): number {
  return (new Date(at).getDay() + 6) % 7;
}

function nameOf(at: number): string {
  const monday = addDays(startOfDay(at), -daysSinceMonday(at));
  const year = new Date(addDays(monday, 3)).getFullYear();
  const number = Math.round((monday - firstMonday(year)) / (7 * 86_400_000)) + 1;
  return `${year}-${String(number).padStart(2, '0')}`;
}
