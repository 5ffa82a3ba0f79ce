import { unifiedDiff } from '../agents/install/unified-diff.ts';
import { when } from '../context/words.ts';
import { settle } from '../continuity/works/works.ts';
import type { Plan, Work } from '../model/work.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './command.ts';
import type { Paint } from './paint.ts';
import { actionOf, meantWork, readWorks, refuseMore, saidOf, textOption, withWorks } from './works.ts';

export const command: Command = {
  name: 'plan',
  summary: 'The plan of a work, in all its versions: show it, compare two, finish it',
  usage: [
    'plan [show] [<work>] [--version <n>] [--json]',
    'plan list [<work>] [--json]',
    'plan diff [<work>] [<from> <to>]',
    'plan done [<work>]',
  ].join('\n'),
  help: [
    'Shown is the accepted plan, else the latest. Compared are the last two versions unless two are named.',
    'A plan that is done does not come back into new sessions; it is so by itself when its last task is.',
  ].join('\n'),
  options: { version: { type: 'string' }, json: { type: 'boolean' } },
  words: 4,
  run(call) {
    const [action = 'show', ...words] = call.positionals;
    return actionOf('plan', { show, list, diff, done }, action)(call, words);
  },
};

function show(call: Call, [name, ...more]: string[]): number {
  refuseMore('plan show', more);
  const version = textOption(call, 'version');
  return readWorks(call, ({ store }) => {
    const work = meantWork(call, store, name);
    const plan = version === undefined ? currentPlan(store, work) : planOf(store, work, version);
    return saidOf(call, plan, `${call.paint.dim(described(call, work, plan))}\n\n${plan.text.trimEnd()}`);
  });
}

function list(call: Call, [name, ...more]: string[]): number {
  refuseMore('plan list', more);
  return readWorks(call, ({ store }) => {
    const work = meantWork(call, store, name);
    const plans = store.plansOf(work.id);
    if (call.options.json) printJson(call, plans);
    else if (plans.length === 0) call.out(`${work.name} has no plan.`);
    else for (const plan of plans) call.out(described(call, work, plan));
    return 0;
  });
}

function diff(call: Call, words: string[]): number {
  const isVersion = (word: string | undefined) => word !== undefined && /^v?\d+$/.test(word);
  const [name, from, to] = isVersion(words[0]) ? [undefined, ...words] : words;
  if ((from === undefined) !== (to === undefined))
    throw new UsageError('Two versions are compared, or none is named.');
  return readWorks(call, ({ store }) => {
    const work = meantWork(call, store, name);
    const [latest, before] = store.plansOf(work.id);
    const older = from === undefined ? before : planOf(store, work, from);
    const newer = to === undefined ? latest : planOf(store, work, to);
    if (!older || !newer) throw new CommandError(`There are no two versions of the plan of ${work.name}.`);
    const text = compared(older, newer);
    return saidOf(
      call,
      { from: older.version, to: newer.version, diff: text },
      text === '' ? 'They are the same.' : coloured(call.paint, text),
    );
  });
}

function done(call: Call, [name, ...more]: string[]): number {
  refuseMore('plan done', more);
  return withWorks(call, ({ store, change }) => {
    const work = meantWork(call, store, name);
    const plan = store.acceptedPlan(work.id);
    if (!plan) throw new CommandError(`No plan of ${work.name} is being worked on.`);
    store.atOnce(() => {
      store.setPlanState(plan.id, 'finished', change.at);
      settle(store, work.id, change);
    });
    return saidOf(
      call,
      { ...plan, state: 'finished' },
      `The plan of ${work.name} (version ${plan.version}) is done.`,
    );
  });
}

function currentPlan(store: Store, work: Work): Plan {
  const plan = store.acceptedPlan(work.id) ?? store.plansOf(work.id)[0];
  if (!plan) throw new CommandError(`${work.name} has no plan.`);
  return plan;
}

function planOf(store: Store, work: Work, version: string): Plan {
  const number = Number(version.replace(/^v/, ''));
  if (!Number.isInteger(number)) throw new UsageError(`"${version}" is no version of a plan.`);
  const plan = store.plansOf(work.id).find((each) => each.version === number);
  if (!plan)
    throw new CommandError(
      `${work.name} has no plan of version ${number}. See: cairn plan list ${work.name}`,
    );
  return plan;
}

function described({ now }: Call, work: Work, { version, state, at }: Plan): string {
  return `Plan of ${work.name}, version ${version}, ${state}, ${when(at, now())}`;
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
