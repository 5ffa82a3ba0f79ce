import { findOwnSession } from '../agents/all.ts';
import { formatAge } from '../context/words.ts';
import { type HandoffRequest, resumeHandoff, saveHandoffWithGit } from '../continuity/handoff/handoff.ts';
import { formatHandoffDocument } from '../continuity/handoff/handoff-markdown.ts';
import { parseHandoff } from '../continuity/handoff/parse-handoff.ts';
import { reconcileMode } from '../continuity/work-items/work-items.ts';
import { frame, NO_TEXT } from '../framing/frame.ts';
import { locate } from '../memory/locate.ts';
import { type Handoff, type HandoffState, PENDING_HANDOFF_STATES } from '../model/work.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import { readGitState } from '../platform/git/state.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './support/command.ts';
import { readStdin } from './support/read-stdin.ts';
import { printRow } from './support/rows.ts';
import { rejectExtra, selectSubcommand } from './support/usage.ts';
import {
  changeWorkItems,
  printFramed,
  printResult,
  readWorkItems,
  requireWorkItem,
  resolveSession,
  resolveWorkItem,
  textOption,
} from './support/work-items.ts';

const GIT_MS = 5_000;

export const command: Command = {
  name: 'handoff',
  summary: 'Hand a work item over to a new session of any agent',
  usage: [
    'handoff [list] [--work <work>] [--all] [--json]',
    'handoff save [--work <work>] [--to <member>] [<note>]',
    'handoff save [--work <work>] -      (reads the parts from stdin, as JSON or Markdown)',
    'handoff resume [<handoff>]',
    'handoff show [<handoff>] [--json]',
    'handoff discard [<handoff>]',
  ].join('\n'),
  help: [
    'Cairn fills in the parts it knows; a part given on stdin replaces the one of that name: goal, state,',
    'decisions, deadEnds, files, questions, nextSteps, note.',
    'Name a handoff by its number in the work item, or by <work>/<number>. Default: the latest.',
    '--to hands it to a colleague of your team: one of their machines claims it, and their next session gets it.',
    'The next session gets it automatically; resume gives it to this session now; no later session gets it.',
  ].join('\n'),
  options: {
    work: { type: 'string' },
    to: { type: 'string' },
    all: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  words: Number.POSITIVE_INFINITY,
  run(call) {
    const [action = 'list', ...words] = call.positionals;
    return selectSubcommand({ list, save, resume, show, discard }, action)(call, words);
  },
};

async function save(call: Call, words: string[]): Promise<number> {
  const parts =
    words.length === 1 && words[0] === '-' ? parseHandoff(await readPiped()) : { note: words.join(' ') };
  if ('problem' in parts) throw new CommandError(parts.problem);
  const folder = process.cwd();
  const git = (await readGitState(folder, { timeoutMs: GIT_MS })) ?? null;
  const named = textOption(call, 'to');
  const to =
    named === undefined ? undefined : await (await import('./team/handoff.ts')).findMember(call, named);
  const saved = changeWorkItems(call, (works) => {
    const { store } = works;
    const sessionId = findOwnSession(call.env);
    const work = resolveWorkItem(call, store, textOption(call, 'work'));
    const request: HandoffRequest = {
      work,
      words: parts,
      by: sessionId === undefined ? 'person' : 'agent',
      agentSession: sessionId ?? null,
      folder,
      ...(to !== undefined && { to }),
    };
    const handoff = saveHandoffWithGit(works, request, git);
    printResult(
      call,
      handoff,
      withCairnCommand(
        to === undefined
          ? `Saved handoff ${work.name}/${handoff.number}. The next session gets it automatically. Read it: cairn handoff show`
          : `Saved handoff ${work.name}/${handoff.number} for ${to}.`,
      ),
    );
    return handoff;
  });
  if (to !== undefined)
    await (await import('./team/handoff.ts')).sendHandoff(call, { workId: saved.workId, to });
  return 0;
}

function resume(call: Call, [which, ...more]: string[]): number {
  rejectExtra(more);
  return changeWorkItems(call, (works) => {
    const handoff = requireHandoffNamed(call, works.store, which, PENDING_HANDOFF_STATES);
    const resumed = resumeHandoff(works, { handoff, session: resolveSession(works.store, undefined, call) });
    if ('problem' in resumed) throw new CommandError(resumed.problem);
    const text = frame(resumed.text.trimEnd());
    return printFramed(call, { work: resumed.work, handoff, text }, text);
  });
}

function show(call: Call, [which, ...more]: string[]): number {
  rejectExtra(more);
  return readWorkItems(call, ({ store }) => {
    const handoff = requireHandoffNamed(call, store, which);
    const work = store.getWorkItem(handoff.workId);
    return printFramed(call, handoff, work ? formatHandoffDocument(handoff, work) : NO_TEXT);
  });
}

function discard(call: Call, [which, ...more]: string[]): number {
  rejectExtra(more);
  return changeWorkItems(call, ({ store, change }) => {
    const handoff = requireHandoffNamed(call, store, which, PENDING_HANDOFF_STATES);
    const name = nameOf(store, handoff);
    store.runInTransaction(() => {
      if (!store.setHandoffState(handoff.id, 'discarded', change.at))
        throw new CommandError(`${name} was already taken: there is nothing to discard.`);
      reconcileMode(store, handoff.workId, change);
    });
    return printResult(
      call,
      store.getHandoff(handoff.id),
      withCairnCommand(`Discarded ${name}. Read it: cairn handoff show ${name}`),
    );
  });
}

function list(call: Call, words: string[]): number {
  rejectExtra(words);
  return readWorkItems(call, ({ store }) => {
    const scope = scopeOf(call, store);
    const handoffs = scope ? store.listHandoffs({ ...scope, limit: 100 }) : [];
    if (call.options.json) printJson(call, handoffs);
    else if (handoffs.length === 0) call.out(withCairnCommand('No handoffs. Create one: cairn handoff save'));
    else for (const handoff of handoffs) printRow(call, line(call, store, handoff));
    return 0;
  });
}

function line({ paint, now }: Call, store: Store, handoff: Handoff): string {
  const state = handoff.state === 'staged' ? paint.yellow('pending') : handoff.state;
  const title = store.getWorkItem(handoff.workId)?.title ?? '';
  return `${paint.bold(nameOf(store, handoff))}  ${state}  ${title}  ${paint.dim(formatAge(handoff.at, now()))}`;
}

/** `states`: the candidates if no handoff is named. */
function requireHandoffNamed(
  call: Call,
  store: Store,
  which: string | undefined,
  states?: HandoffState[],
): Handoff {
  if (which === undefined) {
    const scope = scopeOf(call, store);
    const [handoff] = scope ? store.listHandoffs({ ...scope, ...(states && { states }), limit: 1 }) : [];
    if (handoff) return handoff;
    throw new CommandError(
      withCairnCommand(`${states ? 'No pending handoffs' : 'No handoffs'}. Create one: cairn handoff save`),
    );
  }
  const [, name = textOption(call, 'work'), digits] = /^(?:(.+?)\/)?(\d{1,9})$/.exec(which) ?? [
    undefined,
    which,
  ];
  const work = resolveWorkItem(call, store, name);
  const handoffs = store.listHandoffs({ workId: work.id, limit: 1_000 });
  const handoff =
    digits === undefined ? handoffs[0] : handoffs.find(({ number }) => number === Number(digits));
  if (!handoff)
    throw new CommandError(`There is no handoff ${digits ?? ''} of ${work.name}. See: cairn handoff list`);
  return handoff;
}

/** Null if nothing has been captured yet. */
function scopeOf(call: Call, store: Store): { workId?: number; projectId?: number } | null {
  const name = textOption(call, 'work');
  if (name !== undefined) return { workId: requireWorkItem(store, name).id };
  if (call.options.all) return {};
  const { project } = locate(store, process.cwd());
  return project && { projectId: project.id };
}

function nameOf(store: Store, { workId, number }: Handoff): string {
  return `${store.getWorkItem(workId)?.name ?? '?'}/${number}`;
}

async function readPiped(): Promise<string> {
  if (process.stdin.isTTY) throw new UsageError('Missing input on stdin.');
  return String(await readStdin());
}
