import type { Settings } from '../config/settings.ts';
import type { Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import type { HookStore } from '../store/store.ts';

export interface MemoryOptions {
  paths: Paths;
  settings: Settings;
  log: Log;
  now: () => number;
  /** Starts the worker, which does the remaining jobs. */
  wakeWorker: () => void;
}

/** Wakes the worker if spool files or jobs are left, such as those of a killed worker or for a model. */
export function wakeForPendingJobs(
  { wakeWorker }: MemoryOptions,
  store: Pick<HookStore, 'findNextJobTime'>,
  { left = 0, kinds = ['distil'], dueBy = Number.POSITIVE_INFINITY } = {},
): void {
  const next = left > 0 ? 0 : store.findNextJobTime(kinds);
  if (next !== null && next <= dueBy) wakeWorker();
}
