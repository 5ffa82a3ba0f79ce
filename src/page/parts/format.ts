const DAY_MS = 86_400_000;

const numbers = new Intl.NumberFormat('en');
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const clockWithSeconds = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' });
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' });

export const formatNumber = (value: number): string => numbers.format(value);
export const formatClock = (at: number): string => clock.format(at);
/** `09:10 – 11:02`, or a single time if both are the same. */
export function formatSpan(from: number, to: number): string {
  const [start, end] = [formatClock(from), formatClock(to)];
  return start === end && to - from < DAY_MS ? start : `${start} – ${end}`;
}
export const formatFullTime = (at: number): string => whole.format(at);
export const formatLongDay = (at: number): string => dayAndMonth.format(at);

/** `1 memory`, `3 memories`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${formatNumber(amount)} ${amount === 1 ? one : many}`;
}

/** Midnight at the start of that day, in the browser's time zone. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** `Today`, `Yesterday`, `Saturday`, `3 Nov`, `3 Nov 2025`. */
export function formatDay(at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days > 1 && days < 7) return dayAndMonth.format(at).split(' ')[0] ?? '';
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return isThisYear ? shortDay.format(at) : `${shortDay.format(at)} ${new Date(at).getFullYear()}`;
}

/** For use within a sentence: `today`, `Saturday`, `3 Nov`. */
export function formatDayInText(at: number, now: number): string {
  return formatDay(at, now).replace(/^(?:Today|Yesterday)$/, (day) => day.toLowerCase());
}

/** `today 13:58`, `3 Nov 11:02`. */
export function formatMoment(at: number, now: number): string {
  return `${formatDayInText(at, now)} ${formatClock(at)}`;
}

/** With seconds, because lines of a log are close together. */
export function formatLogTime(at: number, now: number): string {
  return formatMoment(at, now).replace(formatClock(at), clockWithSeconds.format(at));
}

/** `48 s`, `12 min`, `3 h`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 360) / 10} h`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(0)} kB`;
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

/** Defined by the build; the list of agents itself is too large for the page. */
declare const CAIRN_AGENT_NAMES: Record<string, string> | undefined;

/** Falls back to the id for an agent that Cairn does not know, such as one of an imported memory: `Some Agent`. */
export function agentName(id: string): string {
  const names = typeof CAIRN_AGENT_NAMES === 'undefined' ? {} : CAIRN_AGENT_NAMES;
  return names[id] ?? id.replace(/(?:^|-)(\w)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
}

/** For the square before a name. Splits by code point, because a letter or emoji may have two UTF-16 units. */
export function firstLetter(name: string): string {
  return [...name.trim()][0] ?? '';
}
