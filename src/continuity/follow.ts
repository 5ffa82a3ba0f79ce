import { agentById, agents } from '../agents/all.ts';
import type { WorkItem, WorkReport } from '../model/work.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { ContextStore, ContinuityStore } from '../store/store.ts';
import { isStoreError } from '../store/store-error.ts';
import type { FollowedEvent } from '../store/types/work.ts';
import { applyPlanReport, finishPlan } from './plans/plan.ts';
import { stepsOf } from './plans/plan-steps.ts';
import { applyTaskReports } from './plans/tasks.ts';
import { activateWorkItem, bindPrompt, isPlanning } from './work-items/bind-session.ts';
import { takeNextSteps } from './work-items/next-steps.ts';
import { releaseAbandonedWorkItems } from './work-items/release-abandoned.ts';
import { makeTitle } from './work-items/work-item-name.ts';
import { reconcileMode } from './work-items/work-items.ts';

/** Maximum events per transaction. */
const PIECE = 500;
/** Summaries may come late, so the next steps of this many work items are updated again. */
const LATEST_WORKS = 2;

type FollowedStore = ContinuityStore & Pick<ContextStore, 'getSessionTimes'>;

export interface FollowOptions {
  log: Log;
  now: number;
  /** The highest number of events to follow; all by default. */
  limit?: number;
}

/**
 * Goes through all captured events once, in order, and derives work items, plans and tasks from them. Any process may
 * call this at any time: each piece is one transaction that also records the position.
 * @returns the number of new events.
 */
export function followEvents(
  store: FollowedStore,
  { log, now, limit = Number.POSITIVE_INFINITY }: FollowOptions,
): number {
  let followed = 0;
  // Usually there are no new events, and a reader should not wait for a writer.
  const hasEvents = store.listEventsToFollow({ tools: WORK_TOOLS, limit: 1 }).length > 0;
  for (let left = hasEvents ? limit : 0; left > 0; left = limit - followed) {
    const piece = Math.min(PIECE, left);
    const count = store.runInTransaction(() => followPiece(store, piece, { log, now }));
    followed += count;
    if (count < piece) break;
  }
  // Skipped for callers with a limit, which have a deadline.
  if (limit === Number.POSITIVE_INFINITY)
    for (const work of store.listWorkItems({ limit: LATEST_WORKS })) takeNextSteps(store, work);
  return followed;
}

function followPiece(store: FollowedStore, limit: number, { log, now }: FollowOptions): number {
  const events = store.listEventsToFollow({ tools: WORK_TOOLS, limit });
  for (const event of events) {
    // Events may be dated in the future if the clock was set back.
    followOne(store, { ...event, at: Math.min(event.at, now) }, log);
  }
  const last = events.at(-1);
  if (last) store.markFollowed(last);
  return events.length;
}

/** Skips an event that fails, which must not stop the others. Rethrows database errors. */
function followOne(store: FollowedStore, event: FollowedEvent, log: Log): void {
  try {
    store.runInTransaction(() => {
      const work = follow(store, event, log);
      // Reconciled after each event, which makes the result independent of the batch size.
      if (work) reconcileMode(store, work.id, { at: event.at, log });
    });
  } catch (error) {
    if (isStoreError(error)) throw error;
    log.error('event not followed', { event: event.eventId, kind: event.kind, cause: describeError(error) });
  }
}

/** @returns the work item of the event. Events of subagents are ignored: they repeat what the session reports. */
function follow(store: FollowedStore, event: FollowedEvent, log: Log): WorkItem | null {
  if (event.isSubagent) return null;
  const { agentSession, projectId, at } = event;
  switch (event.kind) {
    case 'session-start':
      if (projectId !== null) releaseAbandonedWorkItems(store, { projectId, agentSession, at, log });
      return followStart(store, event, log);
    case 'prompt':
      // The text of a private prompt is empty.
      if (event.origin === 'machine' || event.text === '') return null;
      return bind(store, event, event.text, log);
    case 'tool-start':
    case 'permission-request':
    case 'tool-end':
      return followCall(store, event, log);
    case 'compact-end':
      return dropMeterHandoff(store, event);
    case 'session-end':
      store.restageHandoffs(agentSession, at);
      return store.findSessionWorkItem(agentSession);
    default:
      return null;
  }
}

/** A resumed session continues its work item. Any other start binds nothing yet. */
function followStart(store: FollowedStore, event: FollowedEvent, log: Log): WorkItem | null {
  const work = event.reason === 'resume' ? store.findSessionWorkItem(event.agentSession) : null;
  return work && activateWorkItem(store, work, { ...event, log });
}

/** A handoff written by the meter is obsolete once the session continues with an emptied window. */
function dropMeterHandoff(store: FollowedStore, { agentSession, at }: FollowedEvent): WorkItem | null {
  const work = store.findSessionWorkItem(agentSession);
  for (const handoff of work ? store.listHandoffs({ workId: work.id, states: ['staged'], limit: 10 }) : [])
    if (handoff.by === 'meter' && handoff.agentSession === agentSession && handoff.at <= at)
      store.setHandoffState(handoff.id, 'discarded', at);
  return work;
}

function followCall(store: FollowedStore, event: FollowedEvent, log: Log): WorkItem | null {
  const reports = findReports(event);
  const known = store.findSessionWorkItem(event.agentSession) ?? bindByReports(store, event, reports, log);
  if (!known || known.closedAt !== null) return null;
  const isWorking = !isPlanning(event) && event.kind !== 'permission-request' && !isWorkTool(event.tool);
  const work = isWorking ? activateWorkItem(store, known, { ...event, log }) : known;
  for (const report of reports) applyReport(store, work, report, event, log);
  return work;
}

function applyReport(
  store: FollowedStore,
  work: WorkItem,
  report: WorkReport,
  event: FollowedEvent,
  log: Log,
): void {
  const { agentSession, at } = event;
  if (report.kind === 'plan') applyPlanReport(store, work, report, { agentSession, at, log });
  else applyTaskReports(store, work, report, { agentSession, at });
  finishPlan(store, work.id, { at, log });
}

const WORK_TOOLS = [...new Set(agents.flatMap(({ workTools }) => workTools))];

function isWorkTool(tool: string | null): boolean {
  return tool !== null && WORK_TOOLS.includes(tool);
}

function findReports({ agent, kind, tool, input, response, outcome }: FollowedEvent): WorkReport[] {
  return tool !== null && isWorkTool(tool)
    ? (agentById(agent)?.findWorkReports({ kind, tool, input, response, outcome }) ?? [])
    : [];
}

/** A session that started with a command has no work item yet; its plan or tasks create one. */
function bindByReports(
  store: FollowedStore,
  event: FollowedEvent,
  reports: WorkReport[],
  log: Log,
): WorkItem | null {
  const text = reports.flatMap(wordsOf).join('\n');
  return text === '' ? null : bind(store, { ...event, permissionMode: 'plan' }, text, log);
}

function wordsOf(report: WorkReport): string[] {
  if (report.kind === 'tasks') return report.tasks.flatMap(({ subject }) => subject ?? []);
  return report.text.trim() === '' ? [] : [makeTitle(report.text), ...stepsOf(report.text).slice(0, 3)];
}

function bind(store: FollowedStore, event: FollowedEvent, text: string, log: Log): WorkItem | null {
  const { projectId } = event;
  return projectId === null ? null : (bindPrompt(store, { ...event, projectId, text, log })?.work ?? null);
}
