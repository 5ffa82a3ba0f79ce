/** What is being done, as against what was done: it outlives the sessions in which it is done. */
export const WORK_MODES = ['idle', 'has_plan', 'has_handoff', 'active'] as const;

export type WorkMode = (typeof WORK_MODES)[number];

export interface WorkItem {
  id: number;
  /** Made of its own words; what people and agents call it. */
  name: string;
  title: string;
  mode: WorkMode;
  projectId: number;
  /** The name of its project. */
  project: string;
  /** Where it was last worked on. */
  branch: string | null;
  worktree: string | null;
  /** What is left to do, in the words of the last session or of a person. */
  nextSteps: string;
  /** When that was said; 0 where nothing was. */
  nextStepsAt: number;
  openedAt: number;
  changedAt: number;
  /** A work item that a person has closed is idle, and sessions never join it automatically. */
  closedAt: number | null;
}

/** Why a session belongs to a work item. */
export type BoundBy = 'name' | 'staged' | 'similar' | 'new' | 'person' | 'agent';

export interface WorkSession {
  agent: string;
  /** The agent's own id of it: ours may not exist yet. */
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

/** `replaced`: a later version was accepted. `finished`: nothing of it is left to do. */
export type PlanState = 'proposed' | 'accepted' | 'refused' | 'finished' | 'replaced';

export interface Plan {
  id: number;
  workId: number;
  /** Counted from 1 in each work. */
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

/** From the agent's own task tool, from a step of the plan, or noted by a person or through MCP. */
export type TaskSource = 'agent' | 'plan' | 'person' | 'mcp';

export interface Task {
  id: number;
  workId: number;
  /** Counted from 1 in each work: what people and agents call it. */
  number: number;
  subject: string;
  description: string;
  state: TaskState;
  source: TaskSource;
  /** What it is called where it comes from: the agent's session and its id there. */
  key: string | null;
  createdAt: number;
  changedAt: number;
}

export interface TaskChange {
  state: TaskState;
  by: TaskSource;
  at: number;
}

/** What the next session has to know. A part about which there is nothing to say is empty. */
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

/** `given` to a session that has not said yet what it is about; `taken` when it goes on with the work. */
export type HandoffState = 'staged' | 'given' | 'taken' | 'discarded';

/** Which states a handoff may get from each. A session that leaves the work item returns what it had taken. */
export const HANDOFF_TRANSITIONS: Record<HandoffState, HandoffState[]> = {
  staged: ['given', 'taken', 'discarded'],
  given: ['staged', 'taken', 'discarded'],
  taken: ['staged'],
  discarded: [],
};

/** No session has gone on with it yet. */
export const PENDING_HANDOFF_STATES: HandoffState[] = ['staged', 'given'];

export interface Handoff {
  id: number;
  workId: number;
  /** Counted from 1 in each work. */
  number: number;
  state: HandoffState;
  parts: HandoffParts;
  /** As they were then. */
  tasks: { number: number; subject: string; state: TaskState }[];
  plan: { version: number; text: string } | null;
  git: GitState | null;
  /** `meter`: written by itself because the window was nearly full. */
  by: 'agent' | 'person' | 'meter';
  agentSession: string | null;
  givenTo: string | null;
  at: number;
  takenAt: number | null;
}

export interface GitState {
  /** Missing where no branch is checked out. */
  branch?: string;
  /** Missing before the first commit. */
  head?: string;
  dirty: string[];
  /** How many more there are. */
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

/** What an agent's tool call says about its plans and tasks. */
export type WorkReport =
  | { kind: 'plan'; decision: 'proposed' | 'accepted' | 'refused'; text: string }
  | { kind: 'tasks'; tasks: TaskReport[] /** Those that are not named are gone. */; isWholeList: boolean };

export interface TaskReport {
  /** The agent's own id, or the subject where it has none. */
  key: string;
  subject?: string;
  description?: string;
  state?: TaskState;
}
