import type { Store } from '../../store/store.ts';
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

/** One memory, whatever its project shares. */
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
