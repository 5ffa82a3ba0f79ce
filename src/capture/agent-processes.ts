import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from '../model/agent-event.ts';
import { listNames, makePrivateFolder, PRIVATE_FILE } from '../platform/files.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import {
  describeMachine,
  identifyProcess,
  isSameProcess,
  type ProcessIdentity,
  processState,
  skipShells,
} from '../platform/process-identity.ts';
import type { HookStore } from '../store/store.ts';
import type { SpoolIntake } from '../store/types/intake.ts';
import { redactValue } from './redact/redact-value.ts';
import { listSpool } from './spool.ts';

/**
 * The process of each session, one file per session: a session whose process has ended is ended at once. Sessions
 * without a file end after a period without events.
 */
interface AgentProcess extends ProcessIdentity {
  agent: string;
}

const VIA = 'process-gone';
/** Unlike spool files, which capture.sh reads, these may have underscores: some agents' ids do. */
const FILE_NAME = /^[\w-]{1,100}$/;

/** `pid`: the agent, which is the parent of the shell that runs its hooks. */
export function recordAgentProcess(
  { paths, log }: { paths: Paths; log: Log },
  { agent, agentSession, pid }: { agent: string; agentSession: string; pid: number },
): void {
  try {
    const identity = identifyProcess(skipShells(pid));
    if (!identity || !FILE_NAME.test(agentSession)) return;
    const record: AgentProcess = { agent, ...identity };
    makePrivateFolder(paths.agentProcesses);
    writeFileSync(join(paths.agentProcesses, agentSession), JSON.stringify(record), { mode: PRIVATE_FILE });
  } catch (error) {
    log.warn('process of the agent not recorded', { cause: describeError(error) });
  }
}

/**
 * The session that an agent's process began last: for a program that the agent started without passing its session,
 * such as an MCP server. `pid`: the parent of that program.
 */
export function findSessionOfProcess({ agentProcesses }: Paths, pid: number): string | undefined {
  const parent = identifyProcess(skipShells(pid));
  if (!parent) return undefined;
  const own = listNames(agentProcesses).flatMap((agentSession) => {
    const path = join(agentProcesses, agentSession);
    const record = readRecord(path);
    const begun = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    return record && begun !== undefined && isSameProcess(record, parent) ? [{ agentSession, begun }] : [];
  });
  return own.sort((a, b) => b.begun - a.begun)[0]?.agentSession;
}

/**
 * A killed process reports no session end, so the session gets one at the time of its last event to close its turn.
 * @returns how many sessions were ended.
 */
export function endGoneSessions({
  paths,
  log,
  now,
  store,
}: {
  paths: Paths;
  log: Log;
  now: () => number;
  store: Pick<HookStore, 'ingest' | 'openSessionLastSeen'>;
}): number {
  const sessions = listNames(paths.agentProcesses);
  if (sessions.length === 0) return 0;
  const here = describeMachine();
  const goneSessions = sessions.flatMap((agentSession) => {
    const record = readRecord(join(paths.agentProcesses, agentSession));
    return record && processState(record, here) === 'gone' ? [{ agentSession, agent: record.agent }] : [];
  });
  if (goneSessions.length === 0) return 0;
  let ended = 0;
  const waiting = listSpool(paths);
  for (const { agent, agentSession } of goneSessions) {
    const lastSeen = store.openSessionLastSeen(agent, agentSession);
    if (lastSeen !== null) {
      ended += store.ingest([redactValue(endOf(agent, agentSession, lastSeen))], now()).stored;
      log.info('session ended, its process is gone', { session: agentSession });
    }
    // Pending spool files may reopen its turn.
    if (!waiting.some((name) => name.startsWith(`${agentSession}.`)))
      rmSync(join(paths.agentProcesses, agentSession), { force: true });
  }
  return ended;
}

function readRecord(path: string): AgentProcess | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The file was removed meanwhile, or truncated by a full disk.
    return null;
  }
}

function endOf(agent: string, sessionId: string, at: number): SpoolIntake {
  const event: AgentEvent = { kind: 'session-end', sessionId, reason: 'process gone' };
  const spoolName = `${VIA}.${sessionId}.${at}`;
  return {
    ...{ name: spoolName, agent, hook: VIA, via: VIA, at },
    events: [{ agent, event, at, via: VIA, spoolName, priority: 'normal' }],
  };
}
