import { appendFileSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redactValue } from '../capture/redact/redact-value.ts';
import { makePrivateFolder, PRIVATE_FILE, readIfThere } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';

/**
 * Counts consecutive failed spool writes, one line each, in the home or, if that is not writable, in a folder of the
 * person outside it. capture.sh empties both files on success.
 */
export interface FailureStreak {
  count: number;
  cause: string;
  /** True for exactly one hook of a streak. */
  isReportDue: boolean;
}

export function recordFailure(
  paths: Paths,
  causeInFull: string,
  { threshold, runtimeDir }: { threshold: number; runtimeDir: string },
): FailureStreak {
  const cause = redactValue(causeInFull).replaceAll('\n', ' ');
  for (const file of placesFor(paths, runtimeDir)) {
    try {
      const before = countIn(file);
      if (before === 0) rmSync(reportedMark(file), { force: true });
      makePrivateFolder(dirname(file));
      appendFileSync(file, `${cause}\n`, { mode: PRIVATE_FILE });
      const count = before + 1;
      return { count, cause, isReportDue: count >= threshold && claimReport(file) };
    } catch {
      // Not writable: try the next folder.
    }
  }
  return { count: 1, cause, isReportDue: threshold <= 1 };
}

export function clearFailures(paths: Paths, runtimeDir: string): void {
  for (const file of placesFor(paths, runtimeDir)) {
    if (countIn(file) === 0) continue;
    rmSync(file, { force: true });
    rmSync(reportedMark(file), { force: true });
  }
}

export function countFailures(paths: Paths, runtimeDir: string): { count: number; cause: string } {
  for (const file of placesFor(paths, runtimeDir)) {
    const lines = linesIn(file);
    const cause = lines.at(-1);
    if (cause) return { count: lines.length, cause };
  }
  return { count: 0, cause: '' };
}

export function formatFailureMessage({ count, cause }: FailureStreak): string {
  return `Cairn could not keep the last ${count} events of this agent: ${cause}. Run: cairn doctor`;
}

function placesFor(paths: Paths, runtimeDir: string): string[] {
  const own = join(runtimeDir, `cairn-${process.getuid?.() ?? 'user'}`, 'failures');
  return isSafe(dirname(own)) ? [paths.failures, own] : [paths.failures];
}

/** Rejects a folder that another user prepared in a shared place. */
function isSafe(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return !stats || (stats.isDirectory() && (!process.getuid || stats.uid === process.getuid()));
}

function countIn(file: string): number {
  return linesIn(file).length;
}

function linesIn(file: string): string[] {
  try {
    return (readIfThere(file) ?? '').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

function claimReport(file: string): boolean {
  try {
    writeFileSync(reportedMark(file), '', { flag: 'wx', mode: PRIVATE_FILE });
    return true;
  } catch {
    return false;
  }
}

function reportedMark(file: string): string {
  return `${file}.told`;
}
