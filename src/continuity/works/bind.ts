import { redactValue } from '../../capture/redact/redact-value.ts';
import type { BoundBy, Work } from '../../model/work.ts';
import type { ContinuityStore } from '../../store/continuity-store.ts';
import { type Asked, type Choice, chooseWork } from './choose-work.ts';
import { bindSession, type Change, changeMode, openWork } from './works.ts';

export interface AskedIn extends Omit<Asked, 'now'>, Change {
  agent: string;
  /** As the agent calls it; null where it has none. */
  permissionMode: string | null;
}

export interface Bound {
  work: Work;
  by: BoundBy;
  /** Whether this prompt has bound its session; otherwise it was before. */
  isFirst: boolean;
}

/**
 * What a person's prompt means to works: its session belongs to one from now on, and outside plan mode the work
 * has begun. The prompt's own hook does this so that it can say something; whoever follows later finds it done.
 */
export function bindPrompt(store: ContinuityStore, asked: AskedIn): Bound | null {
  return store.atOnce(() => {
    const choice = chooseWork(store, { ...asked, now: asked.at });
    return choice && bindAsChosen(store, asked, choice);
  });
}

/** For whoever has chosen already. */
export function bindAsChosen(store: ContinuityStore, asked: AskedIn, choice: Choice): Bound {
  return store.atOnce(() => {
    const { agent, agentSession, text, projectId, branch, worktree, at, log } = asked;
    const before = store.workOfSession(agentSession);
    const chosen =
      choice.work === 'new'
        ? openWork(store, { prompt: text, projectId, branch, worktree, at })
        : choice.work;
    const isFirst = before?.id !== chosen.id;
    const work = isFirst
      ? bindSession(store, { agent, agentSession, workId: chosen.id, by: choice.by, at, log })
      : chosen;
    return { work: isPlanning(asked) ? work : takeUp(store, work, asked), by: choice.by, isFirst };
  });
}

export function isPlanning({ permissionMode }: { permissionMode: string | null }): boolean {
  return permissionMode === 'plan';
}

/** Somebody is at it, here. A closed work is not taken up by itself. */
export function takeUp(
  store: ContinuityStore,
  work: Work,
  { branch, worktree, at, log }: { branch: string | null; worktree: string | null } & Change,
): Work {
  if (work.closedAt !== null) return work;
  const here = redactValue({ branch, worktree });
  const isHere = work.branch === here.branch && work.worktree === here.worktree;
  const moved = isHere ? work : store.changeWork(work.id, here, at);
  return changeMode(store, moved, 'taken up', { at, log });
}
