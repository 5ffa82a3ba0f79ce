import { UsageError } from '../support/command.ts';

/** Parses a day in local time. */
export function parseSince(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const at = new Date(isDay ? `${value}T00:00:00` : value).getTime();
  if (Number.isNaN(at)) throw new UsageError(`--since takes a date such as 2026-01-31, not "${value}".`);
  return at;
}
