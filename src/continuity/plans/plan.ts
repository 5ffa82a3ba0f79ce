import { redactValue } from '../../capture/redact/redact-value.ts';
import type { Plan, WorkItem, WorkReport } from '../../model/work.ts';
import { quickHash } from '../../platform/quick-hash.ts';
import type { ContinuityStore } from '../../store/store.ts';
import type { NewPlan, WorkItemChange } from '../../store/types/work.ts';
import { makeTitle } from '../work-items/work-item-name.ts';
import { type ChangeOptions, changeMode, reconcileMode } from '../work-items/work-items.ts';
import { areStepsDone, savePlanSteps } from './tasks.ts';

type PlanReport = Extract<WorkReport, { kind: 'plan' }>;

/**
 * Applies a report about a plan to the plan with this text, else to the last proposed one. The same text is the same
 * version; an edited copy is the next version.
 */
export function applyPlanReport(
  store: ContinuityStore,
  work: WorkItem,
  { decision, text }: Omit<PlanReport, 'kind'>,
  { agentSession, at, log }: { agentSession: string } & ChangeOptions,
): void {
  const plans = store.listPlans(work.id);
  const hash = text.trim() === '' ? null : planHash(text);
  const known =
    hash === null ? lastProposed(plans, agentSession, at) : plans.find((plan) => plan.hash === hash);
  if (!known && hash === null) return;

  if (decision === 'proposed') {
    // The agent was told to continue planning, so its other proposals count as refused.
    for (const plan of plans)
      if (plan.state === 'proposed' && plan.agentSession === agentSession && plan.id !== known?.id)
        store.setPlanState(plan.id, 'refused', at);
    if (known?.state === 'refused') store.setPlanState(known.id, 'proposed', at);
  }
  if (!known) {
    const state = decision;
    const fresh: NewPlan = { workId: work.id, text, hash: hash ?? '', state, agentSession, at };
    const added = store.addPlan(redactValue(fresh));
    if (decision === 'accepted') startPlan(store, work, added, { at, log });
    return;
  }
  if (decision === 'refused' && known.state === 'proposed') store.setPlanState(known.id, 'refused', at);
  if (decision === 'accepted' && known.state !== 'accepted') {
    store.setPlanState(known.id, 'accepted', at);
    startPlan(store, work, known, { at, log });
  }
}

/** Ignores line ends and trailing white space. */
export function planHash(text: string): string {
  return quickHash(text.replace(/[ \t]*\r?\n/g, '\n').trim());
}

function lastProposed(plans: Plan[], agentSession: string, at: number): Plan | undefined {
  return plans.find(
    (plan) => plan.state === 'proposed' && plan.agentSession === agentSession && plan.at <= at,
  );
}

function startPlan(store: ContinuityStore, work: WorkItem, { text }: Plan, { at, log }: ChangeOptions): void {
  savePlanSteps(store, work, text, at);
  const title = planTitle(text);
  if (title !== null && title !== work.title)
    store.changeWorkItem(work.id, redactValue<WorkItemChange>({ title }), at);
  changeMode(store, work, 'planned', { at, log });
}

/** The plan's first heading, unless it only says that it is a plan. */
export function planTitle(text: string): string | null {
  const [first = ''] = text.trimStart().split('\n');
  if (!/^#{1,2}\s/.test(first)) return null;
  const title = makeTitle(first);
  return /^(?:the |my )?(?:(?:implementation )?plan|context|overview|summary|goals?|steps|work)$/i.test(title)
    ? null
    : title;
}

/** Finishes the plan if it has no open steps. Called when tasks have changed. */
export function finishPlan(store: ContinuityStore, workId: number, change: ChangeOptions): void {
  const plan = store.findAcceptedPlan(workId);
  if (!plan || !areStepsDone(store, workId)) return;
  store.setPlanState(plan.id, 'finished', change.at);
  reconcileMode(store, workId, change);
}
