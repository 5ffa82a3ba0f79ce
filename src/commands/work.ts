import { redactValue } from '../capture/redact/redact-value.ts';
import { when } from '../context/words.ts';
import {
  closeWorkItem,
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
import { type Call, type Command, CommandError, printJson } from './support/command.ts';
import { showWork } from './support/show-work.ts';
import { refuseExtra, requireArgument, selectSubcommand } from './support/usage.ts';
import {
  meantSession,
  meantWork,
  namedWork,
  projectHere,
  readWorks,
  saidOf,
  textOption,
  withWorks,
  workAndWords,
} from './support/works.ts';

export const command: Command = {
  name: 'work',
  summary: 'What is being done, across sessions: list works, show one, switch, rename, note, close',
  usage: [
    'work [list] [--all] [--closed] [--json]',
    'work show [<work>] [--json]',
    'work switch <work> [--session <id>]',
    'work new <words>',
    'work rename <work> <words>',
    'work note [<work>] <words>',
    'work close [<work>]',
    'work reopen <work>',
  ].join('\n'),
  help: [
    'Where no work is named, that of the agent session is meant in which this is called; else the last of this project.',
    'A new name that is one word is only the name; more words are the new title, and its words the name.',
    '--all lists the works of all projects.',
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
      { list, show, switch: switchTo, new: begin, rename, note, close, reopen },
      action,
    )(call, words);
  },
};

function list(call: Call, words: string[]): number {
  refuseExtra(words);
  const { options, env, out } = call;
  return readWorks(call, ({ store }) => {
    const withClosed = options.closed === true;
    const { project } = locate(store, process.cwd());
    const works =
      options.all || project
        ? store.works({
            withClosed,
            limit: 1_000,
            ...(!options.all && project && { projectId: project.id }),
          })
        : [];
    const own = env.sessionId === undefined ? undefined : store.workOfSession(env.sessionId)?.id;
    const rows = works.map((work) => {
      const tasks = store.tasksOf(work.id).filter(({ state }) => state !== 'dropped');
      return { ...work, tasks: tasks.length, done: tasks.filter(({ state }) => state === 'done').length };
    });
    if (options.json) printJson(call, rows);
    else if (rows.length === 0)
      out(
        `No work is open${options.all ? '' : ' in this project'}. An agent begins one with its first prompt.`,
      );
    else for (const row of rows) out(line(call, row, row.id === own));
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
  }${tasks}  ${paint.dim(when(work.changedAt, now()))}`;
}

function show(call: Call, [name, ...more]: string[]): number {
  refuseExtra(more);
  return readWorks(call, ({ store }) => showWork(call, store, meantWork(call, store, name)));
}

function switchTo(call: Call, [word, ...more]: string[]): number {
  refuseExtra(more);
  const name = requireArgument(word, 'work item', 'See: cairn work list');
  return withWorks(call, ({ store, change }) => {
    const work = namedWork(store, name);
    const given = textOption(call, 'session');
    const session = meantSession(store, given, call) ?? onlyOpenSession(call, work);
    const by = given === undefined && call.env.sessionId !== undefined ? 'agent' : 'person';
    const now = switchSession(store, { ...session, workId: work.id, by, ...change });
    return saidOf(
      call,
      now,
      `Session ${session.agentSession} works on ${now.name} from now on: ${now.title}`,
    );

    function onlyOpenSession({ now }: Call, { projectId }: WorkItem) {
      const open = store
        .recentSessions({ projectId, limit: 20 })
        .filter(({ endedAt, lastSeen }) => endedAt === null && now() - lastSeen < SESSION_SILENT_MS);
      const [one, another] = open;
      if (one && !another) return { agent: one.agent, agentSession: one.agentSession };
      const ids = open.map(({ agentSession }) => agentSession).join(', ');
      throw new CommandError(
        one
          ? `Which session? Open are: ${ids}. Give one with --session.`
          : 'No session is open in this project.',
      );
    }
  });
}

function begin(call: Call, words: string[]): number {
  requireArgument(words[0], 'title');
  const prompt = cleanText(call, words.join(' '));
  if (prompt === '') throw new CommandError('All of it is private.');
  return withWorks(call, ({ store, change }) => {
    const opened = openWorkItem(store, { prompt, ...projectHere(store, change.at), at: change.at });
    const session = meantSession(store, textOption(call, 'session'), call);
    const work = session
      ? switchSession(store, { ...session, workId: opened.id, by: 'person', ...change })
      : opened;
    return saidOf(call, work, `Work ${work.name} is open: ${work.title}`);
  });
}

function rename(call: Call, [word, ...words]: string[]): number {
  const name = requireArgument(word, 'work item', 'See: cairn work list');
  const text = requireArgument(cleanText(call, words.join(' ')), 'new name');
  return withWorks(call, ({ store, change }) => {
    const work = renameWorkItem(store, namedWork(store, name), text, change);
    return saidOf(call, work, `It is called ${work.name} now: ${work.title}`);
  });
}

function note(call: Call, words: string[]): number {
  requireArgument(words[0], 'note');
  return withWorks(call, ({ store, change }) => {
    const { work, text } = workAndWords(call, store, words);
    const added = store.addWorkNote(work.id, redactValue(text), change.at);
    return saidOf(call, { work: work.name, ...added }, `Noted with ${work.name}.`);
  });
}

function close(call: Call, [name, ...more]: string[]): number {
  refuseExtra(more);
  return withWorks(call, ({ store, change }) => {
    const work = meantWork(call, store, name);
    if (work.closedAt !== null) return saidOf(call, work, `${work.name} was closed already.`);
    const closed = closeWorkItem(store, work, change);
    return saidOf(
      call,
      closed,
      `Closed ${closed.name}: ${closed.title}. Undo: cairn work reopen ${closed.name}`,
    );
  });
}

function reopen(call: Call, [word, ...more]: string[]): number {
  refuseExtra(more);
  const name = requireArgument(word, 'work item', 'See: cairn work list --closed');
  return withWorks(call, ({ store, change }) => {
    const work = namedWork(store, name);
    if (work.closedAt === null) return saidOf(call, work, `${work.name} was not closed.`);
    const opened = reopenWorkItem(store, work, change);
    return saidOf(call, opened, `${opened.name} is open again: ${opened.title}`);
  });
}
