import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listFilesBelow } from '../../platform/files.ts';
import { readFirstBytes } from '../../platform/lines.ts';
import type { AgentHome, SessionTranscripts } from '../agent.ts';
import { fileAt, groupBySession } from '../transcript-files.ts';
import { configFolder } from './config-folder.ts';

const HEAD_BYTES = 64 * 1024;
/** `rollout-2026-11-15T18-17-53-<id>.jsonl`, in a folder per day. */
const ROLLOUT = /^rollout-.+?-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/;

export function transcriptsFolder(home: AgentHome): string {
  return join(configFolder(home), 'sessions');
}

/** Every session in that folder; those of subagents are part of another. */
export function findTranscripts(folder: string): SessionTranscripts[] {
  const paths = existsSync(folder) ? listFilesBelow(folder) : [];
  return groupBySession(
    paths.flatMap((path) => {
      const sessionId = ROLLOUT.exec(basename(path))?.[1];
      const file = sessionId === undefined || isOfSubagent(path) ? undefined : fileAt(path);
      return sessionId !== undefined && file ? [{ sessionId, file }] : [];
    }),
  );
}

function isOfSubagent(path: string): boolean {
  try {
    return /"(?:thread_)?source"\s*:\s*(?:\{\s*)?"sub_?agent/i.test(readFirstBytes(path, HEAD_BYTES));
  } catch {
    return false;
  }
}
