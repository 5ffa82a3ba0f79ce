export interface Place {
  /** Identifies the project: the git common dir, or the folder itself outside git. */
  path: string;
  name: string;
  remote?: string;
  worktree?: string;
  branch?: string;
}

/** The fields of a project that hooks need, without counts. */
export interface ProjectName {
  id: number;
  name: string;
}

export interface Project extends ProjectName {
  remote?: string;
  places: string[];
  /** Projects that were merged into this one. */
  merged: { id: number; name: string }[];
  sessions: number;
  lastSeen?: number;
}
