import { redactValue } from '../../capture/redact/redact-value.ts';
import type { BoundBy, WorkItem } from '../../model/work.ts';
import type { ContinuityStore } from '../../store/store.ts';
import { chooseWorkItem, type WorkItemChoice, type WorkItemRequest } from './choose-work-item.ts';
import { bindSession, type ChangeOptions, changeMode, openWorkItem } from './work-items.ts';

export interface BindRequest extends Omit<WorkItemRequest, 'now'>, ChangeOptions {
  agent: string;
  permissionMode: string | null;
}

export interface Binding {
  work: WorkItem;
  by: BoundBy;
  /** Whether this prompt has bound its session, which had another work item or none before. */
  isFirst: boolean;
}

/**
 * Binds the session of a person's prompt to a work item and, outside plan mode, activates it. The prompt's hook calls
 * this because it reports the work item; following the same event later changes nothing.
 */
export function bindPrompt(store: ContinuityStore, request: BindRequest): Binding | null {
  return store.runInTransaction(() => {
    const choice = chooseWorkItem(store, { ...request, now: request.at });
    return choice && bindChoice(store, request, choice);
  });
}

/** For callers that have already chosen a work item. */
export function bindChoice(store: ContinuityStore, request: BindRequest, choice: WorkItemChoice): Binding {
  return store.runInTransaction(() => {
    const { agent, agentSession, text, projectId, branch, worktree, at, log } = request;
    const before = store.findSessionWorkItem(agentSession);
    const chosen =
      choice.work === 'new'
        ? openWorkItem(store, { prompt: text, projectId, branch, worktree, at })
        : choice.work;
    const isFirst = before?.id !== chosen.id;
    const work = isFirst
      ? bindSession(store, { agent, agentSession, workId: chosen.id, by: choice.by, at, log })
      : chosen;
    return {
      work: isPlanning(request) ? work : activateWorkItem(store, work, request),
      by: choice.by,
      isFirst,
    };
  });
}

export function isPlanning({ permissionMode }: { permissionMode: string | null }): boolean {
  return permissionMode === 'plan';
}

/** Marks that a session works on it in this checkout. A closed work item is not joined automatically. */
export function activateWorkItem(
  store: ContinuityStore,
  work: WorkItem,
  { branch, worktree, at, log }: { branch: string | null; worktree: string | null } & ChangeOptions,
): WorkItem {
  if (work.closedAt !== null) return work;
  const here = redactValue({ branch, worktree });
  const isHere = work.branch === here.branch && work.worktree === here.worktree;
  const moved = isHere ? work : store.changeWorkItem(work.id, here, at);
  return changeMode(store, moved, 'taken up', { at, log });
}
