import { startDetached } from './detach.ts';
import { WORKER_OPTIONS, workerProgram } from './installation.ts';

/** Starts a worker, which exits at once if another one is running. */
export function startWorker(): void {
  startDetached(process.execPath, [...WORKER_OPTIONS, workerProgram()]);
}

/** Starts a worker unless the environment forbids it. */
export function wakeWorker(env: { startsNoWorker: boolean }): void {
  if (!env.startsNoWorker) startWorker();
}
