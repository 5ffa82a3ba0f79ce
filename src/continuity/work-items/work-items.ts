import { redactValue } from '../../capture/redact/redact-value.ts';
import type { BoundBy, WorkItem } from '../../model/work.ts';
import type { Log } from '../../platform/log.ts';
import type { ContinuityStore } from '../../store/store.ts';
import type { NewWork, SessionBond, WorkChange } from '../../store/types/work.ts';
import { titleOf, workName } from './name.ts';
import { nextMode, type WorkItemEvent } from './transitions.ts';

/** When it happened, and where to say what was refused. */
export interface Change {
  at: number;
  log: Log;
}

/** @returns the work as it is then: the same where the event is illegal in its mode. */
export function changeMode(
  store: ContinuityStore,
  work: WorkItem,
  event: WorkItemEvent,
  { at, log }: Change,
): WorkItem {
  const mode = nextMode(work.mode, event);
  if (mode === null) {
    log.warn('a work item cannot change its mode like this', { work: work.name, mode: work.mode, event });
    return work;
  }
  return mode === work.mode ? work : store.changeWork(work.id, { mode }, at);
}

export interface NewWorkItemRequest {
  /** What was asked for, without what is private or secret. */
  prompt: string;
  projectId: number;
  branch: string | null;
  worktree: string | null;
  at: number;
}

/** `work: <name>` in the prompt says how it is to be called. */
export function openWorkItem(store: ContinuityStore, { prompt, ...where }: NewWorkItemRequest): WorkItem {
  const named = workNameInPrompt(prompt);
  const rest = named ? prompt.replace(NAMED_IN_FULL, '\n') : prompt;
  const title = titleOf(rest.trim() === '' && named ? named : rest);
  return store.addWork(redactValue<NewWork>({ name: workName(named ?? prompt), title, ...where }));
}

const NAMED_IN_FULL = /(?:^|\n)[ \t]*work:[ \t]*([^\s,;]+)/i;

/** What stands behind `work:` at the beginning of a line. */
export function workNameInPrompt(prompt: string): string | null {
  return NAMED_IN_FULL.exec(prompt)?.[1] ?? null;
}

export interface SessionBinding {
  agent: string;
  agentSession: string;
  workId: number;
  by: BoundBy;
}

/**
 * From now on the session belongs to this work, which is active then, and reopened if it was closed. What was
 * handed to the session for this work is taken, for another one it waits again.
 */
export function switchSession(store: ContinuityStore, bond: SessionBinding & Change): WorkItem {
  return store.atOnce(() => {
    const { at, log } = bond;
    const work = bindSession(store, bond);
    return changeMode(store, work, 'taken up', { at, log });
  });
}

/** The same without starting work on it: who plans has not begun. */
export function bindSession(
  store: ContinuityStore,
  { agent, agentSession, workId, by, at, log }: SessionBinding & Change,
): WorkItem {
  return store.atOnce(() => {
    const before = store.workOfSession(agentSession);
    store.bindSession(redactValue<SessionBond>({ agent, agentSession, workId, by, at }));
    takeHandoffs(store, { agentSession, workId, at });
    store.restageGiven(agentSession, at);
    if (before && before.id !== workId) settleMode(store, before.id, { at, log });
    const work = requireWorkItem(store, workId);
    return work.closedAt === null ? work : reopenWorkItem(store, work, { at, log });
  });
}

/** Takes a session out of a work item, which then waits as it did before: what was handed to the session, too. */
export function leaveWorkItem(
  store: ContinuityStore,
  { agent, agentSession, workId, at, log }: Omit<SessionBinding, 'by'> & Change,
): void {
  store.atOnce(() => {
    store.leaveWork(redactValue<Omit<SessionBond, 'by'>>({ agent, agentSession, workId, at }));
    for (const handoff of store.handoffs({ workId, states: ['taken'], limit: 10 }))
      if (handoff.givenTo === agentSession) store.setHandoffState(handoff.id, 'given', at);
    store.restageGiven(agentSession, at);
    settleMode(store, workId, { at, log });
  });
}

function takeHandoffs(
  store: ContinuityStore,
  { agentSession, workId, at }: { agentSession: string; workId: number; at: number },
): void {
  for (const handoff of store.handoffs({ workId, states: ['given'], limit: 10 }))
    if (handoff.givenTo === agentSession) store.setHandoffState(handoff.id, 'taken', at);
}

/** A closed work offers nothing any more: what was staged for it is discarded, its plan comes back when it is reopened. */
export function closeWorkItem(store: ContinuityStore, work: WorkItem, { at, log }: Change): WorkItem {
  return store.atOnce(() => {
    for (const { id } of store.handoffs({ workId: work.id, states: ['staged', 'given'], limit: 10 }))
      store.setHandoffState(id, 'discarded', at);
    changeMode(store, requireWorkItem(store, work.id), 'closed', { at, log });
    return store.changeWork(work.id, { closedAt: at }, at);
  });
}

export function reopenWorkItem(store: ContinuityStore, work: WorkItem, { at, log }: Change): WorkItem {
  return store.atOnce(() => {
    const reopened = store.changeWork(work.id, { closedAt: null }, at);
    return store.acceptedPlan(work.id) ? changeMode(store, reopened, 'planned', { at, log }) : reopened;
  });
}

/** One word that looks like a name is the new name; anything else is the new title, and its words the name. */
export function renameWorkItem(
  store: ContinuityStore,
  work: WorkItem,
  titleOrName: string,
  { at }: Pick<Change, 'at'>,
): WorkItem {
  const said = titleOrName.trim();
  const name = workName(said);
  const isName = !/\s/.test(said) && (said.includes('-') || said === name);
  const wanted = isName ? { name: toName(said) || name } : { name, title: titleOf(said) };
  return store.changeWork(work.id, redactValue<WorkChange>(wanted), at);
}

function toName(said: string): string {
  return said
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
}

/**
 * Makes a work's mode true again: active only while a session of it is open, waiting only while something waits.
 * May be called at any time.
 */
export function settleMode(store: ContinuityStore, workId: number, change: Change): WorkItem | null {
  const work = store.work(workId);
  if (!work || work.closedAt !== null) return work;
  if (work.mode === 'active') return store.hasOpenSession(workId) ? work : stageWorkItem(store, work, change);
  if (work.mode === 'has_handoff' && !hasStagedHandoff(store, workId)) {
    const left = changeMode(store, work, 'handoff gone', change);
    return store.acceptedPlan(workId) ? changeMode(store, left, 'planned', change) : left;
  }
  if (work.mode === 'has_plan' && !store.acceptedPlan(workId))
    return changeMode(store, work, 'plan gone', change);
  return work;
}

/** Nobody is at it any more: what is there waits for the next session. */
export function stageWorkItem(store: ContinuityStore, work: WorkItem, change: Change): WorkItem {
  if (hasStagedHandoff(store, work.id)) return changeMode(store, work, 'ended with handoff', change);
  const event = store.acceptedPlan(work.id) ? 'ended with plan' : 'ended with neither';
  return changeMode(store, work, event, change);
}

function hasStagedHandoff(store: ContinuityStore, workId: number): boolean {
  return store.handoffs({ workId, states: ['staged', 'given'], limit: 1 }).length > 0;
}

function requireWorkItem(store: ContinuityStore, id: number): WorkItem {
  const work = store.work(id);
  if (!work) throw new Error(`There is no work with the number ${id}.`);
  return work;
}
