import { drain } from '../../capture/drain.ts';
import { listSpool } from '../../capture/spool.ts';
import { storedPlaceOf } from '../../capture/stored-place.ts';
import { followEvents } from '../../continuity/follow.ts';
import { mirrorWorks, readBackEdits } from '../../continuity/mirror/mirror.ts';
import { openWork, switchSession } from '../../continuity/works/works.ts';
import { cleanText } from '../../curation/clean-text.ts';
import { shorten } from '../../model/shorten.ts';
import type { Work } from '../../model/work.ts';
import { describeError } from '../../platform/log.ts';
import { BusyDatabaseError, FullDiskError, ReadOnlyDatabaseError } from '../../store/store.ts';
import { NO_SESSION, type Scene } from './tool.ts';
import { ToolTrouble } from './trouble.ts';

const LONGEST_WAIT_MS = 1_500;

/** What was captured and what was edited by hand counts before a tool acts on works; what it changes is mirrored. */
export async function withWorks<T>(scene: Scene, act: (scene: Scene) => T | Promise<T>): Promise<T> {
  const { store, log, now, folder } = scene;
  takeInAll(scene);
  try {
    followEvents(store, { log, now: now() });
    readBackEdits(scene);
  } catch (error) {
    // Works can be read while another process writes, or nothing can be written; a change says itself why it fails.
    if (
      !(
        error instanceof BusyDatabaseError ||
        error instanceof FullDiskError ||
        error instanceof ReadOnlyDatabaseError
      )
    )
      throw error;
    log.warn('works not brought up to date', { cause: describeError(error) });
  }
  try {
    return await act({ ...scene, project: scene.project ?? store.findProject(storedPlaceOf(folder)) });
  } finally {
    mirrorWorks(scene);
  }
}

/** Somebody else may be taking in at this moment what this session was asked, which tells its work. */
function takeInAll({ store, paths, settings, log, now, agentSession }: Scene): void {
  if (store.workOfSession(agentSession) || listSpool(paths).length === 0) return;
  drain({ paths, settings, log, now, store, lockMs: LONGEST_WAIT_MS });
}

/** Who is to go on with a work; null for a client that does not say which session it is. */
export function sessionIn({ store, agent, agentSession }: Scene): {
  agent: string;
  agentSession: string;
} | null {
  if (agentSession === NO_SESSION) return null;
  const known = store.findSessions(agentSession).find((each) => each.agentSession === agentSession);
  return { agent: known?.agent ?? agent, agentSession };
}

/** The work of this session; for a client that does not say which session it is, the last one here. */
export function ownWork({ store, agentSession, project, folder }: Scene): Work | null {
  if (agentSession !== NO_SESSION) {
    const work = store.workOfSession(agentSession);
    return work?.closedAt === null ? work : null;
  }
  const works = project ? store.works({ projectId: project.id, limit: 100 }) : [];
  const worktree = storedPlaceOf(folder).worktree ?? null;
  return works.find((work) => work.worktree === worktree) ?? works[0] ?? null;
}

export function namedWork({ store, project }: Scene, name: string): Work {
  const work = store.workByName(name);
  if (work) return work;
  const open = project ? store.works({ projectId: project.id, limit: 10 }) : [];
  const names =
    open.length > 0 ? ` Open here: ${open.map((each) => shorten(each.name, 80)).join(', ')}.` : '';
  throw new ToolTrouble(`There is no work "${shorten(name, 80)}".${names}`);
}

/** Begins a work, named after these words, for this session. */
export function beginWork(scene: Scene, words: string): Work {
  const { store, project, folder, log, now } = scene;
  const prompt = cleanText(scene, words);
  if (prompt === '') throw new ToolTrouble('Nothing was changed: all of it is private.');
  if (!project) throw new ToolTrouble('Nothing was captured in this project yet, so there is no work in it.');
  const { branch = null, worktree = null } = storedPlaceOf(folder);
  const at = now();
  return store.atOnce(() => {
    const work = openWork(store, { prompt, projectId: project.id, branch, worktree, at });
    const session = sessionIn(scene);
    return session ? switchSession(store, { ...session, workId: work.id, by: 'agent', at, log }) : work;
  });
}
