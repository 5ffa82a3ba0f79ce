import { redactValue } from '../../capture/redact/redact-value.ts';
import type { WorkItem } from '../../model/work.ts';
import type { ContinuityStore } from '../../store/store.ts';

const MEMORIES_READ = 12;

/**
 * Updates the next steps from the latest summary that has any, which may be made after its session has ended. A
 * person's edit stays until a later summary.
 */
export function takeNextSteps(store: ContinuityStore, work: WorkItem): WorkItem {
  const summary = store
    .listWorkItemMemories(work.id, MEMORIES_READ)
    .find(({ kind, parts }) => kind === 'summary' && parts !== null && parts.nextSteps !== '');
  const nextSteps = summary?.parts?.nextSteps;
  if (!summary || nextSteps === undefined || summary.at <= work.nextStepsAt) return work;
  return store.changeWorkItem(
    work.id,
    { nextSteps: redactValue(nextSteps), nextStepsAt: summary.at },
    work.changedAt,
  );
}
