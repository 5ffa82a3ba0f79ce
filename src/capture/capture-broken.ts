import { existsSync, rmSync } from 'node:fs';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { redactValue } from './redact/redact-value.ts';

/** A hook that is called with nothing on stdin captures nothing: a sign that its wiring is broken. */
export interface BrokenCapture {
  agent: string;
  hook: string;
  at: number;
}

export function markCaptureBroken(paths: Paths, broken: BrokenCapture): void {
  writeAtomically(paths.captureBroken, JSON.stringify(redactValue(broken)));
}

/** The same hook delivered something later: it works again. */
export function markCaptureWorks(paths: Paths, { agent, hook, at }: BrokenCapture): void {
  const broken = captureBroken(paths);
  if (broken && broken.agent === agent && broken.hook === hook && broken.at <= at)
    rmSync(paths.captureBroken, { force: true });
}

export function captureBroken(paths: Paths): BrokenCapture | null {
  // Asked for every file of an intake, and almost never there: an error would cost ten times as much.
  if (!existsSync(paths.captureBroken)) return null;
  try {
    const text = readIfThere(paths.captureBroken);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
