import type { AgentEvent, ToolOutcome } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import type {
  BoundBy,
  GitSnapshot,
  Handoff,
  HandoffState,
  PlanState,
  Task,
  TaskSource,
  TaskState,
  WorkItem,
} from '../../model/work.ts';

export interface NewBinding {
  agent: string;
  agentSession: string;
  workId: number;
  by: BoundBy;
  at: number;
}

export interface OpenSessionQuery {
  /** Another one than this. */
  besides?: string;
  /** Only if it was heard of later than that. */
  after?: number;
}

export type PendingSnapshot = Omit<GitSnapshot, 'state' | 'at'> & { agentSession: string };

export interface NewWorkItem {
  name: string;
  title: string;
  projectId: number;
  branch: string | null;
  worktree: string | null;
  at: number;
}

export interface WorkItemQuery {
  projectId?: number;
  /** Closed ones too. */
  withClosed?: boolean;
  /** Only those in one of these modes. */
  modes?: WorkItem['mode'][];
  /** Only those with open tasks; or with those, a plan, a waiting handoff or next steps. */
  left?: 'tasks' | 'anything';
  limit: number;
}

export type WorkItemChange = Partial<
  Pick<WorkItem, 'name' | 'title' | 'mode' | 'branch' | 'worktree' | 'nextSteps' | 'nextStepsAt' | 'closedAt'>
>;

/** What we last wrote for a work item, so that an edit by hand is recognised. */
export interface Mirror {
  /** The change that it shows. */
  changedAt: number;
  hash: string;
}

export interface NewPlan {
  workId: number;
  text: string;
  hash: string;
  state: PlanState;
  agentSession: string | null;
  at: number;
}

export interface NewTask {
  workId: number;
  subject: string;
  description: string;
  state: TaskState;
  source: TaskSource;
  key: string | null;
  at: number;
}

export type TaskEdit = Partial<Pick<Task, 'subject' | 'description' | 'state' | 'key'>>;

export type NewHandoff = Pick<
  Handoff,
  'workId' | 'parts' | 'tasks' | 'plan' | 'git' | 'by' | 'agentSession' | 'at'
>;

export interface HandoffQuery {
  workId?: number;
  projectId?: number;
  states?: HandoffState[];
  limit: number;
}

export interface ActiveSession {
  agent: string;
  agentSession: string;
  transcript: string;
  folder: string | null;
}

export interface FollowedEvent {
  /** Counts what was captured, of either sort. */
  promptId: number;
  eventId: number;
  what: 'prompt' | 'event';
  agent: string;
  agentSession: string;
  projectId: number | null;
  branch: string | null;
  worktree: string | null;
  folder: string | null;
  at: number;
  /**
   * Of an event; `prompt` for a prompt; `past` for either, where an import or a transcript reported a session that
   * no hook has seen: nothing follows from it.
   */
  kind: AgentEvent['kind'] | 'past';
  permissionMode: string | null;
  isSubagent: boolean;
  /** A prompt's words; empty where they are private. */
  text: string;
  origin: 'person' | 'machine';
  tool: string | null;
  outcome: ToolOutcome | null;
  input: Json;
  response: Json;
  /** Why a session began or ended. */
  reason: string | null;
}

/** How full a session's window is, and of what it has been told. */
export interface WindowUsage {
  tokens: number;
  window: number;
  model: string | null;
  /** The lowest share left, in percent, of which it was told since the last compaction; 100 for none. */
  warnedAt: number;
  at: number;
}
