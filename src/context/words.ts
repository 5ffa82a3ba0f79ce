/** `1 event`, `2 events`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function formatAge(at: number, now: number): string {
  const minutes = Math.round((now - at) / 60_000);
  if (minutes < -24 * 60) return formatDay(at);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  return formatDay(at);
}

/** `today`, `3 days ago`, `5 months ago`. */
export function formatDaysAgo(at: number, now: number): string {
  const days = Math.floor((now - at) / 86_400_000);
  // The clock of another machine may be hours ahead; a date further ahead is wrong, or imported.
  if (days < -1) return `dated ${formatDay(at)}`;
  if (days < 1) return 'today';
  if (days < 60) return `${formatCount(days, 'day')} ago`;
  return days < 730 ? `${Math.round(days / 30)} months ago` : `${Math.round(days / 365)} years ago`;
}

/** In local time. */
export function formatDayAndTime(at: number): string {
  return `${formatDay(at)} ${formatTime(at)}`;
}

export function formatDay(at: number): string {
  const date = new Date(at);
  return [String(date.getFullYear()), two(date.getMonth() + 1), two(date.getDate())].join('-');
}

export function formatTime(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function formatTimeWithSeconds(at: number): string {
  return `${formatTime(at)}:${two(new Date(at).getSeconds())}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
