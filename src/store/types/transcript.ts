export interface SessionKeys {
  id: number;
  startSource: string | null;
  firstSeen: number;
  lastSeen: number;
  endedAt: number | null;
  hasHooks: boolean;
  callIds: Set<string>;
  /** How many prompts share an id: prompts sent while the agent works have the id of the current one. */
  promptIds: Map<string, number>;
  endedPromptIds: Set<string>;
  endedSubagents: Set<string>;
  compactions: number[];
}

export interface TranscriptPosition {
  /** Everything before this position was read completely. */
  offset: number;
  size: number;
}

export interface UnreadQuery {
  now: number;
  /** An ended session is read once its transcript has certainly been written. */
  endedForMs: number;
  /** An open session is read after this silence. */
  silentForMs: number;
  /** Includes sessions that are neither ended nor silent. */
  isImmediate: boolean;
}

export interface UnreadSession {
  agentSession: string;
  transcript: string;
}
