/** Where on this machine something happened, as git tells it. */
export interface Place {
  /** What tells one project from another here: the git common dir, or the folder itself outside git. */
  path: string;
  /** The folder's name, for people. */
  name: string;
  remote?: string;
  /** The top folder of the worktree, where it is one. */
  worktree?: string;
  branch?: string;
}

/** As much of a project as hooks need, which wait for nothing to be counted. */
export interface ProjectName {
  id: number;
  name: string;
}

export interface Project extends ProjectName {
  remote?: string;
  places: string[];
  /** Projects whose memories count as this one's. */
  merged: { id: number; name: string }[];
  sessions: number;
  lastSeen?: number;
}
