import { existsSync, rmSync } from 'node:fs';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { VERSION } from '../platform/version.ts';
import { tryLock } from '../store/sqlite/lock.ts';

/** Long enough for a process that only checks for a worker and holds the lock briefly. */
const PATIENCE_MS = 250;

/** @returns a release function, or null if another worker holds the lock. */
export function lockWorker(paths: Paths): (() => void) | null {
  return tryLock(paths.workerLock, PATIENCE_MS);
}

/** The worker's note about itself, for people. Nothing uses the pid. */
export interface WorkerNote {
  pid: number;
  version: string;
  startedAt: number;
  /** The port of the local API; null if it is turned off or no port could be opened. */
  port: number | null;
}

export function writeWorkerNote(
  paths: Paths,
  { startedAt, port }: { startedAt: number; port: number | null },
): void {
  const note: WorkerNote = { pid: process.pid, version: VERSION, startedAt, port };
  writeAtomically(paths.workerNote, JSON.stringify(note));
}

/** The lock decides; a note without it is left from a worker that died. */
export function findRunningWorker(paths: Paths): Partial<WorkerNote> | null {
  if (!existsSync(paths.workerLock)) return null;
  const release = tryLockToLook(paths);
  if (release) {
    release();
    return null;
  }
  try {
    return JSON.parse(readIfThere(paths.workerNote) ?? '{}');
  } catch {
    return {};
  }
}

/** If the lock file cannot be opened, no worker can hold it. */
function tryLockToLook(paths: Paths): (() => void) | null {
  try {
    return tryLock(paths.workerLock);
  } catch {
    return () => {};
  }
}

export function requestStop(paths: Paths): void {
  writeAtomically(paths.stopWorker, '');
}

export function isStopRequested(paths: Paths): boolean {
  return existsSync(paths.stopWorker);
}

export function clearStopRequest(paths: Paths): void {
  rmSync(paths.stopWorker, { force: true });
}
