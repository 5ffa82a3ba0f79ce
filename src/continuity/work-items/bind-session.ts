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
  /** Whether this prompt has bound its session; otherwise it was before. */
  isFirst: boolean;
}

/**
 * What a person's prompt means to works: its session belongs to one from now on, and outside plan mode the work
 * has begun. The prompt's own hook does this so that it can say something; the later follow step finds it done.
 */
export function bindPrompt(store: ContinuityStore, asked: BindRequest): Binding | null {
  return store.runInTransaction(() => {
    const choice = chooseWorkItem(store, { ...asked, now: asked.at });
    return choice && bindChoice(store, asked, choice);
  });
}

/** For callers that have already chosen. */
export function bindChoice(store: ContinuityStore, asked: BindRequest, choice: WorkItemChoice): Binding {
  return store.runInTransaction(() => {
    const { agent, agentSession, text, projectId, branch, worktree, at, log } = asked;
    const before = store.findSessionWorkItem(agentSession);
    const chosen =
      choice.work === 'new'
        ? openWorkItem(store, { prompt: text, projectId, branch, worktree, at })
        : choice.work;
    const isFirst = before?.id !== chosen.id;
    const work = isFirst
      ? bindSession(store, { agent, agentSession, workId: chosen.id, by: choice.by, at, log })
      : chosen;
    return { work: isPlanning(asked) ? work : activateWorkItem(store, work, asked), by: choice.by, isFirst };
  });
}

export function isPlanning({ permissionMode }: { permissionMode: string | null }): boolean {
  return permissionMode === 'plan';
}

/** A session here works on it. A closed work item is not joined automatically. */
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
