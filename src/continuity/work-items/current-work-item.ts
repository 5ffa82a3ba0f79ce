import type { WorkItem } from '../../model/work.ts';
import type { ContinuityStore } from '../../store/store.ts';

/**
 * The default work item of a command: that of the session; without a session, the last open one of this worktree, else
 * of this project.
 */
export function findCurrentWorkItem(
  store: ContinuityStore,
  {
    agentSession,
    projectId,
    worktree,
  }: { agentSession: string | undefined; projectId: number | null; worktree: string | null },
): WorkItem | null {
  if (agentSession !== undefined) return store.findSessionWorkItem(agentSession);
  const works = projectId === null ? [] : store.listWorkItems({ projectId, limit: 100 });
  return works.find((work) => work.worktree === worktree) ?? works[0] ?? null;
}
