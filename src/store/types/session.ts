export interface RecentSessionsQuery {
  projectId?: number;
  except?: string;
  /** Only sessions with a prompt of a person that is not private. */
  withPrompt?: boolean;
  limit: number;
}

export interface SessionDigest {
  id: number;
  agent: string;
  agentSession: string;
  project: string;
  projectId: number | null;
  worktree: string | null;
  branch: string | null;
  model: string | null;
  startSource: string | null;
  endReason: string | null;
  firstSeen: number;
  lastSeen: number;
  endedAt: number | null;
  prompts: number;
  events: number;
  firstPrompt: string | null;
  lastPrompt: string | null;
  closingWords: string | null;
  changedFiles: string[];
}

export interface HookActivity {
  agent: string;
  hook: string;
  via: string;
  lastAt: number;
  count: number;
}

/** A field of a payload that the agent's adapter had never seen. */
export interface UnknownField {
  agent: string;
  hook: string;
  name: string;
}

export interface StoreCounts {
  projects: number;
  sessions: number;
  openSessions: number;
  prompts: number;
  events: number;
  turns: number;
  openTurns: number;
  waitingJobs: number;
  deadJobs: number;
  memories: number;
  schemaVersion: number;
}
