import { setTimeout as pause } from 'node:timers/promises';

const LONGEST_WAIT_MS = 60_000;

/** Waits for something in the background. @returns the first answer that is not undefined. */
export async function until<T>(what: string, ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const giveUpAt = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > giveUpAt) throw new Error(`waited in vain: ${what}`);
    await pause(100);
  }
}
