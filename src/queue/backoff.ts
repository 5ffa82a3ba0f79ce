const FIRST_MS = 15_000;
const LONGEST_MS = 10 * 60_000;

/** When to try again: twice as long each time, up to ten minutes, a little scattered so that nothing comes in waves. */
export function retryAt(attempts: number, now: number, random: () => number = Math.random): number {
  const wait = Math.min(FIRST_MS * 2 ** Math.max(0, attempts - 1), LONGEST_MS);
  return now + Math.round(wait * (0.75 + random() * 0.5));
}
