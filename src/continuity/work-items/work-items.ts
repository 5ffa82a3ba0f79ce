import { redactValue } from '../../capture/redact/redact-value.ts';
import { type BoundBy, PENDING_HANDOFF_STATES, type WorkItem } from '../../model/work.ts';
import type { Log } from '../../platform/log.ts';
import type { ContinuityStore } from '../../store/store.ts';
import type { NewBinding, NewWorkItem, WorkItemChange } from '../../store/types/work.ts';
import { nextMode, type WorkItemEvent } from './transitions.ts';
import { makeName, makeTitle } from './work-item-name.ts';

/** The time and the log of a change. */
export interface ChangeOptions {
  at: number;
  log: Log;
}

/** @returns the changed work item, or the same one if the event is not allowed in its mode. */
export function changeMode(
  store: ContinuityStore,
  work: WorkItem,
  event: WorkItemEvent,
  { at, log }: ChangeOptions,
): WorkItem {
  const mode = nextMode(work.mode, event);
  if (mode === null) {
    log.warn('a work item cannot change its mode like this', { work: work.name, mode: work.mode, event });
    return work;
  }
  return mode === work.mode ? work : store.changeWorkItem(work.id, { mode }, at);
}

export interface NewWorkItemRequest {
  /** The redacted prompt. */
  prompt: string;
  projectId: number;
  branch: string | null;
  worktree: string | null;
  at: number;
}

/** `work: <name>` in the prompt sets the name. */
export function openWorkItem(store: ContinuityStore, { prompt, ...where }: NewWorkItemRequest): WorkItem {
  const named = findNameInPrompt(prompt);
  const rest = named ? prompt.replace(NAMED_IN_FULL, '\n') : prompt;
  const title = makeTitle(rest.trim() === '' && named ? named : rest);
  return store.addWorkItem(redactValue<NewWorkItem>({ name: makeName(named ?? prompt), title, ...where }));
}

const NAMED_IN_FULL = /(?:^|\n)[ \t]*work:[ \t]*([^\s,;]+)/i;

/** The text after `work:` at the start of a line. */
export function findNameInPrompt(prompt: string): string | null {
  return NAMED_IN_FULL.exec(prompt)?.[1] ?? null;
}

export interface SessionBinding {
  agent: string;
  agentSession: string;
  workId: number;
  by: BoundBy;
}

/**
 * Binds the session to this work item, reopens it if it was closed, and activates it. A handoff of this work item that
 * the session was given is taken; handoffs of other work items become pending again.
 */
export function switchSession(store: ContinuityStore, binding: SessionBinding & ChangeOptions): WorkItem {
  return store.runInTransaction(() => {
    const { at, log } = binding;
    const work = bindSession(store, binding);
    return changeMode(store, work, 'taken up', { at, log });
  });
}

/** Binds the session without activating the work item, as in plan mode. */
export function bindSession(
  store: ContinuityStore,
  { agent, agentSession, workId, by, at, log }: SessionBinding & ChangeOptions,
): WorkItem {
  return store.runInTransaction(() => {
    const before = store.findSessionWorkItem(agentSession);
    store.bindSession(redactValue<NewBinding>({ agent, agentSession, workId, by, at }));
    takeHandoffs(store, { agentSession, workId, at });
    store.restageHandoffs(agentSession, at);
    if (before && before.id !== workId) reconcileMode(store, before.id, { at, log });
    const work = requireWorkItem(store, workId);
    return work.closedAt === null ? work : reopenWorkItem(store, work, { at, log });
  });
}

/** Takes a session out of a work item, which becomes available again with its handoff. */
export function leaveWorkItem(
  store: ContinuityStore,
  { agent, agentSession, workId, at, log }: Omit<SessionBinding, 'by'> & ChangeOptions,
): void {
  store.runInTransaction(() => {
    store.leaveWorkItem(redactValue<Omit<NewBinding, 'by'>>({ agent, agentSession, workId, at }));
    store.returnHandoffs(agentSession, workId, at);
    reconcileMode(store, workId, { at, log });
  });
}

function takeHandoffs(
  store: ContinuityStore,
  { agentSession, workId, at }: { agentSession: string; workId: number; at: number },
): void {
  for (const handoff of store.listHandoffs({ workId, states: ['given'], limit: 10 }))
    if (handoff.givenTo === agentSession) store.setHandoffState(handoff.id, 'taken', at);
}

/** Closes a work item. Its staged handoff is discarded, but its plan returns when it is reopened. */
export function closeWorkItem(store: ContinuityStore, work: WorkItem, { at, log }: ChangeOptions): WorkItem {
  return store.runInTransaction(() => {
    for (const { id } of store.listHandoffs({ workId: work.id, states: PENDING_HANDOFF_STATES, limit: 10 }))
      store.setHandoffState(id, 'discarded', at);
    changeMode(store, requireWorkItem(store, work.id), 'closed', { at, log });
    return store.changeWorkItem(work.id, { closedAt: at }, at);
  });
}

export function reopenWorkItem(store: ContinuityStore, work: WorkItem, { at, log }: ChangeOptions): WorkItem {
  return store.runInTransaction(() => {
    const reopened = store.changeWorkItem(work.id, { closedAt: null }, at);
    return store.findAcceptedPlan(work.id) ? changeMode(store, reopened, 'planned', { at, log }) : reopened;
  });
}

/** One word in the form of a name becomes the new name. Anything else becomes the title, and its words the name. */
export function renameWorkItem(
  store: ContinuityStore,
  work: WorkItem,
  titleOrName: string,
  { at }: Pick<ChangeOptions, 'at'>,
): WorkItem {
  const input = titleOrName.trim();
  const name = makeName(input);
  const isName = !/\s/.test(input) && (input.includes('-') || input === name);
  const wanted = isName ? { name: toName(input) || name } : { name, title: makeTitle(input) };
  return store.changeWorkItem(work.id, redactValue<WorkItemChange>(wanted), at);
}

function toName(input: string): string {
  return input
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
}

/**
 * Corrects the mode of a work item: active only while one of its sessions is open, has_plan or has_handoff only while
 * such a plan or handoff exists. May be called at any time.
 */
export function reconcileMode(
  store: ContinuityStore,
  workId: number,
  change: ChangeOptions,
): WorkItem | null {
  const work = store.getWorkItem(workId);
  if (!work || work.closedAt !== null) return work;
  if (work.mode === 'active')
    return store.hasOpenSession(workId) ? work : releaseWorkItem(store, work, change);
  if (work.mode === 'has_handoff' && !hasStagedHandoff(store, workId)) {
    const left = changeMode(store, work, 'handoff gone', change);
    return store.findAcceptedPlan(workId) ? changeMode(store, left, 'planned', change) : left;
  }
  if (work.mode === 'has_plan' && !store.findAcceptedPlan(workId))
    return changeMode(store, work, 'plan gone', change);
  return work;
}

/** Called when its last session has ended: its plan or handoff is for the next session. */
export function releaseWorkItem(store: ContinuityStore, work: WorkItem, change: ChangeOptions): WorkItem {
  if (hasStagedHandoff(store, work.id)) return changeMode(store, work, 'ended with handoff', change);
  const event = store.findAcceptedPlan(work.id) ? 'ended with plan' : 'ended with neither';
  return changeMode(store, work, event, change);
}

function hasStagedHandoff(store: ContinuityStore, workId: number): boolean {
  return store.listHandoffs({ workId, states: PENDING_HANDOFF_STATES, limit: 1 }).length > 0;
}

function requireWorkItem(store: ContinuityStore, id: number): WorkItem {
  const work = store.getWorkItem(id);
  if (!work) throw new Error(`There is no work item ${id}.`);
  return work;
}
