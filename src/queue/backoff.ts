const FIRST_MS = 15_000;
const LONGEST_MS = 10 * 60_000;

/** Exponential backoff up to ten minutes, with jitter. */
export function retryAt(attempts: number, now: number, random: () => number = Math.random): number {
  const wait = Math.min(FIRST_MS * 2 ** Math.max(0, attempts - 1), LONGEST_MS);
  return now + Math.round(wait * (0.75 + random() * 0.5));
}
