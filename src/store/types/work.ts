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
  besides?: string;
  /** Only if it was seen after that. */
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
  withClosed?: boolean;
  modes?: WorkItem['mode'][];
  /** Only with open tasks; or with tasks, a plan, a pending handoff or next steps. */
  left?: 'tasks' | 'anything';
  /** Includes work items of colleagues, which sessions here never continue by themselves. */
  withTeam?: boolean;
  limit: number;
}

export type WorkItemChange = Partial<
  Pick<WorkItem, 'name' | 'title' | 'mode' | 'branch' | 'worktree' | 'nextSteps' | 'nextStepsAt' | 'closedAt'>
>;

/** The last written state file of a work item, to recognise edits by hand. */
export interface Mirror {
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
> & { to?: string | null };

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
  /** The last prompt and event up to this one; prompts and events are numbered separately. */
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
   * The kind of event, or `prompt`. `past` if it is from a session that only an import or a transcript reported:
   * nothing follows from it.
   */
  kind: AgentEvent['kind'] | 'past';
  permissionMode: string | null;
  isSubagent: boolean;
  /** Empty if private. */
  text: string;
  origin: 'person' | 'machine';
  tool: string | null;
  outcome: ToolOutcome | null;
  input: Json;
  response: Json;
  reason: string | null;
}

/** How full a session's context window is, and when the session was warned. */
export interface WindowUsage {
  tokens: number;
  window: number;
  model: string | null;
  /** The lowest percentage left that was warned about since the last compaction; 100 for none. */
  warnedAt: number;
  at: number;
}
