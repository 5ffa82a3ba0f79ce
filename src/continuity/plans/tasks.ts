import { redactValue } from '../../capture/redact/redact-value.ts';
import type { Task, TaskReport, TaskState, WorkItem } from '../../model/work.ts';
import { quickHash } from '../../platform/quick-hash.ts';
import type { ContinuityStore } from '../../store/store.ts';
import type { NewTask, TaskEdit } from '../../store/types/work.ts';
import { isSameTask } from '../work-items/content-words.ts';
import { readSteps } from './plan-steps.ts';

interface TaskList {
  tasks: TaskReport[];
  isWholeList: boolean;
}

/** Applies the agent's task list. A report that matches a step of the plan or an open task updates that task. */
export function applyTaskReports(
  store: ContinuityStore,
  work: WorkItem,
  { tasks, isWholeList }: TaskList,
  { agentSession, at }: { agentSession: string; at: number },
): void {
  const keyOf = (sign: TaskReport) => `${agentSession}:${sign.key}`;
  const named = new Set(tasks.map(keyOf));
  for (const sign of tasks) applyTaskSign(store, work, sign, { key: keyOf(sign), named, agentSession, at });
  if (!isWholeList) return;
  for (const task of store.listTasks(work.id)) {
    const isGone = task.key?.startsWith(`${agentSession}:`) && !named.has(task.key) && isOpen(task.state);
    if (isGone) store.changeTask(task.id, { state: 'dropped' }, 'agent', at);
  }
}

function applyTaskSign(
  store: ContinuityStore,
  work: WorkItem,
  { subject, description, state }: TaskReport,
  { key, named, agentSession, at }: { key: string; named: Set<string>; agentSession: string; at: number },
): void {
  const known = store.findTaskByKey(work.id, key);
  if (known) {
    const change: TaskEdit = {
      ...(subject !== undefined && { subject }),
      ...(description !== undefined && { description }),
      ...(state !== undefined && { state }),
    };
    store.changeTask(known.id, redactValue(change), 'agent', at);
    return;
  }
  if (subject === undefined) return;
  const isUnclaimed = (task: Task) => task.key === null || !named.has(task.key);
  const same = store
    .listTasks(work.id)
    .find((task) => isUnclaimed(task) && isCompatible(task, state) && isSameTask(task.subject, subject));
  if (!same) {
    const content = { subject, description: description ?? '', state: state ?? 'open' };
    const fresh: NewTask = { workId: work.id, ...content, source: 'agent', key, at };
    store.addTask(redactValue(fresh));
    return;
  }
  // The agent may reword its own task, but a step of the plan keeps its text.
  const isReworded = same.key?.startsWith(`${agentSession}:`) && same.source === 'agent';
  const change: TaskEdit = { key, ...(isReworded && { subject }), ...(state !== undefined && { state }) };
  store.changeTask(same.id, redactValue(change), 'agent', at);
}

/** A finished task is not reopened: the same subject is a new task, unless it is reported as done again. */
function isCompatible({ state: present }: Task, content: TaskState | undefined): boolean {
  return isOpen(present) || (present === 'done' && content === 'done');
}

function isOpen(state: TaskState): boolean {
  return state === 'open' || state === 'doing';
}

/** Makes tasks from the steps of an accepted plan. A later version keeps finished steps and drops missing ones. */
export function savePlanSteps(store: ContinuityStore, work: WorkItem, planText: string, at: number): void {
  const steps = readSteps(planText);
  const tasks = store.listTasks(work.id);
  const kept = new Set<number>();
  for (const { text: step, isDone } of steps) {
    const known = taskOf(
      step,
      tasks.filter(({ id }) => !kept.has(id)),
    );
    const { id, state } =
      known ??
      store.addTask(
        redactValue<NewTask>({
          ...{ workId: work.id, subject: step, description: '', state: isDone ? 'done' : 'open' },
          ...{ source: 'plan', key: keyOfStep(step), at },
        }),
      );
    kept.add(id);
    if (isDone) store.changeTask(id, { state: 'done' }, 'plan', at);
    else if (state === 'dropped') store.changeTask(id, { state: 'open' }, 'plan', at);
  }
  if (steps.length === 0) return;
  for (const task of tasks)
    if (task.source === 'plan' && isOpen(task.state) && !kept.has(task.id))
      store.changeTask(task.id, { state: 'dropped' }, 'plan', at);
}

/** Finds the task by equal text, even if the agent has adopted the step; else by similar text. */
function taskOf(step: string, tasks: Task[]): Task | undefined {
  const key = keyOfStep(step);
  return (
    tasks.find((task) => task.key === key || keyOfStep(task.subject) === key) ??
    tasks.find((task) => task.state !== 'dropped' && isSameTask(task.subject, step))
  );
}

function keyOfStep(step: string): string {
  return `plan:${quickHash(
    step
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  )}`;
}

/** Whether the plan has steps and all of them are done. */
export function areStepsDone(store: ContinuityStore, workId: number): boolean {
  const steps = store.listTasks(workId).filter(({ source }) => source === 'plan');
  return steps.length > 0 && !steps.some(({ state }) => isOpen(state));
}
