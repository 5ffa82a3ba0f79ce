import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const TRIES = 30;

/** A process that is about to end may still write there; rmSync by itself tries again only the folder it failed at. */
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
