import type { Place } from '../../model/project.ts';
import type { Redacted } from '../../model/redacted.ts';
import type { Store } from '../../store/store.ts';
import type { TeamProject } from '../../store/types/team.ts';
import type { Heads, ProjectHead, TeamFeed } from '../feed.ts';
import { newId } from './ledger.ts';
import { readAgain, saveProject } from './origin.ts';
import { keyOfRemote } from './project-key.ts';

export interface LinkedProject {
  project: TeamProject;
  head: ProjectHead;
}

export interface LinkOptions {
  now: number;
  sharesAll: boolean;
  /** The place where a person runs a command, possibly a clone in which nothing was captured yet. */
  here?: Redacted<Place> | undefined;
}

/**
 * Finds the server's project for each local one. A project of the team with a checkout here is read from now on.
 * Local memories are shared only if a person has decided so, or in a home that was created for the team.
 */
export async function linkProjects(
  store: Store,
  feed: TeamFeed,
  heads: Heads,
  { now, sharesAll, here }: LinkOptions,
): Promise<LinkedProject[]> {
  const known = new Map(store.listTeamProjects().map((project) => [project.key, project]));
  const byKey = new Map(heads.projects.map((head) => [head.key, head]));
  if (here) addClone(store, here, byKey, now);
  for (const { id, remote } of store.listProjects()) {
    const key = remote === undefined ? null : keyOfRemote(remote);
    if (key === null || known.has(key) || !byKey.has(key) || isLinked(known, id)) continue;
    const project = newTeamProject({ projectId: id, key, isShared: sharesAll, since: now });
    saveProject(store, project);
    known.set(key, project);
  }
  const linked: LinkedProject[] = [];
  for (const project of store.listTeamProjects()) {
    const head = byKey.get(project.key) ?? (await register(feed, project));
    const serverId = head?.id ?? null;
    const canWrite = head?.canWrite ?? project.canWrite;
    const current = { ...project, serverId, canWrite };
    if (serverId !== project.serverId || canWrite !== project.canWrite) saveProject(store, current);
    // No changes were collected while this member could not write.
    if (canWrite && !project.canWrite && project.isShared) store.markProject(project.projectId);
    if (head) linked.push({ project: current, head });
    // It may come back under another number.
    else if (project.seq > 0) readAgain(store, current);
  }
  return linked;
}

function addClone(store: Store, place: Redacted<Place>, byKey: Map<string, ProjectHead>, now: number): void {
  const { name, path, remote } = place;
  const key = remote === undefined ? null : keyOfRemote(remote);
  if (remote === undefined || key === null || !byKey.has(key) || store.findProject(place)) return;
  store.projectFor({ name, path, remote }, { now });
}

function isLinked(known: Map<string, TeamProject>, projectId: number): boolean {
  return [...known.values()].some((project) => project.projectId === projectId);
}

/** Registers a project that this home shares and the server lacks. Null if it is not shared or access was taken away. */
async function register(
  feed: TeamFeed,
  { key, name, isShared, serverId }: TeamProject,
): Promise<ProjectHead | null> {
  return isShared && serverId === null ? feed.openProject(key, Buffer.from(name)) : null;
}

export function newTeamProject(
  project: Pick<TeamProject, 'projectId' | 'key' | 'isShared' | 'since'>,
): TeamProject {
  return {
    ...project,
    ...{ name: '', digestKey: project.key },
    serverId: null,
    canWrite: true,
    origin: newId(),
    nextN: 1,
    seq: 0,
    chain: null,
    confirmed: 0,
  };
}
