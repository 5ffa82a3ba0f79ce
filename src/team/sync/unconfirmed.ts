import type { Store } from '../../store/store.ts';
import type { Machine } from '../server/people.ts';

/** How many of the latest deletions are checked. */
const MOST_DELETIONS = 1_000;

export interface Unconfirmed {
  /** The role of the machine. */
  role: string;
  member: string;
  machine: string;
  deletions: number;
}

type DeletionStore = Pick<Store, 'listTeamProjects' | 'listDeletions'>;

/** Machines that have not confirmed all deletions yet. */
export function listUnconfirmed(store: DeletionStore, machines: Machine[]): Unconfirmed[] {
  return machines
    .filter(({ joinedAt, revokedAt, isThis }) => joinedAt && !revokedAt && !isThis)
    .map(({ role, member, label, confirmed }) => ({
      role,
      member,
      machine: label ?? '',
      deletions: confirmed.reduce(
        (sum, { project, seq }) => sum + countAfter(store, project, Number(seq)),
        0,
      ),
    }))
    .filter(({ deletions }) => deletions > 0);
}

function countAfter(store: DeletionStore, serverId: number, seq: number): number {
  const project = store.listTeamProjects().find((known) => known.serverId === serverId);
  if (!project) return 0;
  return store.listDeletions(project.projectId, MOST_DELETIONS).filter((deletion) => deletion > seq).length;
}
