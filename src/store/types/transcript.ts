export interface SessionKeys {
  id: number;
  startSource: string | null;
  firstSeen: number;
  lastSeen: number;
  endedAt: number | null;
  /** Whether a hook ever reported it. */
  isHooked: boolean;
  /** Calls whose end was reported. */
  callIds: Set<string>;
  /** How many prompts have the agent's id: those that come while it works share the id of what it works on. */
  promptIds: Map<string, number>;
  endedPromptIds: Set<string>;
  endedSubagents: Set<string>;
  /** When a compaction ended. */
  compactions: number[];
}

export interface TranscriptPosition {
  /** Everything before it is settled. */
  offset: number;
  size: number;
}

export interface UnreadQuery {
  now: number;
  /** A session that is over is read when its transcript is surely written. */
  endedForMs: number;
  /** An open session is read when it was silent for so long. */
  silentForMs: number;
  /** Also those that are neither over nor silent. */
  isImmediate: boolean;
}

export interface UnreadSession {
  agentSession: string;
  transcript: string;
}
