import { redactValue } from '../../capture/redact/redact-value.ts';
import type { WorkItem } from '../../model/work.ts';
import type { ContinuityStore } from '../../store/store.ts';

const MEMORIES_READ = 12;

/**
 * What is left to do, in the words of the last summary that says so; it may be made after its session has ended.
 * Words that a person has put there since stay until a later session says something else.
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
