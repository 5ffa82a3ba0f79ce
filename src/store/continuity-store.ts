import type { ToolOutcome } from '../model/agent-event.ts';
import type { Json } from '../model/json.ts';
import type { ObservationType } from '../model/memory.ts';
import type { Redacted } from '../model/redacted.ts';
import type {
  BoundBy,
  GitSnapshot,
  Handoff,
  HandoffState,
  Plan,
  PlanState,
  Task,
  TaskChange,
  TaskSource,
  TaskState,
  Work,
  WorkNote,
  WorkSession,
} from '../model/work.ts';
import type { StoredMemory } from './memory-store.ts';

/** Works with their sessions, plans, tasks and handoffs. What is changed here has to be mirrored afterwards. */
export interface ContinuityStore extends WorkStore, PlanStore, TaskStore, HandoffStore, FollowStore {
  /** All of it or nothing. Calls inside of it, also of the other parts of the store, belong to it. */
  atOnce<T>(work: () => T): T;
}

export interface WorkStore extends WorkSessionStore {
  /** The name gets a number behind it where it is taken. */
  addWork(work: Redacted<NewWork>): Work;
  work(id: number): Work | null;
  /** By its name, as it is or was. */
  workByName(name: string): Work | null;
  /** The last changed first. */
  works(query: WorkQuery): Work[];
  /** @returns the work as it is now. An old name goes on finding it. */
  changeWork(id: number, change: Redacted<WorkChange>, at: number): Work;
  addWorkNote(workId: number, text: Redacted, at: number): WorkNote;
  workNotes(workId: number): WorkNote[];
  noteGitState(snapshot: Redacted<GitSnapshot>): void;
  /** The latest first. Git is asked when a session begins, and its first prompt says to which work it belongs. */
  gitStatesOf(workId: number, limit: number): GitSnapshot[];
  /** Sessions that have begun, are being compacted or have ended since then, of which nobody has asked git yet. */
  snapshotsDue(since: number): SnapshotDue[];
  /** Works that have changed since their state file was written, or that have none. */
  worksToMirror(limit: number): { work: Work; mirror: Mirror | null }[];
  mirrorOf(workId: number): Mirror | null;
  noteMirrored(workId: number, mirror: Mirror): void;
}

export interface WorkSessionStore {
  /** The work a session belongs to now. */
  workOfSession(agentSession: string): Work | null;
  bindSession(bond: Redacted<SessionBond>): void;
  /** Notes down that a session is told of a work, so that it is not told twice. */
  noteTold(agentSession: Redacted, workId: number, at: number): void;
  wasTold(agentSession: string, workId: number, since: number): boolean;
  /** Why a session belongs to the work that it has; null where it has none. */
  boundBy(agentSession: string): BoundBy | null;
  /** The sessions that belong to it now, the last bound first. */
  sessionsOfWork(workId: number): WorkSession[];
  /** Whether one of them has not ended, as far as we know. */
  hasOpenSession(workId: number, which?: OpenSessionQuery): boolean;
  /** What its sessions have taught while they belonged to it, the latest first. */
  memoriesOfWork(workId: number, limit: number): StoredMemory[];
  /** No more of them than their titles, of one type where it is given: asked for while an agent waits. */
  titlesOfWork(workId: number, query: TitleQuery): { id: number; title: string }[];
}

export interface SessionBond {
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

export interface TitleQuery {
  type?: ObservationType;
  limit: number;
}

export type SnapshotDue = Omit<GitSnapshot, 'state' | 'at'> & { agentSession: string };

export interface NewWork {
  name: string;
  title: string;
  projectId: number;
  branch: string | null;
  worktree: string | null;
  at: number;
}

export interface WorkQuery {
  projectId?: number;
  /** Closed ones too. */
  withClosed?: boolean;
  /** Only those in one of these modes. */
  modes?: Work['mode'][];
  /** Only those with open tasks; or with those, a plan, a waiting handoff or next steps. */
  left?: 'tasks' | 'anything';
  limit: number;
}

export type WorkChange = Partial<
  Pick<Work, 'name' | 'title' | 'mode' | 'branch' | 'worktree' | 'nextSteps' | 'nextStepsAt' | 'closedAt'>
>;

/** What we last wrote for a work, so that an edit by hand is recognised. */
export interface Mirror {
  /** The change that it shows. */
  changedAt: number;
  hash: string;
}

export interface PlanStore {
  /** The next version of this work's plan. */
  addPlan(plan: Redacted<NewPlan>): Plan;
  setPlanState(id: number, state: PlanState, at: number): void;
  /** The latest version first. */
  plansOf(workId: number): Plan[];
  /** The one that is being worked on. */
  acceptedPlan(workId: number): Plan | null;
}

export interface NewPlan {
  workId: number;
  text: string;
  hash: string;
  state: PlanState;
  agentSession: string | null;
  at: number;
}

export interface TaskStore {
  addTask(task: Redacted<NewTask>): Task;
  /** A change of the state goes into its history. */
  changeTask(id: number, change: Redacted<TaskEdit>, by: TaskSource, at: number): Task;
  /** In the order of their numbers. */
  tasksOf(workId: number): Task[];
  taskByKey(workId: number, key: string): Task | null;
  /** The oldest first. */
  taskChanges(taskId: number): TaskChange[];
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

export interface HandoffStore {
  /** Staged. One that was staged for the same work before is replaced: it counts as discarded. */
  addHandoff(handoff: Redacted<NewHandoff>): Handoff;
  /** The latest first. */
  handoffs(query: HandoffQuery): Handoff[];
  handoff(id: number): Handoff | null;
  /** To one session only, and only while it is staged. @returns whether it is this one's. */
  giveHandoff(id: number, agentSession: Redacted, at: number): boolean;
  setHandoffState(id: number, state: HandoffState, at: number): void;
  /** What was given to a session that did not go on with it waits again. */
  restageGiven(agentSession: string, at: number): void;
}

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

/** What has been captured and not yet been looked at for what it means to works; each event once. */
export interface FollowStore {
  /**
   * In the order in which they were stored, prompts and events together. `tools`: those whose input and
   * response are of interest; of others they are null.
   */
  unfollowed(query: { tools: string[]; limit: number }): Followed[];
  /** All up to and with this one need not be looked at again. */
  noteFollowed(last: Followed): void;
  contextFill(agentSession: string): ContextFill | null;
  noteContextFill(agentSession: Redacted, fill: Redacted<ContextFill>): void;
  /** Sessions with an open turn and a transcript, for the meter. */
  sessionsAtWork(): SessionAtWork[];
}

export interface SessionAtWork {
  agent: string;
  agentSession: string;
  transcript: string;
  folder: string | null;
}

export interface Followed {
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
   * Of an event; `prompt` for a prompt; `past` for either, where an import or a transcript told of a session that
   * no hook has seen: nothing follows from it.
   */
  kind: string;
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
export interface ContextFill {
  tokens: number;
  window: number;
  model: string | null;
  /** The lowest share left, in percent, of which it was told since the last compaction; 100 for none. */
  toldAt: number;
  at: number;
}
