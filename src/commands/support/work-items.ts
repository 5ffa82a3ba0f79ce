import { findOwnSession } from '../../agents/all.ts';
import { defaultAgent } from '../../agents/default.ts';
import { openLog } from '../../capture/open-log.ts';
import { followEvents } from '../../continuity/follow.ts';
import { applyAllEdits, mirrorWorkItems } from '../../continuity/mirror/mirror.ts';
import { findCurrentWorkItem } from '../../continuity/work-items/current-work-item.ts';
import { cleanText } from '../../curation/clean-text.ts';
import { findWorkPlace, locate } from '../../memory/locate.ts';
import { findNearest } from '../../model/find-nearest.ts';
import type { Framed } from '../../model/framed.ts';
import type { WorkItem } from '../../model/work.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/store.ts';
import { type Call, CommandError, printJson } from './command.ts';
import { readMemory, withMemory } from './memory.ts';

/** Long enough for another process to finish writing the work item files. */
const LOCK_MS = 2_000;
/** For commands that only show work items. */
const BRIEF_LOCK_MS = 200;

export interface WorkItemCall {
  store: Store;
  log: Log;
  now: () => number;
  /** The time and the log for changes. */
  change: { at: number; log: Log };
}

/** Applies captured events and edited files, then runs the command and mirrors its changes to the files. */
export function changeWorkItems<T>(call: Call, act: (works: WorkItemCall) => T): T {
  const { paths, settings, now, err } = call;
  const log = openLog({ folder: paths.logs, level: settings['log.level'], from: 'command' });
  return withMemory(call, (store) => {
    const options = { store, paths, log, now, lockMs: LOCK_MS, notify: err };
    followEvents(store, { log, now: now() });
    applyAllEdits(options);
    try {
      return act({ store, log, now, change: { at: now(), log } });
    } finally {
      mirrorWorkItems(options);
    }
  });
}

/** For commands that only show work items: does the same unless another process is writing. */
export function readWorkItems<T>(call: Call, read: (works: Pick<WorkItemCall, 'store'>) => T): T {
  const { paths, now, err } = call;
  return readMemory(
    call,
    (store) => read({ store }),
    (store, log) => {
      const options = { store, paths, log, now, lockMs: BRIEF_LOCK_MS, notify: err };
      followEvents(store, { log, now: now() });
      applyAllEdits(options);
      mirrorWorkItems(options);
    },
  );
}

/** A person may start a work item in a project that no agent has used yet. */
export function findProjectHere(store: Store, now: number): ReturnType<typeof findWorkPlace> {
  const { project, place, ...location } = locate(store, process.cwd());
  if (project) return findWorkPlace({ project, ...location });
  const { name, path, remote } = place;
  const id = store.projectFor({ name, path, ...(remote && { remote }) }, { now });
  if (id === null) throw new CommandError(`${path} cannot be made a project.`);
  return findWorkPlace({ project: { id, name }, ...location });
}

/** The named work item, else that of the current session, else the last one of this project. */
export function resolveWorkItem(call: Call, store: Store, name: string | undefined): WorkItem {
  if (name !== undefined) return requireWorkItem(store, name);
  const sessionId = findOwnSession(call.env);
  const { project, worktree } = locate(store, process.cwd());
  const projectId = project?.id ?? null;
  const work = findCurrentWorkItem(store, { agentSession: sessionId, projectId, worktree });
  if (work) return work;
  if (sessionId !== undefined)
    throw new CommandError(
      'This session has no work item yet. Choose one (cairn work list) or create one: cairn work new',
    );
  throw new CommandError(
    project
      ? 'No open work items in this project. Closed ones: cairn work list --closed'
      : 'Nothing was captured in this project yet. Is an agent connected? See: cairn status',
  );
}

export function requireWorkItem(store: Store, name: string): WorkItem {
  const work = store.findWorkItem(name);
  if (work) return work;
  const names = store.listWorkItems({ withClosed: true, limit: 1_000 }).map((work) => work.name);
  const meant = findNearest(name, names);
  throw new CommandError(
    `Unknown work item: ${name}.${meant ? ` Did you mean ${meant}?` : ''} See: cairn work list --all --closed`,
  );
}

/** `[<work>] <words>`: the first word may name a work item if more words follow. */
export function splitWorkItemAndText(
  call: Call,
  store: Store,
  words: string[],
): { work: WorkItem; text: string } {
  const [first = '', ...rest] = words;
  const isNamed = rest.length > 0 && store.findWorkItem(first) !== null;
  const text = cleanText(call, (isNamed ? rest : words).join(' '));
  if (text === '') throw new CommandError('The whole text is private.');
  return { work: resolveWorkItem(call, store, isNamed ? first : undefined), text };
}

/** The agent and id of the named session, or of the current one. */
export function resolveSession(
  store: Store,
  sessionName: string | undefined,
  { env }: Call,
): { agent: string; agentSession: string } | null {
  if (sessionName !== undefined) {
    const [session, another] = store.findSessions(sessionName);
    if (!session) throw new CommandError(`There is no session ${sessionName}. See: cairn sessions`);
    if (another) throw new CommandError(`Several sessions begin with ${sessionName}; give more of the id.`);
    return { agent: session.agent, agentSession: session.agentSession };
  }
  const own = findOwnSession(env);
  if (own === undefined) return null;
  const known = store.findSessions(own).find(({ agentSession }) => agentSession === own);
  return { agent: known?.agent ?? defaultAgent.id, agentSession: own };
}

export function printResult(call: Call, value: unknown, line: string): number {
  if (call.options.json) printJson(call, value);
  else call.out(line);
  return 0;
}

/** Like `printResult`, for a document that a model may read unchanged. */
export function printFramed(call: Call, value: unknown, text: Framed): number {
  if (call.options.json) printJson(call, value);
  else call.outFramed(text);
  return 0;
}

export function textOption({ options }: Call, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}
