import { redactValue } from '../capture/redact/redact-value.ts';
import { formatAge } from '../context/words.ts';
import { finishPlan } from '../continuity/plans/plan.ts';
import { cleanText } from '../curation/clean-text.ts';
import { TASK_MARKS, type Task, type TaskState } from '../model/work.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import type { NewTask } from '../store/types/work.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './support/command.ts';
import { printRow } from './support/rows.ts';
import { rejectExtra, requireArgument } from './support/usage.ts';
import {
  changeWorkItems,
  printResult,
  readWorkItems,
  resolveWorkItem,
  textOption,
} from './support/work-items.ts';

export const command: Command = {
  name: 'tasks',
  summary: 'List, add and finish the tasks of a work item',
  usage: [
    'tasks [<work>] [--all] [--json]',
    'tasks add [--work <work>] <words>',
    'tasks done | drop | reopen [--work <work>] <number>…',
  ].join('\n'),
  help: '--all also lists dropped tasks.',
  options: { all: { type: 'boolean' }, work: { type: 'string' }, json: { type: 'boolean' } },
  words: Number.POSITIVE_INFINITY,
  run(call) {
    const [action = '', ...words] = call.positionals;
    const state = Object.hasOwn(STATES, action) ? STATES[action] : undefined;
    if (action === 'add') return add(call, words);
    if (state) return change(call, words, state);
    return list(call, call.positionals);
  },
};

const STATES: Partial<Record<string, TaskState>> = { done: 'done', drop: 'dropped', reopen: 'open' };

function list(call: Call, [name = textOption(call, 'work'), ...more]: string[]): number {
  rejectExtra(more);
  return readWorkItems(call, ({ store }) => {
    const work = resolveWorkItem(call, store, name);
    const tasks = store.listTasks(work.id).filter(({ state }) => call.options.all || state !== 'dropped');
    if (call.options.json) printJson(call, tasks);
    else if (tasks.length === 0)
      call.out(withCairnCommand(`${work.name} has no tasks. Add one: cairn tasks add <words>`));
    else {
      printRow(call, call.paint.bold(`${work.name} · ${work.title}`));
      for (const task of tasks) printRow(call, line(call, task));
    }
    return 0;
  });
}

function line({ paint, now }: Call, { number, state, subject, changedAt }: Task): string {
  const text = `${TASK_MARKS[state]} ${String(number).padStart(2)}. ${subject}`;
  return `${state === 'open' || state === 'doing' ? text : paint.dim(text)}  ${paint.dim(formatAge(changedAt, now()))}`;
}

function add(call: Call, words: string[]): number {
  requireArgument(words[0], 'task');
  const subject = cleanText(call, words.join(' ')).replace(/\s+/g, ' ');
  if (subject === '') throw new CommandError('The whole text is private.');
  return changeWorkItems(call, ({ store, change: { at } }) => {
    const work = resolveWorkItem(call, store, textOption(call, 'work'));
    const fresh: NewTask = {
      ...{ workId: work.id, subject, description: '', state: 'open' },
      ...{ source: 'person', key: null, at },
    };
    const task = store.addTask(redactValue(fresh));
    return printResult(call, task, `Task ${task.number} of ${work.name}: ${subject}`);
  });
}

function change(call: Call, words: string[], state: TaskState): number {
  const numbers = words.map((word) => {
    if (/^#?\d{1,9}$/.test(word)) return Number(word.replace('#', ''));
    throw new UsageError(`Not a task number: ${word}. See: cairn tasks`);
  });
  if (numbers.length === 0) requireArgument(undefined, 'task number', 'See: cairn tasks');
  return changeWorkItems(call, ({ store, change }) => {
    const work = resolveWorkItem(call, store, textOption(call, 'work'));
    const known = store.listTasks(work.id);
    const tasks = [...new Set(numbers)].map((number) => {
      const task = known.find((task) => task.number === number);
      if (!task)
        throw new CommandError(`${work.name} has no task ${number}. Nothing was changed. See: cairn tasks`);
      return task;
    });
    const changed = store.runInTransaction(() => {
      const now = tasks.map(({ id }) => store.changeTask(id, { state }, 'person', change.at));
      finishPlan(store, work.id, change);
      return now;
    });
    return printResult(call, changed, changed.map((task) => line(call, task)).join('\n'));
  });
}
