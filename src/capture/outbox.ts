import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isSessionFileName } from '../model/session.ts';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { redactValue } from './redact/redact-value.ts';

/** Stores a message that the next hook call of any kind shows to the person; capture.sh checks for the file. */
export function putInOutbox(paths: Paths, notice: string): void {
  writeAtomically(paths.outbox, redactValue(notice));
}

export function takeFromOutbox(paths: Paths): string | null {
  return take(paths.outbox);
}

/** Messages for one session. */
export interface SessionMessage {
  context: string;
  notice: string;
}

/** Replaces an older message that was not delivered. */
export function putInSessionOutbox(paths: Paths, agentSession: string, word: SessionMessage): void {
  if (isSessionFileName(agentSession))
    writeAtomically(join(paths.outboxFor, agentSession), JSON.stringify(redactValue(word)));
}

export function takeFromSessionOutbox(paths: Paths, agentSession: string): SessionMessage | null {
  const text = isSessionFileName(agentSession) ? take(join(paths.outboxFor, agentSession)) : null;
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the message to only one of several concurrent hooks. */
function take(file: string): string | null {
  const mine = `${file}.${process.pid}`;
  try {
    renameSync(file, mine);
    const text = readIfThere(mine);
    rmSync(mine, { force: true });
    return text;
  } catch {
    return null;
  }
}
