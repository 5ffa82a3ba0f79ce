import { UsageError } from '../support/command.ts';

/** Parses a day in local time. */
export function parseSince(given: unknown): number | undefined {
  if (typeof given !== 'string') return undefined;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(given);
  const at = new Date(isDay ? `${given}T00:00:00` : given).getTime();
  if (Number.isNaN(at)) throw new UsageError(`--since takes a date such as 2026-01-31, not "${given}".`);
  return at;
}
