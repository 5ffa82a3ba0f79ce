import { drain } from '../../capture/drain.ts';
import { listSpool } from '../../capture/spool.ts';
import { followEvents } from '../../continuity/follow.ts';
import { applyAllEdits, mirrorWorkItems } from '../../continuity/mirror/mirror.ts';
import { findCurrentWorkItem } from '../../continuity/work-items/current-work-item.ts';
import { openWorkItem, switchSession } from '../../continuity/work-items/work-items.ts';
import { cleanText } from '../../curation/clean-text.ts';
import { findWorkPlace, locate } from '../../memory/locate.ts';
import { isReadable } from '../../memory/memory-error.ts';
import { shorten } from '../../model/shorten.ts';
import type { WorkItem } from '../../model/work.ts';
import { describeError } from '../../platform/log.ts';
import { NO_SESSION, type ToolContext } from './tool.ts';
import { ToolError } from './tool-error.ts';

const LONGEST_WAIT_MS = 1_500;

/** Applies captured events and edited files before a tool uses work items, and mirrors its changes. */
export async function changeWorkItems<T>(
  call: ToolContext,
  act: (call: ToolContext) => T | Promise<T>,
): Promise<T> {
  const { store, log, now, folder } = call;
  ingestAll(call);
  try {
    followEvents(store, { log, now: now() });
    applyAllEdits(call);
  } catch (error) {
    // Work items stay readable while another process writes, or if nothing can be written. A change reports its own
    // error.
    if (!isReadable(error)) throw error;
    log.warn('work items not updated', { cause: describeError(error) });
  }
  try {
    return await act(call.project ? call : { ...call, ...locate(store, folder) });
  } finally {
    mirrorWorkItems(call);
  }
}

/** Waits for a process that may be ingesting the prompt which binds this session to its work item. */
function ingestAll({ store, paths, settings, log, now, agentSession }: ToolContext): void {
  if (store.findSessionWorkItem(agentSession) || listSpool(paths).length === 0) return;
  drain({ paths, settings, log, now, store, lockMs: LONGEST_WAIT_MS });
}

/** The session that continues a work item; null if the client does not report its session. */
export function findSession({ store, agent, agentSession }: ToolContext): {
  agent: string;
  agentSession: string;
} | null {
  if (agentSession === NO_SESSION) return null;
  const known = store.findSessions(agentSession).find((session) => session.agentSession === agentSession);
  return { agent: known?.agent ?? agent, agentSession };
}

/** The work item of this session; without a session, the last one of this project. */
export function findOwnWorkItem({ store, agentSession, project, worktree }: ToolContext): WorkItem | null {
  const session = agentSession === NO_SESSION ? undefined : agentSession;
  const work = findCurrentWorkItem(store, {
    agentSession: session,
    projectId: project?.id ?? null,
    worktree,
  });
  return work?.closedAt === null ? work : null;
}

export function requireWorkItem({ store, project }: ToolContext, name: string): WorkItem {
  const work = store.findWorkItem(name);
  if (work) return work;
  const open = project ? store.listWorkItems({ projectId: project.id, limit: 10 }) : [];
  const names = open.length > 0 ? ` Open here: ${open.map(({ name }) => shorten(name, 80)).join(', ')}.` : '';
  throw new ToolError(`There is no work item "${shorten(name, 80)}".${names}`);
}

/** Creates a work item named after these words, and binds this session to it. */
export function startWorkItem(call: ToolContext, words: string): WorkItem {
  const { store, project, worktree, branches, log, now } = call;
  const prompt = cleanText(call, words);
  if (prompt === '') throw new ToolError('Nothing was changed: all of it is private.');
  if (!project) throw new ToolError('Nothing was captured in this project yet, so there are no work items.');
  const at = now();
  return store.runInTransaction(() => {
    const work = openWorkItem(store, { prompt, ...findWorkPlace({ project, worktree, branches }), at });
    const session = findSession(call);
    return session ? switchSession(store, { ...session, workId: work.id, by: 'agent', at, log }) : work;
  });
}
