import type {
  GitState,
  HandoffParts,
  HandoffState,
  PlanState,
  TaskSource,
  TaskState,
} from '../../model/work.ts';
import type { MemoryFields } from './memory.ts';
import type { PortableFile } from './port.ts';

/** What this home knows of its team. */
export interface Team {
  /** A uuid. */
  team: string;
  member: string;
  machine: string;
  /** Another one than at the last sync: the server was restored or moved. Empty before the first. */
  epoch: string;
  /** The server without credentials, for people. */
  server: string;
  isEncrypted: boolean;
  joinedAt: number;
  /** The last stamp that was given or seen; decimal. */
  hlc: string;
  /** What has to be added to this machine's clock, in milliseconds. */
  clockOffset: number;
  /** When everything was last exchanged. */
  syncedAt: number | null;
  /** Why the last attempt failed; null after a complete one. */
  problem: TeamProblem | null;
}

export interface TeamProblem {
  reason: string;
  message: string;
  at: number;
}

/** A project that is exchanged with the team. */
export interface TeamProject {
  projectId: number;
  /** The same on every machine. */
  key: string;
  /** Goes into the digests of changes: the key, in an encrypted team after a secret. */
  digestKey: string;
  name: string;
  /** Whether what is made here is shared; otherwise the project is only read. */
  isShared: boolean;
  /** What is older is not shared. */
  since: number;
  /** The server's number of it; null before the first sync. */
  serverId: number | null;
  canWrite: boolean;
  /** Only this home writes under it. */
  origin: string;
  nextN: number;
  /** The last change that was applied here. */
  seq: number;
  /** Of all changes up to that one; see `FeedPosition`. */
  chain: Uint8Array | null;
  /** Up to which change the server knows that this machine has applied it. */
  confirmed: number;
}

export const SHARED_KINDS = ['memory', 'work-item', 'plan', 'task', 'handoff'] as const;
export type SharedKind = (typeof SHARED_KINDS)[number];

export type SharedAspect = 'text' | 'pin' | 'supersession' | 'state' | 'deletion';

/** Something shared: the same on every machine, under other numbers. */
export interface TeamItem {
  /** A uuid. */
  item: string;
  projectId: number;
  what: SharedKind;
  /** Its number here; null if its text has not come yet, or no longer exists. */
  rowId: number | null;
  /** Who made it; null for this home. */
  author: string | null;
  isDead: boolean;
}

/** Something shared that was removed here. */
export interface GoneItem extends TeamItem {
  /** Otherwise its turn was distilled again, without it. */
  isForgotten: boolean;
}

/** The winning value of one aspect of an item. */
export interface TeamRegister {
  item: string;
  aspect: string;
  hlc: string;
  origin: string;
  author: string | null;
  /** What the row here has for it, as JSON; of a text only a hash. */
  value: string;
  /** The row cannot have it yet: what it names is not here, or would make a circle. */
  isHeld: boolean;
}

/** A change in the outbox. It stays after it was acknowledged: a server that was restored asks for it again. */
export interface OutboxChange {
  projectId: number;
  origin: string;
  n: number;
  item: string;
  aspect: SharedAspect;
  hlc: string;
  /** The stamp of the value that it replaces; '0' for a first one. */
  after: string;
  digest: Uint8Array;
  payload: Uint8Array | null;
  keyEpoch: number;
  tokens: number[];
  isAcknowledged: boolean;
  /** Its number in the feed; null until it was read there. */
  seq: number | null;
  /** Why the server did not take it as it is. */
  refusal: string | null;
}

/** A change that could not be applied. */
export interface AsideChange {
  projectId: number;
  seq: number;
  /** `waiting`: for something that is not here yet; `sealed`: for its key. */
  reason: 'unknown' | 'bad' | 'sealed' | 'waiting';
  problem: string;
  /** The change as it came, as JSON. */
  change: string;
  at: number;
}

/** A text of an item that another one has replaced. */
export interface EarlierText {
  hlc: string;
  author: string | null;
  /** As JSON. */
  text: string;
}

/** `by project`: if its project is shared, and it was made since then. */
export type Sharing = 'by project' | 'always' | 'never';

/** A row as it is shared: without numbers, sessions and paths of this machine. */
export interface SharedRow {
  what: SharedKind;
  projectId: number;
  /** When it was made. */
  at: number;
  sharing: Sharing;
  values: SharedValues;
}

/** The value of each aspect; a missing one is not an aspect of this kind. */
export interface SharedValues {
  text: SharedText;
  pin?: number | null;
  /** The number of the memory that replaced it. */
  supersededBy?: number | null;
  state?: SharedState;
}

export type SharedText =
  | ({ what: 'memory' } & SharedMemory)
  | ({ what: 'work-item' } & SharedWorkItem)
  | ({ what: 'plan' } & SharedPlan)
  | ({ what: 'task' } & SharedTask)
  | ({ what: 'handoff' } & SharedHandoff);

export interface SharedMemory
  extends Omit<MemoryFields, 'strength' | 'prompt' | 'scope' | 'pinnedAt' | 'mergedAt'> {
  /** Only those inside the checkout. */
  files: PortableFile[];
}

export interface SharedWorkItem {
  name: string;
  title: string;
  branch: string | null;
  nextSteps: string;
  nextStepsAt: number;
  openedAt: number;
}

/** `work` is a number here, and the uuid of the work item in a change. */
export interface SharedPlan {
  work: number | string;
  version: number;
  text: string;
  at: number;
}

export interface SharedTask {
  work: number | string;
  number: number;
  subject: string;
  description: string;
  source: TaskSource;
  createdAt: number;
}

export interface SharedHandoff {
  work: number | string;
  number: number;
  parts: HandoffParts;
  tasks: { number: number; subject: string; state: TaskState }[];
  plan: { version: number; text: string } | null;
  git: GitState | null;
  by: 'agent' | 'person' | 'meter';
  at: number;
  /** The member it is for; null for the member who wrote it. */
  to: string | null;
}

export type SharedState =
  /** Of a memory: its turn was distilled again, without it. */
  | { isWithdrawn: boolean }
  | { closedAt: number | null }
  | { plan: PlanState; decidedAt: number | null }
  | { task: TaskState }
  | { handoff: Exclude<HandoffState, 'given' | 'sent'>; takenAt: number | null };

export interface TeamCounts {
  /** Changes that the server does not have yet. */
  pending: number;
  /** Rows whose changes are not in the outbox yet. */
  marked: number;
  aside: number;
  refused: number;
  memories: number;
}
