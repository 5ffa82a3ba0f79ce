import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
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
    if (!isMissing(error)) return false;
    makePrivateFolder(paths.startsGiven);
    createFile(mark);
    return true;
  }
}

function createFile(path: string): void {
  closeSync(openSync(path, 'wx', PRIVATE_FILE));
}
