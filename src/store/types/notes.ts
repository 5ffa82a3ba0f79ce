export interface FolderTimelineQuery {
  projectId: number;
  /** Relative to the top of the checkout, never the top itself. */
  folder: string;
  limit: number;
  /** Memories to treat as deleted. */
  except?: number[];
}

export interface FolderEntry {
  id: number;
  type: string;
  title: string;
  at: number;
  agent: string | null;
}

export interface DistilledPlace {
  folder: string;
  projectId: number;
  files: string[];
}

/** A folder whose CLAUDE.md or AGENTS.md may contain a block of ours. */
export interface NotedFolder {
  folder: string;
  top: string;
  projectId: number;
}
