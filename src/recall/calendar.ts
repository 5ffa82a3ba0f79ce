/** A span of time, from its first moment up to, not including, its last. */
export interface Span {
  from: number;
  to: number;
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

export function spanOfDay(year: string | undefined, month: number, day: string | undefined): Span | null {
  if (month < 0 || month > 11 || Number(day) < 1 || Number(day) > 31) return null;
  return days(new Date(Number(year), month, Number(day)), 1);
}

function days(first: Date, count: number): Span {
  const end = new Date(first);
  end.setDate(end.getDate() + count);
  return { from: first.getTime(), to: end.getTime() };
}

export function spanOfMonth(year: number, month: number): Span | null {
  if (month < 0 || month > 11) return null;
  return { from: new Date(year, month, 1).getTime(), to: new Date(year, month + 1, 1).getTime() };
}

export function spanOfYears(year: number, count: number): Span {
  return { from: new Date(year, 0, 1).getTime(), to: new Date(year + count, 0, 1).getTime() };
}

function midnight(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate());
}

export function spanOfDaysAgo(ago: number, count: number, now: Date): Span {
  const first = midnight(now);
  first.setDate(first.getDate() - ago);
  return days(first, count);
}

/** The last time that day occurred. */
export function spanOfLastDay(month: number, day: string | undefined, now: Date): Span | null {
  const year = now.getFullYear();
  const here = spanOfDay(String(year), month, day);
  return here && here.from > now.getTime() ? spanOfDay(String(year - 1), month, day) : here;
}

export function spanOfLastMonth(month: number, now: Date): Span | null {
  return spanOfMonth(now.getFullYear() - (month > now.getMonth() ? 1 : 0), month);
}

export function spanOfUnitsAgo(count: number, unit: string | undefined, now: Date): Span | null {
  if (unit === 'day') return spanOfDaysAgo(count, 1, now);
  if (unit === 'week') return spanOfDaysAgo(((now.getDay() + 6) % 7) + count * 7, 7, now);
  if (unit === 'month')
    return spanOfMonth(
      new Date(now.getFullYear(), now.getMonth() - count, 1).getFullYear(),
      (((now.getMonth() - count) % 12) + 12) % 12,
    );
  return spanOfYears(now.getFullYear() - count, 1);
}

export function spanSince(count: number, unit: string | undefined, now: Date): Span {
  const from = midnight(now);
  if (unit === 'day') from.setDate(from.getDate() - count);
  else if (unit === 'week') from.setDate(from.getDate() - count * 7);
  else if (unit === 'month') from.setMonth(from.getMonth() - count);
  else from.setFullYear(from.getFullYear() - count);
  return { from: from.getTime(), to: now.getTime() };
}

export function spanOfLastWeekday(name: string | undefined, now: Date): Span {
  const wanted = DAYS.indexOf((name ?? '').slice(0, 3).toLowerCase());
  const ago = (now.getDay() - wanted + 7) % 7 || 7;
  return spanOfDaysAgo(ago, 1, now);
}

/** Seasons of the northern hemisphere; winter begins in December. */
export function spanOfSeason(year: number, season = ''): Span | null {
  const first = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 }[season.toLowerCase()];
  if (first === undefined) return null;
  return { from: new Date(year, first, 1).getTime(), to: new Date(year, first + 3, 1).getTime() };
}

export function spanOfLastSeason(season: string | undefined, now: Date): Span | null {
  const here = spanOfSeason(now.getFullYear(), season);
  return here && here.from > now.getTime() ? spanOfSeason(now.getFullYear() - 1, season) : here;
}

/** The beginning, middle or end of a span. */
export function thirdOfSpan({ from, to }: Span, word: string): Span {
  const length = (to - from) / 3;
  const part = /^(?:early|beginning|start)$/i.test(word) ? 0 : /^(?:mid|middle)$/i.test(word) ? 1 : 2;
  return { from: from + part * length, to: from + (part + 1) * length };
}
