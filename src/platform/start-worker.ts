import { startDetached } from './detach.ts';
import { workerProgram } from './installation.ts';

/** One that finds another worker running ends at once. */
export function startWorker(): void {
  startDetached(process.execPath, [workerProgram()]);
}

/** The same, unless the environment forbids it. */
export function wakeWorker(env: { startsNoWorker: boolean }): void {
  if (!env.startsNoWorker) startWorker();
}
