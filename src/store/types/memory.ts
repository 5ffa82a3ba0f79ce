import type { Observation, ObservationType, Summary } from '../../model/memory.ts';
import type { StoredPrompt } from './event.ts';

export type MemoryKind = 'observation' | 'summary' | 'note';

export interface StoredTurn {
  id: number;
  sessionId: number;
  agent: string;
  /** The agent's own id of the session, and its record of it. */
  agentSession: string;
  transcript: string | null;
  project: string | null;
  folder: string | null;
  branch: string | null;
  closedBy: string | null;
  /** Whether a hook reported the agent's closing words. Some agents have them only in their transcript. */
  hasClosingWords: boolean;
  /** When the session's next turn began; null for the last one. */
  nextOpenedAt: number | null;
  openedAt: number;
  lastAt: number;
  prompts: StoredPrompt[];
  /** The agent's own ids of those prompts; fewer if it reports none. */
  promptIds: string[];
  earlierPrompts: string[];
  earlierWords: string;
}

export interface DistilledTurn {
  distiller: string;
  /** `same` is the memory that an observation repeats, `supersedes` the one that it replaces. */
  observations: (Observation & { tokens: number; pins?: FilePin[]; same?: number; supersedes?: number })[];
  summary: (Summary & { tokens: number; title: string }) | null;
  /** Earlier memories of the same session that no longer hold, or not as a whole. */
  corrected?: CorrectedMemory[];
  /** Notes that observations of this turn repeat, with their evidence. */
  notes?: NoteEvidence[];
  commit?: string;
  /** Another job for this turn, queued with the result, to improve it with a model. */
  next?: string;
}

/** The rest of a corrected memory. If `left` is null nothing remains, and the first new observation replaces it. */
export interface CorrectedMemory {
  memory: number;
  left: MemoryTexts | null;
}

/** A note that the agent saved during a turn. */
export interface TurnNote {
  id: number;
  title: string;
  narrative: string;
}

export interface NoteEvidence {
  note: number;
  type: ObservationType;
  filesRead: string[];
  filesModified: string[];
  pins: FilePin[];
  events: number[];
}

/** The fields that a memory has in the store and in an export. */
export interface MemoryFields {
  kind: MemoryKind;
  type: ObservationType | null;
  title: string;
  subtitle: string;
  narrative: string;
  facts: string[];
  concepts: string[];
  aliases: string[];
  parts: Summary | null;
  strength: number;
  prompt: number | null;
  branch: string | null;
  commit: string | null;
  distiller: string;
  at: number;
  /** A global memory applies in every project. */
  scope: 'project' | 'global';
  /** 'person', 'agent', 'distiller', or a name from an import. */
  saidBy: string;
  pinnedAt: number | null;
  editedAt: number | null;
  mergedAt: number | null;
}

/** The texts of a memory. */
export type MemoryTexts = Pick<MemoryFields, 'title' | 'subtitle' | 'narrative' | 'facts' | 'parts'>;

export interface StoredMemory extends MemoryFields {
  id: number;
  tokens: number;
  supersededBy: number | null;
  turnId: number | null;
  sessionId: number | null;
  project: string | null;
  projectId: number | null;
  /** Relative to the top of the checkout; absolute outside it. */
  filesRead: string[];
  filesModified: string[];
  pins: FilePin[];
  origin: string | null;
  /** The colleague who made it; null for what this member made, on any machine. */
  author: string | null;
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
