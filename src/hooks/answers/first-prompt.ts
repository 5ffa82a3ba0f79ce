import { closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMissing, makePrivateFolder, PRIVATE_FILE } from '../../platform/files.ts';
import type { AnswerCall } from './answer-call.ts';

/**
 * Whether this prompt gets the session's start context: true once per session, for agents that accept none at the
 * start or may lose it. A file records it, because the previous prompt may still be in the spool.
 */
export function claimStartWithPrompt({ agent, event, paths }: AnswerCall): boolean {
  const { start, startMayBeLost } = agent.context;
  if ((start && !startMayBeLost) || event.subagent) return false;
  const mark = join(paths.startsGiven, event.sessionId.replace(/[^\w-]/g, '-').slice(0, 100));
  try {
    createFile(mark);
    return true;
  } catch (error) {
    return isMissing(error) && createInNewFolder(mark);
  }
}

/** False if it cannot be written: the context would be given with every prompt. */
function createInNewFolder(mark: string): boolean {
  try {
    makePrivateFolder(dirname(mark));
    createFile(mark);
    return true;
  } catch {
    return false;
  }
}

function createFile(path: string): void {
  closeSync(openSync(path, 'wx', PRIVATE_FILE));
}
