import { findOwnSession } from '../agents/all.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { formatAge } from '../context/words.ts';
import { bindChoice } from '../continuity/work-items/bind-session.ts';
import { chooseWorkItem } from '../continuity/work-items/choose-work-item.ts';
import {
  closeWorkItem,
  leaveWorkItem,
  openWorkItem,
  renameWorkItem,
  reopenWorkItem,
  switchSession,
} from '../continuity/work-items/work-items.ts';
import { cleanText } from '../curation/clean-text.ts';
import { locate } from '../memory/locate.ts';
import { SESSION_SILENT_MS } from '../model/session.ts';
import { shorten } from '../model/shorten.ts';
import type { WorkItem } from '../model/work.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, CommandError, printJson } from './support/command.ts';
import { printRow } from './support/rows.ts';
import { showWorkItem } from './support/show-work-item.ts';
import { rejectExtra, requireArgument, selectSubcommand } from './support/usage.ts';
import {
  changeWorkItems,
  findProjectHere,
  printResult,
  readWorkItems,
  requireWorkItem,
  resolveSession,
  resolveWorkItem,
  splitWorkItemAndText,
  textOption,
} from './support/work-items.ts';

export const command: Command = {
  name: 'work',
  summary: 'List and manage work items, which outlive sessions',
  usage: [
    'work [list] [--all] [--closed] [--json]',
    'work show [<work>] [--json]',
    'work switch <work> [--session <id>]',
    'work leave [--session <id>]',
    'work new <words>',
    'work rename <work> <words>',
    'work note [<work>] <words>',
    'work close [<work>]',
    'work reopen <work>',
  ].join('\n'),
  help: [
    'Default work item: that of the agent session which runs this, or else the latest of this project.',
    'leave removes the session from the work item that its prompt joined; it does not rejoin automatically.',
    'rename with one word changes only the name; more words are the new title, and the name follows it.',
    '--all lists the work items of all projects.',
  ].join('\n'),
  options: {
    all: { type: 'boolean' },
    closed: { type: 'boolean' },
    session: { type: 'string' },
    json: { type: 'boolean' },
  },
  words: Number.POSITIVE_INFINITY,
  run(call) {
    const [action = 'list', ...words] = call.positionals;
    return selectSubcommand(
      { list, show, switch: switchTo, leave, new: begin, rename, note, close, reopen },
      action,
    )(call, words);
  },
};

function list(call: Call, words: string[]): number {
  rejectExtra(words);
  const { options, env, out } = call;
  return readWorkItems(call, ({ store }) => {
    const withClosed = options.closed === true;
    const { project } = locate(store, process.cwd());
    const works =
      options.all || project
        ? store.listWorkItems({
            withClosed,
            withTeam: true,
            limit: 1_000,
            ...(!options.all && project && { projectId: project.id }),
          })
        : [];
    const session = findOwnSession(env);
    const own = session === undefined ? undefined : store.findSessionWorkItem(session)?.id;
    const rows = works.map((work) => {
      const tasks = store.listTasks(work.id).filter(({ state }) => state !== 'dropped');
      return { ...work, tasks: tasks.length, done: tasks.filter(({ state }) => state === 'done').length };
    });
    if (options.json) printJson(call, rows);
    else if (rows.length === 0)
      out(
        `No open work items${options.all ? '' : ' in this project'}. An agent creates one with its first prompt.`,
      );
    else for (const row of rows) printRow(call, line(call, row, row.id === own));
    return 0;
  });
}

function line(
  { paint, now, options }: Call,
  work: WorkItem & { tasks: number; done: number },
  isOwn: boolean,
): string {
  const mode = work.closedAt === null ? (work.mode === 'idle' ? '' : work.mode.replace('_', ' ')) : 'closed';
  const tasks = work.tasks > 0 ? paint.dim(` ${work.done}/${work.tasks} tasks`) : '';
  const project = options.all ? ` ${paint.cyan(work.project)}` : '';
  return `${isOwn ? '*' : ' '} ${paint.bold(work.name)}${project}  ${shorten(work.title, 70)}${
    mode && paint.yellow(`  ${mode}`)
  }${tasks}  ${paint.dim(formatAge(work.changedAt, now()))}`;
}

function show(call: Call, [name, ...more]: string[]): number {
  rejectExtra(more);
  return readWorkItems(call, ({ store }) => showWorkItem(call, store, resolveWorkItem(call, store, name)));
}

function switchTo(call: Call, [word, ...more]: string[]): number {
  rejectExtra(more);
  const name = requireArgument(word, 'work item', 'See: cairn work list');
  return changeWorkItems(call, ({ store, change }) => {
    const work = requireWorkItem(store, name);
    const sessionName = textOption(call, 'session');
    const session = resolveSession(store, sessionName, call) ?? onlyOpenSession(call, store, work.projectId);
    const by = sessionName === undefined && findOwnSession(call.env) !== undefined ? 'agent' : 'person';
    const now = switchSession(store, { ...session, workId: work.id, by, ...change });
    return printResult(call, now, `Session ${session.agentSession} now works on ${now.name}: ${now.title}`);
  });
}

/** Undoes the binding by the first prompt, or by the start of the session if there was no prompt yet. */
function leave(call: Call, words: string[]): number {
  rejectExtra(words);
  return changeWorkItems(call, ({ store, change }) => {
    const session =
      resolveSession(store, textOption(call, 'session'), call) ??
      onlyOpenSession(call, store, locate(store, process.cwd()).project?.id);
    const { agentSession } = session;
    const work = store.findSessionWorkItem(agentSession) ?? store.findLastShownWorkItem(agentSession);
    if (!work || store.listLeftWorkItems(agentSession).has(work.id))
      throw new CommandError(`Session ${agentSession} has no work item.`);
    if (store.getBinding(agentSession)?.by === 'new')
      throw new CommandError(
        `Session ${agentSession} created ${work.name}. Choose another: cairn work switch`,
      );
    leaveWorkItem(store, { ...session, workId: work.id, ...change });
    const next = createOwnWorkItem(store, session, { projectId: work.projectId, ...change });
    return printResult(
      call,
      { left: work.name, work: next?.name ?? null },
      withCairnCommand(
        `Session ${agentSession} left ${work.name}.${next ? ` It now works on ${next.name}: ${next.title}.` : ''} ` +
          `Undo: cairn work switch ${work.name} --session ${agentSession}`,
      ),
    );
  });
}

/** Named after the session's request, unless that has no subject, such as "continue". */
function createOwnWorkItem(
  store: Store,
  session: { agent: string; agentSession: string },
  { projectId, at, log }: { projectId: number; at: number; log: Log },
): WorkItem | null {
  const known = store.findSessions(session.agentSession)[0];
  if (!known?.firstPrompt) return null;
  const { branch, worktree, firstPrompt: text } = known;
  const request = { ...session, projectId, branch, worktree, text, permissionMode: null, at, log };
  const choice = chooseWorkItem(store, { ...request, now: at });
  return choice?.work === 'new' ? bindChoice(store, request, choice).work : null;
}

function onlyOpenSession({ now }: Call, store: Store, projectId: number | undefined) {
  const sessions = projectId === undefined ? [] : store.listRecentSessions({ projectId, limit: 20 });
  const open = sessions.filter(
    ({ endedAt, lastSeen }) => endedAt === null && now() - lastSeen < SESSION_SILENT_MS,
  );
  const [one, another] = open;
  if (one && !another) return { agent: one.agent, agentSession: one.agentSession };
  const ids = open.map(({ agentSession }) => agentSession).join(', ');
  throw new CommandError(
    one
      ? `Missing session. Open sessions: ${ids}. Choose one with --session.`
      : 'No open sessions in this project.',
  );
}

function begin(call: Call, words: string[]): number {
  requireArgument(words[0], 'title');
  const prompt = cleanText(call, words.join(' '));
  if (prompt === '') throw new CommandError('The whole text is private.');
  return changeWorkItems(call, ({ store, change }) => {
    const opened = openWorkItem(store, { prompt, ...findProjectHere(store, change.at), at: change.at });
    const session = resolveSession(store, textOption(call, 'session'), call);
    const work = session
      ? switchSession(store, { ...session, workId: opened.id, by: 'person', ...change })
      : opened;
    return printResult(call, work, `Created work item ${work.name}: ${work.title}`);
  });
}

function rename(call: Call, [word, ...words]: string[]): number {
  const name = requireArgument(word, 'work item', 'See: cairn work list');
  const text = requireArgument(cleanText(call, words.join(' ')), 'new name');
  return changeWorkItems(call, ({ store, change }) => {
    const work = renameWorkItem(store, requireWorkItem(store, name), text, change);
    return printResult(call, work, `Renamed to ${work.name}: ${work.title}`);
  });
}

function note(call: Call, words: string[]): number {
  requireArgument(words[0], 'note');
  return changeWorkItems(call, ({ store, change }) => {
    const { work, text } = splitWorkItemAndText(call, store, words);
    const added = store.addWorkNote(work.id, redactValue(text), change.at);
    return printResult(call, { work: work.name, ...added }, `Added a note to ${work.name}.`);
  });
}

function close(call: Call, [name, ...more]: string[]): number {
  rejectExtra(more);
  return changeWorkItems(call, ({ store, change }) => {
    const work = resolveWorkItem(call, store, name);
    if (work.closedAt !== null) return printResult(call, work, `${work.name} is already closed.`);
    const closed = closeWorkItem(store, work, change);
    return printResult(
      call,
      closed,
      withCairnCommand(`Closed ${closed.name}: ${closed.title}. Undo: cairn work reopen ${closed.name}`),
    );
  });
}

function reopen(call: Call, [word, ...more]: string[]): number {
  rejectExtra(more);
  const name = requireArgument(word, 'work item', 'See: cairn work list --closed');
  return changeWorkItems(call, ({ store, change }) => {
    const work = requireWorkItem(store, name);
    if (work.closedAt === null) return printResult(call, work, `${work.name} is not closed.`);
    const opened = reopenWorkItem(store, work, change);
    return printResult(call, opened, `Reopened ${opened.name}: ${opened.title}`);
  });
}
