import { existsSync, rmSync } from 'node:fs';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { redactValue } from './redact/redact-value.ts';

/** A hook that gets an empty stdin captures nothing: its wiring is broken. */
export interface BrokenCapture {
  agent: string;
  hook: string;
  at: number;
}

/** A single empty call may come from a session that was just killed, or from a person running the command. */
const ENOUGH = 2;
/** After this time the note no longer applies. */
const LONGEST_MS = 86_400_000;

/** Counts the empty calls of one agent since its last event. */
export function markCaptureBroken(paths: Paths, broken: BrokenCapture): void {
  const before = read(paths);
  const isMore = before !== null && before.agent === broken.agent && broken.at - before.at < LONGEST_MS;
  const count = (isMore ? before.count : 0) + 1;
  writeAtomically(paths.captureBroken, JSON.stringify(redactValue({ ...broken, count })));
}

/** Removes the note if the same agent has delivered an event since. */
export function markCaptureWorks(paths: Paths, { agent, at }: BrokenCapture): void {
  const broken = read(paths);
  if (broken && broken.agent === agent && broken.at <= at) clearCaptureBroken(paths);
}

export function clearCaptureBroken(paths: Paths): void {
  rmSync(paths.captureBroken, { force: true });
}

/** Null unless empty calls were repeated, the last one within a day. */
export function readBrokenCapture(paths: Paths, now = Date.now()): BrokenCapture | null {
  const found = read(paths);
  if (!found || found.count < ENOUGH || now - found.at > LONGEST_MS) return null;
  const { agent, hook, at } = found;
  return { agent, hook, at };
}

function read(paths: Paths): (BrokenCapture & { count: number }) | null {
  // Checked for every spool file and almost never present; an exception would cost ten times as much.
  if (!existsSync(paths.captureBroken)) return null;
  try {
    return JSON.parse(readIfThere(paths.captureBroken) ?? 'null');
  } catch {
    return null;
  }
}
