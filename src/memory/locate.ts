import { findCheckoutOf } from '../capture/place.ts';
import { toStoredBranch, toStoredPlace } from '../capture/stored-place.ts';
import type { Place, ProjectName } from '../model/project.ts';
import type { Redacted } from '../model/redacted.ts';
import { type Branches, mainBranch } from '../recall/branch.ts';
import type { HookStore } from '../store/store.ts';

/** Where a person or an agent is working. */
export interface Location {
  folder: string;
  /** The redacted place, as it is stored. */
  place: Redacted<Place>;
  /** Null if nothing was captured yet. */
  project: ProjectName | null;
  /** The top of the checkout, or the folder itself outside git; files of memories are relative to it. */
  top: string;
  /** Null in the main checkout. */
  worktree: string | null;
  branches: Branches;
}

export interface ProjectLocation extends Location {
  project: ProjectName;
}

type ProjectFinder = Pick<HookStore, 'findProject'>;

/** `projectFolder`: the agent's project folder if it works in another folder. */
export function locate(store: ProjectFinder, folder: string, projectFolder = folder): Location {
  const checkout = findCheckoutOf(folder);
  const place = toStoredPlace(projectFolder, projectFolder === folder ? checkout : undefined);
  const current = toStoredBranch(checkout);
  const main = checkout ? mainBranch(checkout.commonDir) : undefined;
  return {
    folder,
    place,
    project: store.findProject(place),
    top: checkout?.top ?? folder,
    worktree: place.worktree ?? null,
    branches: { ...(current !== undefined && { current }), ...(main !== undefined && { main }) },
  };
}

/** @returns null if nothing was captured yet. */
export function locateProject(
  store: ProjectFinder,
  folder: string,
  projectFolder?: string,
): ProjectLocation | null {
  const location = locate(store, folder, projectFolder);
  return location.project && { ...location, project: location.project };
}

/** The part of a location by which work items are matched. */
export function findWorkPlace({
  project,
  worktree,
  branches,
}: Pick<ProjectLocation, 'project' | 'worktree' | 'branches'>) {
  return { projectId: project.id, worktree, branch: branches.current ?? null };
}
