import * as z from 'zod/mini';
import { redactValue } from '../../capture/redact/redact-value.ts';
import { formatTask, formatTaskProgress } from '../../context/work/work-item-details.ts';
import { finishPlan } from '../../continuity/plans/plan.ts';
import { isSameTask } from '../../continuity/work-items/content-words.ts';
import { cleanText } from '../../curation/clean-text.ts';
import type { Task, TaskState, WorkItem } from '../../model/work.ts';
import type { NewTask } from '../../store/types/work.ts';
import { limitedList, MAX_ITEMS, MAX_LENGTH, requiredText, wholeNumber } from './limits.ts';
import { ADDITIVE, defineTool, type ToolAnswer, type ToolContext } from './tool.ts';
import { ToolError } from './tool-error.ts';
import { changeWorkItems, findOwnWorkItem, startWorkItem } from './work-items.ts';

const TASK_NUMBERS = limitedList(MAX_ITEMS.tasks, wholeNumber(1, Number.MAX_SAFE_INTEGER));

export const tasks = defineTool({
  name: 'tasks',
  description: 'Tasks outlive the session. Add what is left to do, mark by number. Returns the list.',
  input: z.object({
    add: z.optional(limitedList(MAX_ITEMS.tasks, requiredText(MAX_LENGTH.task))),
    doing: z.optional(TASK_NUMBERS),
    done: z.optional(TASK_NUMBERS),
    drop: z.optional(TASK_NUMBERS),
  }),
  annotations: ADDITIVE,
  run({ add = [], doing = [], done = [], drop = [] }, calledIn) {
    return changeWorkItems(calledIn, (call) => {
      const subjects = add
        .map((subject) => cleanText(call, subject).replace(/\s+/g, ' '))
        .filter((subject) => subject !== '');
      if (subjects.length < add.length)
        throw new ToolError('Nothing was changed: one of the tasks to add is empty or private.');
      const own = findOwnWorkItem(call);
      if (!own && doing.length + done.length + drop.length > 0) throw new ToolError(NO_WORK);
      const [first] = subjects;
      const work = own ?? (first === undefined ? null : startWorkItem(call, first));
      if (!work) return NONE;
      const isChange = doing.length + done.length + drop.length + subjects.length > 0;
      // Only changes take the lock, which another process may hold.
      if (isChange)
        call.store.runInTransaction(() => {
          const change = (numbers: number[], state: TaskState) => setState(call, work, numbers, state);
          change(doing, 'doing');
          change(done, 'done');
          change(drop, 'dropped');
          for (const subject of subjects) addTask(call, work, subject);
          finishPlan(call.store, work.id, { at: call.now(), log: call.log });
        });
      return formatTasks(work, call.store.listTasks(work.id));
    });
  },
});

const NO_WORK = 'This session has no work item yet, so it has no tasks. Use add to create one.';
const NONE: ToolAnswer = { text: NO_WORK, structure: { work: null, tasks: [] } };

/** Ignores a text that an open task already has. */
function addTask({ store, now }: ToolContext, { id: workId }: WorkItem, subject: string): void {
  const isThere = store
    .listTasks(workId)
    .some((task) => (task.state === 'open' || task.state === 'doing') && isSameTask(task.subject, subject));
  if (isThere) return;
  const fresh = { description: '', state: 'open', source: 'mcp', key: null } as const;
  store.addTask(redactValue<NewTask>({ workId, subject, ...fresh, at: now() }));
}

function setState(
  { store, now }: ToolContext,
  { id, name }: WorkItem,
  numbers: number[],
  state: TaskState,
): void {
  const known = store.listTasks(id);
  for (const number of new Set(numbers)) {
    const task = known.find((task) => task.number === number);
    if (!task) throw new ToolError(`${name} has no task ${number}. Nothing was changed.\n${listed(known)}`);
    store.changeTask(task.id, { state }, 'mcp', now());
  }
}

function formatTasks(work: WorkItem, all: Task[]): ToolAnswer {
  const shown = all.filter(({ state }) => state !== 'dropped');
  const heading = `${work.name}: ${formatTaskProgress(all)[0] ?? 'no tasks'}`;
  return {
    text: [heading, ...shown.map(formatTask)].join('\n'),
    structure: {
      work: work.name,
      tasks: shown.map(({ number, subject, state }) => ({ number, subject, state })),
    },
  };
}

function listed(all: Task[]): string {
  return all.length === 0 ? 'It has none.' : `It has:\n${all.map(formatTask).join('\n')}`;
}
