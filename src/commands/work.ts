import { redactValue } from '../capture/redact/redact-value.ts';
import { when } from '../context/words.ts';
import { closeWork, openWork, renameWork, reopenWork, switchSession } from '../continuity/works/works.ts';
import { cleanText } from '../curation/clean-text.ts';
import { shorten } from '../model/shorten.ts';
import type { Work } from '../model/work.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './command.ts';
import { showWork } from './show-work.ts';
import {
  actionOf,
  meantSession,
  meantWork,
  namedWork,
  readWorks,
  refuseMore,
  saidOf,
  standingAnywhere,
  standingHere,
  textOption,
  withWorks,
  workAndWords,
} from './works.ts';

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
    return actionOf(
      'work',
      { list, show, switch: switchTo, new: begin, rename, note, close, reopen },
      action,
    )(call, words);
  },
};

function list(call: Call, words: string[]): number {
  refuseMore('work list', words);
  const { options, env, out } = call;
  return readWorks(call, ({ store }) => {
    const withClosed = options.closed === true;
    const here = standingHere(store);
    const works =
      options.all || here
        ? store.works({
            withClosed,
            limit: 1_000,
            ...(!options.all && here && { projectId: here.projectId }),
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
  work: Work & { tasks: number; done: number },
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
  refuseMore('work show', more);
  return readWorks(call, ({ store }) => showWork(call, store, meantWork(call, store, name)));
}

function switchTo(call: Call, [name, ...more]: string[]): number {
  refuseMore('work switch', more);
  if (name === undefined) throw new UsageError('To which work? They are listed by "cairn work list".');
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

    function onlyOpenSession({ now }: Call, { projectId }: Work) {
      const open = store
        .recentSessions({ projectId, limit: 20 })
        .filter(({ endedAt, lastSeen }) => endedAt === null && now() - lastSeen < 30 * 60_000);
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
  if (words.length === 0) throw new UsageError('What is it about?');
  const prompt = cleanText(call, words.join(' '));
  if (prompt === '') throw new CommandError('All of it is private.');
  return withWorks(call, ({ store, change }) => {
    const opened = openWork(store, { prompt, ...standingAnywhere(store, change.at), at: change.at });
    const session = meantSession(store, textOption(call, 'session'), call);
    const work = session
      ? switchSession(store, { ...session, workId: opened.id, by: 'person', ...change })
      : opened;
    return saidOf(call, work, `Work ${work.name} is open: ${work.title}`);
  });
}

function rename(call: Call, [name, ...words]: string[]): number {
  const text = cleanText(call, words.join(' '));
  if (name === undefined || text === '') throw new UsageError('Which work, and what shall it be called?');
  return withWorks(call, ({ store, change }) => {
    const work = renameWork(store, namedWork(store, name), text, change);
    return saidOf(call, work, `It is called ${work.name} now: ${work.title}`);
  });
}

function note(call: Call, words: string[]): number {
  return withWorks(call, ({ store, change }) => {
    const { work, text } = workAndWords(call, store, words, { needs: 'What shall be noted?' });
    const added = store.addWorkNote(work.id, redactValue(text), change.at);
    return saidOf(call, { work: work.name, ...added }, `Noted with ${work.name}.`);
  });
}

function close(call: Call, [name, ...more]: string[]): number {
  refuseMore('work close', more);
  return withWorks(call, ({ store, change }) => {
    const work = meantWork(call, store, name);
    if (work.closedAt !== null) return saidOf(call, work, `${work.name} was closed already.`);
    const closed = closeWork(store, work, change);
    return saidOf(
      call,
      closed,
      `Closed ${closed.name}: ${closed.title}. Undo: cairn work reopen ${closed.name}`,
    );
  });
}

function reopen(call: Call, [name, ...more]: string[]): number {
  refuseMore('work reopen', more);
  if (name === undefined) throw new UsageError('Which work? They are listed by "cairn work list --closed".');
  return withWorks(call, ({ store, change }) => {
    const work = namedWork(store, name);
    if (work.closedAt === null) return saidOf(call, work, `${work.name} was not closed.`);
    const opened = reopenWork(store, work, change);
    return saidOf(call, opened, `${opened.name} is open again: ${opened.title}`);
  });
}
