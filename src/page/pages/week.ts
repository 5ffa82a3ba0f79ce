import type { Answer } from '../api/call.ts';
import { startOfDay } from '../parts/format.ts';

export type Period = Answer<'GET', '/api/period'>;
export type PeriodSession = Period['sessions'][number];

/** Seven days in the zone of the browser. */
export interface Week {
  /** Midnight of each, and of the day after. */
  days: number[];
  end: number;
  /** As in the address; null for the last seven days. */
  name: string | null;
}

const NAME = /^(\d{4})-(\d{2})$/;

/** `2026-46` is the week from Monday that ISO 8601 calls so; anything else means the last seven days. */
export function readWeek(name: string | null, now: number): Week {
  const [, year, number] = NAME.exec(name ?? '') ?? [];
  if (year === undefined || Number(number) < 1 || Number(number) > 53)
    return startWeek(addDays(startOfDay(now), -6), null);
  return startWeek(addDays(firstMonday(Number(year)), (Number(number) - 1) * 7), name);
}

/** The week, from Monday on, that lies so many weeks after this one. */
export function nameWeek(week: Week, step: number): string {
  const first = week.days[week.name === null ? 6 : 0] ?? week.end;
  return nameOf(addDays(first, step * 7));
}

/** By day; the session that taught most comes first. */
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

/** Days have 23 to 25 hours. */
function addDays(at: number, days: number): number {
  const date = new Date(at);
  return date.setDate(date.getDate() + days);
}

/** The first week of a year has its 4 January. */
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
