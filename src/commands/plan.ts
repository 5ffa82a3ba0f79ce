import { unifiedDiff } from '../agents/install/unified-diff.ts';
import { formatAge } from '../context/words.ts';
import { reconcileMode } from '../continuity/work-items/work-items.ts';
import type { Plan, WorkItem } from '../model/work.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './support/command.ts';
import type { Paint } from './support/paint.ts';
import { printRow } from './support/rows.ts';
import { rejectExtra, selectSubcommand } from './support/usage.ts';
import {
  changeWorkItems,
  printResult,
  readWorkItems,
  resolveWorkItem,
  textOption,
} from './support/work-items.ts';

export const command: Command = {
  name: 'plan',
  summary: 'Show, compare and finish the plan of a work item',
  usage: [
    'plan [show] [<work>] [--version <n>] [--json]',
    'plan list [<work>] [--json]',
    'plan diff [<work>] [<from> <to>]',
    'plan done [<work>]',
  ].join('\n'),
  help: [
    'show prints the accepted plan, or else the latest. diff compares the last two versions by default.',
    'A plan that is done is not given to new sessions. It is done when its last task is done.',
  ].join('\n'),
  options: { version: { type: 'string' }, json: { type: 'boolean' } },
  words: 4,
  run(call) {
    const [action = 'show', ...words] = call.positionals;
    return selectSubcommand({ show, list, diff, done }, action)(call, words);
  },
};

function show(call: Call, [name, ...more]: string[]): number {
  rejectExtra(more);
  const version = textOption(call, 'version');
  return readWorkItems(call, ({ store }) => {
    const work = resolveWorkItem(call, store, name);
    const plan = version === undefined ? currentPlan(store, work) : planOf(store, work, version);
    return printResult(
      call,
      plan,
      `${call.paint.dim(described(call, work, plan))}\n\n${plan.text.trimEnd()}`,
    );
  });
}

function list(call: Call, [name, ...more]: string[]): number {
  rejectExtra(more);
  return readWorkItems(call, ({ store }) => {
    const work = resolveWorkItem(call, store, name);
    const plans = store.listPlans(work.id);
    if (call.options.json) printJson(call, plans);
    else if (plans.length === 0) call.out(`${work.name} has no plan.`);
    else for (const plan of plans) printRow(call, described(call, work, plan));
    return 0;
  });
}

function diff(call: Call, words: string[]): number {
  const isVersion = (word: string | undefined) => word !== undefined && /^v?\d+$/.test(word);
  const [name, from, to] = isVersion(words[0]) ? [undefined, ...words] : words;
  if ((from === undefined) !== (to === undefined))
    throw new UsageError('Missing version: give two to compare, or none.');
  return readWorkItems(call, ({ store }) => {
    const work = resolveWorkItem(call, store, name);
    const [latest, before] = store.listPlans(work.id);
    const older = from === undefined ? before : planOf(store, work, from);
    const newer = to === undefined ? latest : planOf(store, work, to);
    if (!older || !newer) throw new CommandError(`The plan of ${work.name} has fewer than two versions.`);
    const text = compared(older, newer);
    return printResult(
      call,
      { from: older.version, to: newer.version, diff: text },
      text === '' ? 'No differences.' : coloured(call.paint, text),
    );
  });
}

function done(call: Call, [name, ...more]: string[]): number {
  rejectExtra(more);
  return changeWorkItems(call, ({ store, change }) => {
    const work = resolveWorkItem(call, store, name);
    const plan = store.findAcceptedPlan(work.id);
    if (!plan) throw new CommandError(`${work.name} has no active plan.`);
    store.runInTransaction(() => {
      store.setPlanState(plan.id, 'finished', change.at);
      reconcileMode(store, work.id, change);
    });
    return printResult(
      call,
      { ...plan, state: 'finished' },
      `The plan of ${work.name} (version ${plan.version}) is done.`,
    );
  });
}

function currentPlan(store: Store, work: WorkItem): Plan {
  const plan = store.findAcceptedPlan(work.id) ?? store.listPlans(work.id)[0];
  if (!plan) throw new CommandError(`${work.name} has no plan.`);
  return plan;
}

function planOf(store: Store, work: WorkItem, version: string): Plan {
  const number = Number(version.replace(/^v/, ''));
  if (!Number.isInteger(number)) throw new UsageError(`Not a plan version: ${version}.`);
  const plan = store.listPlans(work.id).find((plan) => plan.version === number);
  if (!plan)
    throw new CommandError(`${work.name} has no plan version ${number}. See: cairn plan list ${work.name}`);
  return plan;
}

function described({ now }: Call, work: WorkItem, { version, state, at }: Plan): string {
  return `Plan of ${work.name}, version ${version}, ${state}, ${formatAge(at, now())}`;
}

function compared(older: Plan, newer: Plan): string {
  const [, , ...changes] = unifiedDiff(
    'plan',
    `${older.text.trimEnd()}\n`,
    `${newer.text.trimEnd()}\n`,
  ).split('\n');
  if (changes.length === 0) return '';
  const head = ({ version, state }: Plan) => `version ${version} (${state})`;
  return [`--- ${head(older)}`, `+++ ${head(newer)}`, ...changes].join('\n');
}

function coloured(paint: Paint, diff: string): string {
  const colours: Record<string, (text: string) => string> = {
    '+': paint.green,
    '-': paint.red,
    '@': paint.cyan,
  };
  return diff
    .split('\n')
    .map((line) => colours[line[0] ?? '']?.(line) ?? line)
    .join('\n');
}
