import { storedBranchOf, storedPlaceOf } from '../capture/stored-place.ts';
import { createStanding, type StandingOf } from '../context/standing.ts';
import type { ProjectName } from '../model/project.ts';
import { findCheckout } from '../platform/git/checkout.ts';
import { mainBranch } from '../recall/branch.ts';
import type { Store } from '../store/store.ts';

/** The project, branch and checkout that a person stands in when they ask. */
export interface Here {
  folder: string;
  /** Null where nothing was captured yet. */
  project: ProjectName | null;
  branch?: string;
  /** How far memories can be relied on in this checkout. */
  standing: StandingOf;
}

export function whereWeAre(store: Store, folder = process.cwd()): Here {
  const project = store.findProject(storedPlaceOf(folder));
  const checkout = findCheckout(folder);
  const branch = storedBranchOf(checkout);
  const main = checkout && mainBranch(checkout.commonDir);
  return {
    folder,
    project,
    ...(branch !== undefined && { branch }),
    standing: createStanding({
      top: checkout?.top ?? folder,
      projectId: project?.id ?? null,
      branches: { ...(branch !== undefined && { current: branch }), ...(main && { main }) },
    }),
  };
}
