import type { Observation, ObservationType, Summary } from '../../model/memory.ts';
import type { StoredPrompt } from './event.ts';

export type MemoryKind = 'observation' | 'summary' | 'note';

export interface StoredTurn {
  id: number;
  sessionId: number;
  project: string | null;
  folder: string | null;
  branch: string | null;
  closedBy: string | null;
  openedAt: number;
  lastAt: number;
  prompts: StoredPrompt[];
  earlierPrompts: string[];
  earlierWords: string;
}

export interface DistilledTurn {
  distiller: string;
  /** With the memory that it repeats or replaces, if any. */
  observations: (Observation & { tokens: number; pins?: FilePin[]; same?: number; supersedes?: number })[];
  summary: (Summary & { tokens: number; title: string }) | null;
  commit?: string;
  /** Another job for this turn, queued with the result, to improve it with a model. */
  next?: string;
}

export interface StoredMemory {
  id: number;
  kind: MemoryKind;
  type: ObservationType | null;
  title: string;
  subtitle: string;
  narrative: string;
  facts: string[];
  concepts: string[];
  parts: Summary | null;
  tokens: number;
  strength: number;
  supersededBy: number | null;
  turnId: number | null;
  sessionId: number | null;
  project: string | null;
  prompt: number | null;
  branch: string | null;
  commit: string | null;
  distiller: string;
  at: number;
  /** Relative to the top of the checkout; absolute outside it. */
  filesRead: string[];
  filesModified: string[];
  pins: FilePin[];
  projectId: number | null;
  /** A global memory applies in every project. */
  scope: 'project' | 'global';
  /** 'person', 'agent', 'distiller', or a name from an import. */
  saidBy: string;
  aliases: string[];
  pinnedAt: number | null;
  editedAt: number | null;
  mergedAt: number | null;
  origin: string | null;
}

/** A file as it was when a memory about it was made. */
export interface FilePin {
  path: string;
  hash: string;
  /** Names of the memory that are in the file. */
  symbols: string[];
}

export interface ModelCall {
  at: number;
  provider: string;
  model: string | null;
  turnId: number;
  tokensIn: number;
  tokensOut: number;
  error: string | null;
}

export interface MemoryStats {
  byType: Count[];
  byProject: Count[];
  /** The last 14 days with data. */
  byDay: Count[];
  modelCallsByDay: Count[];
}

export interface Count {
  name: string;
  count: number;
}
