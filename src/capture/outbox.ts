import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isSessionFileName } from '../model/session.ts';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { redactValue } from './redact/redact-value.ts';

/** Something the person should hear at the next hook call, whichever it is; capture.sh looks for the file. */
export function putInOutbox(paths: Paths, notice: string): void {
  writeAtomically(paths.outbox, redactValue(notice));
}

export function takeFromOutbox(paths: Paths): string | null {
  return take(paths.outbox);
}

/** What one session should hear as soon as it can. */
export interface SessionMessage {
  /** For the model. */
  context: string;
  /** For the person. */
  notice: string;
}

/** What was not heard yet is replaced: it is older. */
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

/** Of several hooks at once only one gets it. */
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
