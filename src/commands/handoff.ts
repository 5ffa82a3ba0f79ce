import { when } from '../context/words.ts';
import { type HandoffRequest, resumeHandoff, saveHandoffWith } from '../continuity/handoff/handoff.ts';
import { handoffDocument } from '../continuity/handoff/handoff-markdown.ts';
import { readHandoffWords } from '../continuity/handoff/handoff-words.ts';
import { settle } from '../continuity/works/works.ts';
import { frame, NO_TEXT } from '../framing/frame.ts';
import type { Handoff, HandoffState } from '../model/work.ts';
import { readGitState } from '../platform/git/state.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './command.ts';
import {
  actionOf,
  meantSession,
  meantWork,
  namedWork,
  printFramed,
  readWorks,
  refuseMore,
  saidOf,
  standingHere,
  textOption,
  withWorks,
} from './works.ts';

const GIT_MS = 5_000;

export const command: Command = {
  name: 'handoff',
  summary: 'Hand a work over to a new session of any agent: save, resume, list, show, discard',
  usage: [
    'handoff [list] [--work <work>] [--all] [--json]',
    'handoff save [--work <work>] [<note>]',
    'handoff save [--work <work>] -      (its parts come from stdin, as JSON or Markdown)',
    'handoff resume [<handoff>]',
    'handoff show [<handoff>] [--json]',
    'handoff discard [<handoff>]',
  ].join('\n'),
  help: [
    'What memory knows goes in by itself; what is said on stdin stands for the part of that name: goal, state,',
    'decisions, deadEnds, files, questions, nextSteps, note.',
    'A handoff is named by its number in the work, or by <work>/<number>; without one the latest is meant.',
    'The next session gets it by itself; resume gives it at once, and to nobody else afterwards.',
  ].join('\n'),
  options: { work: { type: 'string' }, all: { type: 'boolean' }, json: { type: 'boolean' } },
  words: Number.POSITIVE_INFINITY,
  run(call) {
    const [action = 'list', ...words] = call.positionals;
    return actionOf('handoff', { list, save, resume, show, discard }, action)(call, words);
  },
};

async function save(call: Call, words: string[]): Promise<number> {
  const said =
    words.length === 1 && words[0] === '-' ? readHandoffWords(await readStdin()) : { note: words.join(' ') };
  if ('problem' in said) throw new CommandError(said.problem);
  const folder = process.cwd();
  const git = (await readGitState(folder, { timeoutMs: GIT_MS })) ?? null;
  return withWorks(call, (works) => {
    const { store } = works;
    const { sessionId } = call.env;
    const work = meantWork(call, store, textOption(call, 'work'));
    const request: HandoffRequest = {
      work,
      words: said,
      by: sessionId === undefined ? 'person' : 'agent',
      agentSession: sessionId ?? null,
      folder,
    };
    const handoff = saveHandoffWith(works, request, git);
    return saidOf(
      call,
      handoff,
      `Saved handoff ${work.name}/${handoff.number}. The next session goes on from there; to read it: cairn handoff show`,
    );
  });
}

function resume(call: Call, [which, ...more]: string[]): number {
  refuseMore('handoff resume', more);
  return withWorks(call, (works) => {
    const handoff = found(call, works.store, which, ['staged', 'given']);
    const resumed = resumeHandoff(works, { handoff, session: meantSession(works.store, undefined, call) });
    if ('problem' in resumed) throw new CommandError(resumed.problem);
    const text = frame(resumed.text.trimEnd());
    return printFramed(call, { work: resumed.work, handoff, text }, text);
  });
}

function show(call: Call, [which, ...more]: string[]): number {
  refuseMore('handoff show', more);
  return readWorks(call, ({ store }) => {
    const handoff = found(call, store, which);
    const work = store.work(handoff.workId);
    return printFramed(call, handoff, work ? handoffDocument(handoff, work) : NO_TEXT);
  });
}

function discard(call: Call, [which, ...more]: string[]): number {
  refuseMore('handoff discard', more);
  return withWorks(call, ({ store, change }) => {
    const handoff = found(call, store, which, ['staged', 'given']);
    const name = nameOf(store, handoff);
    if (handoff.state === 'taken')
      throw new CommandError(`${name} was taken already: there is nothing to discard.`);
    store.atOnce(() => {
      store.setHandoffState(handoff.id, 'discarded', change.at);
      settle(store, handoff.workId, change);
    });
    return saidOf(
      call,
      store.handoff(handoff.id),
      `Discarded ${name}. To read it still: cairn handoff show ${name}`,
    );
  });
}

function list(call: Call, words: string[]): number {
  refuseMore('handoff list', words);
  return readWorks(call, ({ store }) => {
    const scope = scopeOf(call, store);
    const handoffs = scope ? store.handoffs({ ...scope, limit: 100 }) : [];
    if (call.options.json) printJson(call, handoffs);
    else if (handoffs.length === 0) call.out('There are no handoffs. To write one: cairn handoff save');
    else for (const handoff of handoffs) call.out(line(call, store, handoff));
    return 0;
  });
}

function line({ paint, now }: Call, store: Store, handoff: Handoff): string {
  const state = handoff.state === 'staged' ? paint.yellow('waits') : handoff.state;
  const title = store.work(handoff.workId)?.title ?? '';
  return `${paint.bold(nameOf(store, handoff))}  ${state}  ${title}  ${paint.dim(when(handoff.at, now()))}`;
}

/** `states`: which are meant when none is named. */
function found(call: Call, store: Store, which: string | undefined, states?: HandoffState[]): Handoff {
  if (which === undefined) {
    const scope = scopeOf(call, store);
    const [handoff] = scope ? store.handoffs({ ...scope, ...(states && { states }), limit: 1 }) : [];
    if (handoff) return handoff;
    throw new CommandError(
      `${states ? 'No handoff waits' : 'There is no handoff'}. To write one: cairn handoff save`,
    );
  }
  const [, name = textOption(call, 'work'), digits] = /^(?:(.+?)\/)?(\d{1,9})$/.exec(which) ?? [
    undefined,
    which,
  ];
  const work = meantWork(call, store, name);
  const handoffs = store.handoffs({ workId: work.id, limit: 1_000 });
  const handoff =
    digits === undefined ? handoffs[0] : handoffs.find(({ number }) => number === Number(digits));
  if (!handoff)
    throw new CommandError(`There is no handoff ${digits ?? ''} of ${work.name}. See: cairn handoff list`);
  return handoff;
}

/** Null where nothing was captured yet. */
function scopeOf(call: Call, store: Store): { workId?: number; projectId?: number } | null {
  const name = textOption(call, 'work');
  if (name !== undefined) return { workId: namedWork(store, name).id };
  if (call.options.all) return {};
  const here = standingHere(store);
  return here && { projectId: here.projectId };
}

function nameOf(store: Store, { workId, number }: Handoff): string {
  return `${store.work(workId)?.name ?? '?'}/${number}`;
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) throw new UsageError('Nothing comes in on stdin.');
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
  return text;
}
