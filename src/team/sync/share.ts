import type { Store } from '../../store/store.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import { isDue } from './collect.ts';
import { openLedger, type TeamOptions } from './ledger.ts';
import { newTeamProject } from './link-projects.ts';
import { saveProject } from './origin.ts';

export interface ShareRequest {
  projectId: number;
  key: string;
  /** Also what was made before; otherwise only what is made from now on. */
  withPast: boolean;
  now: number;
}

/** From now on what is made in this project is shared. */
export function shareProjectWithTeam(store: Store, { projectId, key, withPast, now }: ShareRequest): void {
  store.runInTransaction(() => {
    const known = store.listTeamProjects().find((project) => project.projectId === projectId);
    const project = known ?? newTeamProject({ projectId, key, isShared: true, since: now });
    const since = withPast ? 0 : known?.isShared ? known.since : now;
    saveProject(store, { ...project, key, isShared: true, since });
    if (withPast) store.markProject(projectId);
  });
}

/** What the team has of one memory. */
export interface MemorySharing {
  isShared: boolean;
  /** Why this machine cannot change it; null if it can. */
  problem: string | null;
}

/** Null without a team. */
export function readMemorySharing(store: Store, memory: StoredMemory): MemorySharing | null {
  if (!store.getTeam()) return null;
  const isShared = isMemoryShared(store, memory);
  return { isShared, problem: findSharingProblem(store, memory, isShared ? 'never' : 'always') };
}

/** @returns why this decision is not possible; null if it is. What is not shared can still be kept private for good. */
export function findSharingProblem(
  store: Store,
  memory: StoredMemory,
  sharing: 'always' | 'never',
): string | null {
  const { id, projectId } = memory;
  const author = store.findTeamItem('memory', id)?.author ?? null;
  if (author !== null)
    return author === store.getTeam()?.member
      ? `#${id} was made on another machine of yours. Decide there whether it is shared.`
      : `#${id} is from ${author}, who decides whether it is shared.`;
  const project = findProject(store, projectId);
  if (project && !project.canWrite)
    return `You can only read ${project.name} in the team. An administrator can change that: cairn team rights`;
  if (sharing === 'never') return null;
  if (projectId === null) return `#${id} belongs to no project. Only memories of a project can be shared.`;
  if (!project?.isShared)
    return `The project of #${id} is not shared. Share it first, in its folder: cairn team share`;
  return isMemoryShared(store, memory) ? `#${id} is shared already.` : null;
}

function isMemoryShared(store: Store, { id, projectId }: StoredMemory): boolean {
  const project = findProject(store, projectId);
  const row = store.readSharedRow('memory', id);
  const known = store.findTeamItem('memory', id);
  if (known && known.author !== null) return !known.isDead;
  if (!project?.isShared || !row || row.sharing === 'never') return false;
  return known ? !known.isDead : project.canWrite && isDue(row, project);
}

function findProject(store: Store, projectId: number | null) {
  return store.listTeamProjects().find((project) => project.projectId === projectId);
}

/** One memory, whatever its project shares; after `findSharingProblem`. */
export function chooseMemorySharing(store: Store, id: number, sharing: 'always' | 'never'): void {
  store.runInTransaction(() => {
    store.chooseSharing(id, sharing);
    store.markRow('memory', id);
  });
}

/** What was made here is deleted for the others; it stays here. What others made is still read. @returns how many items. */
export function unshareProjectFromTeam(options: TeamOptions, projectId: number): number {
  const { store } = options;
  return store.runInTransaction(() => {
    const ledger = openLedger(options);
    const project = ledger?.projects.get(projectId);
    if (!ledger || !project) return 0;
    const own = store.listTeamItems(projectId).filter(({ author, isDead }) => author === null && !isDead);
    for (const item of own) {
      ledger.recordDeletion(item);
      store.saveTeamItem({ ...item, author: null, rowId: null, isDead: true });
    }
    project.isShared = false;
    ledger.close();
    return own.length;
  });
}
