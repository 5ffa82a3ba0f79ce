export interface FolderTimelineQuery {
  projectId: number;
  /** From the top of the checkout, never the top itself. */
  folder: string;
  limit: number;
  /** Memories that count as gone. */
  except?: number[];
}

export interface FolderEntry {
  id: number;
  /** decision, gotcha …, note. */
  type: string;
  title: string;
  at: number;
  /** Of the session in which it was learnt. */
  agent: string | null;
}

export interface DistilledPlace {
  /** A folder of the checkout. */
  folder: string;
  projectId: number;
  files: string[];
}

/** A folder on this machine whose CLAUDE.md or AGENTS.md may hold a block of ours. */
export interface NotedFolder {
  folder: string;
  /** The top of its checkout. */
  top: string;
  projectId: number;
}
