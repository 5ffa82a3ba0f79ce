import { startDetached } from './detach.ts';
import { WORKER_OPTIONS, workerProgram } from './installation.ts';

/** Exits at once if another worker is running. */
export function startWorker(): void {
  startDetached(process.execPath, [...WORKER_OPTIONS, workerProgram()]);
}

/** The same, unless the environment forbids it. */
export function wakeWorker(env: { startsNoWorker: boolean }): void {
  if (!env.startsNoWorker) startWorker();
}
