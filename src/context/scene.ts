import type { Settings } from '../config/settings.ts';
import type { Place } from '../model/project.ts';
import type { Redacted } from '../model/redacted.ts';
import type { GitCheckout } from '../platform/git/checkout.ts';
import { type Branches, mainBranch } from '../recall/branch.ts';
import type { HookStore } from '../store/store.ts';

/** For whom a context is made, and where. */
export interface Scene {
  agent: string;
  /** The agent's own name of its session. */
  agentSession: Redacted;
  project: { id: number; name: string };
  /** The top of the checkout, or the folder itself outside git: memories name their files from there. */
  top: string;
  /** The same where it is a worktree beside the main checkout; null there. */
  worktree: string | null;
  branches: Branches;
  settings: Settings;
  /** The most characters which the agent takes at once. */
  longest: number;
  now: number;
}

/** @returns null where nothing was ever captured. */
export function sceneAt(
  store: Pick<HookStore, 'findProject'>,
  where: {
    place: Redacted<Place>;
    folder: string;
    checkout: GitCheckout | null;
    branch: Redacted | undefined;
  },
  who: Pick<Scene, 'agent' | 'agentSession' | 'settings' | 'longest' | 'now'>,
): Scene | null {
  const project = store.findProject(where.place);
  if (!project) return null;
  const { checkout, branch } = where;
  const main = checkout ? mainBranch(checkout.commonDir) : undefined;
  return {
    ...who,
    project: { id: project.id, name: project.name },
    top: checkout?.top ?? where.folder,
    worktree: where.place.worktree ?? null,
    branches: { ...(branch && { current: branch }), ...(main && { main }) },
  };
}
