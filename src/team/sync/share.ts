import type { Store } from '../../store/store.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import { isDue } from './collect.ts';
import { openLedger, type TeamOptions } from './ledger.ts';
import { newTeamProject } from './link-projects.ts';
import { saveProject } from './origin.ts';

export interface ShareRequest {
  projectId: number;
  key: string;
  /** Includes past memories and work items; otherwise only new ones are shared. */
  withPast: boolean;
  now: number;
}

/** Starts sharing this project. */
export function shareProjectWithTeam(store: Store, { projectId, key, withPast, now }: ShareRequest): void {
  store.runInTransaction(() => {
    const known = store.listTeamProjects().find((project) => project.projectId === projectId);
    const project = known ?? newTeamProject({ projectId, key, isShared: true, since: now });
    const since = withPast ? 0 : known?.isShared ? known.since : now;
    saveProject(store, { ...project, key, isShared: true, since });
    if (withPast) store.markProject(projectId);
  });
}

/** Whether one memory is shared. */
export interface MemorySharing {
  isShared: boolean;
  /** Why this machine cannot change it; null if it can. */
  problem: string | null;
}

/** Null if this home is in no team. */
export function readMemorySharing(store: Store, memory: StoredMemory): MemorySharing | null {
  if (!store.getTeam()) return null;
  const isShared = isMemoryShared(store, memory);
  return { isShared, problem: findSharingProblem(store, memory, isShared ? 'never' : 'always') };
}

/** @returns why this decision is not possible; null if it is. `never` is possible for a memory that is not shared, too. */
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

/** Decides for one memory, independent of its project. Check `findSharingProblem` first. */
export function chooseMemorySharing(store: Store, id: number, sharing: 'always' | 'never'): void {
  store.runInTransaction(() => {
    store.chooseSharing(id, sharing);
    store.markRow('memory', id);
  });
}

/** Deletes items made here for the others; they stay here. Items of others are still read. @returns how many items. */
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
