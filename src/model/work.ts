/** The modes of a work item, which is something that a person wants done and outlives its sessions. */
export const WORK_MODES = ['idle', 'has_plan', 'has_handoff', 'active'] as const;

export type WorkMode = (typeof WORK_MODES)[number];

export interface WorkItem {
  id: number;
  /** Made from the title. People and agents refer to the work item by it. */
  name: string;
  title: string;
  mode: WorkMode;
  projectId: number;
  project: string;
  branch: string | null;
  worktree: string | null;
  /** What remains to be done, according to the last session or a person. */
  nextSteps: string;
  /** 0 if unset. */
  nextStepsAt: number;
  openedAt: number;
  changedAt: number;
  /** A closed work item is idle, and sessions never join it automatically. */
  closedAt: number | null;
}

export type BoundBy = 'name' | 'staged' | 'similar' | 'new' | 'person' | 'agent';

export interface WorkSession {
  agent: string;
  /** The agent's own id, because Cairn's may not exist yet. */
  agentSession: string;
  by: BoundBy;
  boundAt: number;
  lastSeen: number | null;
  endedAt: number | null;
}

export interface WorkNote {
  id: number;
  text: string;
  at: number;
}

/** `replaced`: a later version was accepted. `finished`: all its steps are done. */
export type PlanState = 'proposed' | 'accepted' | 'refused' | 'finished' | 'replaced';

export interface Plan {
  id: number;
  workId: number;
  /** Numbered from 1 in each work item. */
  version: number;
  state: PlanState;
  text: string;
  hash: string;
  agentSession: string | null;
  at: number;
  decidedAt: number | null;
}

export const TASK_STATES = ['open', 'doing', 'done', 'dropped'] as const;

export type TaskState = (typeof TASK_STATES)[number];

export const TASK_MARKS: Record<TaskState, string> = {
  open: '[ ]',
  doing: '[~]',
  done: '[x]',
  dropped: '[-]',
};

/** From the agent's task tool, a step of the plan, a person, or MCP. */
export type TaskSource = 'agent' | 'plan' | 'person' | 'mcp';

export interface Task {
  id: number;
  workId: number;
  /** Numbered from 1 in each work item. People and agents refer to the task by it. */
  number: number;
  subject: string;
  description: string;
  state: TaskState;
  source: TaskSource;
  /** Identifies the task at its source: the agent's session and task id. */
  key: string | null;
  createdAt: number;
  changedAt: number;
}

export interface TaskChange {
  state: TaskState;
  by: TaskSource;
  at: number;
}

/** What the next session needs to know. Parts without content are empty. */
export interface HandoffParts {
  goal: string;
  state: string;
  decisions: string[];
  deadEnds: string[];
  files: { path: string; what: string }[];
  questions: string[];
  nextSteps: string[];
  note: string;
}

/**
 * `given`: to a session whose subject is not known yet. `taken`: that session continues the work item. `sent`: for or
 * from another member or machine; not given to sessions of this home before it is claimed.
 */
export type HandoffState = 'staged' | 'given' | 'taken' | 'discarded' | 'sent';

/** The allowed next states of a handoff. A session that leaves the work item returns a taken one. */
export const HANDOFF_TRANSITIONS: Record<HandoffState, HandoffState[]> = {
  staged: ['given', 'taken', 'discarded'],
  given: ['staged', 'taken', 'discarded'],
  taken: ['staged'],
  discarded: [],
  sent: ['staged', 'taken', 'discarded'],
};

/** The states before a session continues with the handoff. */
export const PENDING_HANDOFF_STATES: HandoffState[] = ['staged', 'given'];

export interface Handoff {
  id: number;
  workId: number;
  /** Numbered from 1 in each work item. */
  number: number;
  state: HandoffState;
  parts: HandoffParts;
  /** The tasks at that time. */
  tasks: { number: number; subject: string; state: TaskState }[];
  plan: { version: number; text: string } | null;
  git: GitState | null;
  /** `meter`: written automatically because the window was nearly full. */
  by: 'agent' | 'person' | 'meter';
  agentSession: string | null;
  givenTo: string | null;
  at: number;
  takenAt: number | null;
  /** The member it is for; null for the next session of the member who wrote it. */
  to: string | null;
  /** The colleague who wrote it; null for this member. */
  from: string | null;
}

export interface GitState {
  branch?: string;
  head?: string;
  dirty: string[];
  moreDirty: number;
  ahead?: number;
  behind?: number;
}

export interface GitSnapshot {
  moment: 'start' | 'handoff' | 'compact' | 'end';
  agentSession: string | null;
  workId: number | null;
  folder: string;
  state: GitState;
  at: number;
}

/** What an agent's tool call reports about plans and tasks. */
export type WorkReport =
  | { kind: 'plan'; decision: 'proposed' | 'accepted' | 'refused'; text: string }
  | { kind: 'tasks'; tasks: TaskReport[] /** Those that are not named are gone. */; isWholeList: boolean };

export interface TaskReport {
  /** The agent's own id, or the subject if it has none. */
  key: string;
  subject?: string;
  description?: string;
  state?: TaskState;
}
