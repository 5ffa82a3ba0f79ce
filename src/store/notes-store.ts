import type { Redacted } from '../model/redacted.ts';

/** What folder notes are made of, and where they are. */
export interface NotesStore {
  /** Every file below the project that a memory is about, from the top of the checkout. */
  filesOfProject(projectId: number): string[];
  /** Of files directly in a folder, the latest first; neither summaries nor what was superseded. */
  folderTimeline(query: FolderTimelineQuery): FolderEntry[];
  /** Which of these memories are there and not superseded. */
  standingAmong(memories: number[]): number[];
  /** Where turns that were distilled from this time on had worked, and the files of what they taught. */
  distilledSince(at: number): DistilledPlace[];
  notedFolders(where?: { projectId?: number; top?: string }): NotedFolder[];
  noteFolder(noted: Redacted<NotedFolder>): void;
  unnoteFolder(folder: string): void;
}

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
