import { openLog } from '../capture/open-log.ts';
import { storedPlaceOf } from '../capture/stored-place.ts';
import { followEvents } from '../continuity/follow.ts';
import { mirrorWorks, readBackEdits } from '../continuity/mirror/mirror.ts';
import { cleanText } from '../curation/clean-text.ts';
import type { Framed } from '../model/framed.ts';
import type { Work } from '../model/work.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import { type Call, CommandError, printJson, UsageError } from './command.ts';
import { withMemory } from './memory.ts';
import { nearest } from './nearest.ts';
import { readMemory } from './read-memory.ts';

/** Long enough for whoever writes the works' files to be done with it. */
const LOCK_MS = 2_000;
/** For a command that only shows works. */
const BRIEF_LOCK_MS = 200;

export interface WorksNow {
  store: Store;
  log: Log;
  now: () => number;
  /** When, for what is changed now, and where to say what is refused. */
  change: { at: number; log: Log };
}

/** Works as they are now: what was captured and what was edited by hand counts; what is changed is mirrored. */
export function withWorks<T>(call: Call, act: (works: WorksNow) => T): T {
  const { paths, settings, now, err } = call;
  const log = openLog({ folder: paths.logs, level: settings['log.level'], from: 'command' });
  return withMemory(call, (store) => {
    const world = { store, paths, log, now, lockMs: LOCK_MS, tell: err };
    followEvents(store, { log, now: now() });
    readBackEdits(world);
    try {
      return act({ store, log, now, change: { at: now(), log } });
    } finally {
      mirrorWorks(world);
    }
  });
}

/** For what only shows works: the same, as far as nothing else is writing. */
export function readWorks<T>(call: Call, read: (works: Pick<WorksNow, 'store'>) => T): T {
  const { paths, now, err } = call;
  return readMemory(
    call,
    (store) => read({ store }),
    (store, log) => {
      const world = { store, paths, log, now, lockMs: BRIEF_LOCK_MS, tell: err };
      followEvents(store, { log, now: now() });
      readBackEdits(world);
      mirrorWorks(world);
    },
  );
}

type Action = (call: Call, words: string[]) => number | Promise<number>;

/** The part of a command that its first word names. */
export function actionOf(command: string, actions: Record<string, Action>, word: string): Action {
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
  if (action) return action;
  const meant = nearest(word, Object.keys(actions));
  throw new UsageError(`"cairn ${command}" cannot ${word}.${meant ? ` Did you mean ${meant}?` : ''}`);
}

/** Where a person or an agent stands who asks. */
export interface Standing {
  projectId: number;
  branch: string | null;
  worktree: string | null;
}

/** Null where nothing was captured yet. */
export function standingHere(store: Store): Standing | null {
  const place = storedPlaceOf(process.cwd());
  const project = store.findProject(place);
  return project && { projectId: project.id, branch: place.branch ?? null, worktree: place.worktree ?? null };
}

/** A person may begin something where no agent was yet. */
export function standingAnywhere(store: Store, now: number): Standing {
  const { name, path, remote, branch = null, worktree = null } = storedPlaceOf(process.cwd());
  const here = standingHere(store);
  if (here) return here;
  const projectId = store.projectFor({ name, path, ...(remote && { remote }) }, { now });
  if (projectId === null) throw new CommandError(`${path} cannot be made a project.`);
  return { projectId, branch, worktree };
}

export function standing(store: Store): Standing {
  const here = standingHere(store);
  if (here) return here;
  throw new CommandError(
    'Nothing was captured in this project yet. Connect an agent: cairn install claude-code',
  );
}

/** The one that is named; else the one of the session we are called in; else the last of this project. */
export function meantWork(call: Call, store: Store, name: string | undefined): Work {
  if (name !== undefined) return namedWork(store, name);
  const { sessionId } = call.env;
  if (sessionId !== undefined) {
    const work = store.workOfSession(sessionId);
    if (work) return work;
    throw new CommandError(
      'This session has no work yet. Name one (cairn work list) or begin one: cairn work new',
    );
  }
  const { projectId, worktree } = standing(store);
  const works = store.works({ projectId, limit: 100 });
  const work = works.find((each) => each.worktree === worktree) ?? works[0];
  if (!work)
    throw new CommandError(
      'No work is open in this project. Those that are closed: cairn work list --closed',
    );
  return work;
}

export function namedWork(store: Store, name: string): Work {
  const work = store.workByName(name);
  if (work) return work;
  const names = store.works({ withClosed: true, limit: 1_000 }).map((each) => each.name);
  const meant = nearest(name, names);
  throw new CommandError(
    `There is no work "${name}".${meant ? ` Did you mean ${meant}?` : ''} See: cairn work list --all --closed`,
  );
}

/** `[<work>] <words>`: the first word may name a work if something follows it. */
export function workAndWords(
  call: Call,
  store: Store,
  words: string[],
  { needs }: { needs: string },
): { work: Work; text: string } {
  const [first = '', ...rest] = words;
  const isNamed = rest.length > 0 && store.workByName(first) !== null;
  const text = cleanText(call, (isNamed ? rest : words).join(' '));
  if (words.length === 0 || (isNamed && text === '')) throw new UsageError(needs);
  if (text === '') throw new CommandError('All of it is private.');
  return { work: meantWork(call, store, isNamed ? first : undefined), text };
}

/** The agent and the id of the session that is meant: the one given, else the one we are called in. */
export function meantSession(
  store: Store,
  given: string | undefined,
  { env }: Call,
): { agent: string; agentSession: string } | null {
  if (given !== undefined) {
    const [session, another] = store.findSessions(given);
    if (!session) throw new CommandError(`There is no session ${given}. See: cairn sessions`);
    if (another) throw new CommandError(`Several sessions begin with ${given}; give more of the id.`);
    return { agent: session.agent, agentSession: session.agentSession };
  }
  if (env.sessionId === undefined) return null;
  const known = store.findSessions(env.sessionId).find(({ agentSession }) => agentSession === env.sessionId);
  return { agent: known?.agent ?? 'claude-code', agentSession: env.sessionId };
}

/** One word or number too many is a mistake, not something to pass over. */
export function refuseMore(command: string, [unknown]: string[]): void {
  if (unknown !== undefined) throw new UsageError(`"cairn ${command}" does not take "${unknown}".`);
}

export function saidOf(call: Call, value: unknown, line: string): number {
  if (call.options.json) printJson(call, value);
  else call.out(line);
  return 0;
}

/** The same for a document that a model may read as it is. */
export function printFramed(call: Call, value: unknown, text: Framed): number {
  if (call.options.json) printJson(call, value);
  else call.outFramed(text);
  return 0;
}

export function textOption({ options }: Call, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}
