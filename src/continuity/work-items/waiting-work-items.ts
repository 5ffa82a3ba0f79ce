import { SESSION_SILENT_MS } from '../../model/session.ts';
import type { WorkItem } from '../../model/work.ts';
import type { ContinuityStore } from '../../store/store.ts';
import type { WorkItemQuery } from '../../store/types/work.ts';

export interface WorkPlace {
  projectId: number;
  /** The top folder of the worktree; null in the main checkout. */
  worktree: string | null;
  branch: string | null;
}

/** Older work items are not offered. */
export const STALE_MS = 21 * 86_400_000;
const WORK_ITEMS_READ = 20;

/**
 * Pending work items, the most likely first: those of this checkout, then those with a handoff, which is for any
 * session, then those of the same branch, then the latest.
 */
export function findWaitingWorkItems(
  store: ContinuityStore,
  here: WorkPlace,
  now: number,
  { left }: Pick<WorkItemQuery, 'left'> = {},
): WorkItem[] {
  const { projectId, worktree, branch } = here;
  const modes: WorkItem['mode'][] = ['has_handoff', 'has_plan', 'active'];
  const scoreOf = (work: WorkItem): number =>
    (work.worktree === worktree ? 4 : 0) +
    (work.mode === 'has_handoff' ? 3 : 0) +
    (branch !== null && work.branch === branch ? 2 : 0);
  return store
    .listWorkItems({ projectId, modes, limit: WORK_ITEMS_READ, ...(left && { left }) })
    .filter(({ changedAt }) => now - changedAt < STALE_MS)
    .sort((a, b) => scoreOf(b) - scoreOf(a) || b.changedAt - a.changedAt);
}

/** Whether another session probably works on it. */
export function isOpenElsewhere(
  store: ContinuityStore,
  work: WorkItem,
  agentSession: string,
  now: number,
): boolean {
  return (
    work.mode === 'active' &&
    store.hasOpenSession(work.id, { besides: agentSession, after: now - SESSION_SILENT_MS })
  );
}
