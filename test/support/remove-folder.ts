import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const TRIES = 30;

/**
 * A process that is about to exit may still write there; the retries of rmSync cover only the folder where it failed.
 */
export async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (attempt === TRIES) throw error;
      await pause(100);
    }
  }
}
