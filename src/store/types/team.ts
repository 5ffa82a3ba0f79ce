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

/** What this home knows about its team. */
export interface Team {
  /** A uuid. */
  team: string;
  member: string;
  machine: string;
  /** If it differs from the last sync, the server was restored or moved. Empty before the first sync. */
  epoch: string;
  /** The server's address without credentials, to show to people. */
  server: string;
  isEncrypted: boolean;
  joinedAt: number;
  /** The last stamp that was issued or received; decimal. */
  hlc: string;
  /** Milliseconds to add to this machine's clock. */
  clockOffset: number;
  /** When the last complete sync ended. */
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
  /** Part of the digests of changes: the key, preceded by a secret in an encrypted team. */
  digestKey: string;
  name: string;
  /** Whether changes made here are shared; otherwise the project is only read. */
  isShared: boolean;
  /** Anything older is not shared. */
  since: number;
  /** The server's number of the project; null before the first sync. */
  serverId: number | null;
  canWrite: boolean;
  /** Only this home writes under this origin. */
  origin: string;
  nextN: number;
  /** The last change that was applied here. */
  seq: number;
  /** The chain over all changes up to `seq`; see `FeedPosition`. */
  chain: Uint8Array | null;
  /** The last change that the server knows this machine has applied. */
  confirmed: number;
}

export const SHARED_KINDS = ['memory', 'work-item', 'plan', 'task', 'handoff'] as const;
export type SharedKind = (typeof SHARED_KINDS)[number];

export type SharedAspect = 'text' | 'pin' | 'supersession' | 'state' | 'deletion';

/** A shared item: the same on every machine, but under different row numbers. */
export interface TeamItem {
  /** A uuid. */
  item: string;
  projectId: number;
  what: SharedKind;
  /** Its row number here; null if its text has not been received yet or no longer exists. */
  rowId: number | null;
  /** The member who made it; null if it was made here. */
  author: string | null;
  isDead: boolean;
}

/** A shared item that was removed here. */
export interface GoneItem extends TeamItem {
  /** If false, its turn was distilled again without it. */
  isForgotten: boolean;
}

/** The winning value of one aspect of an item. */
export interface TeamRegister {
  item: string;
  aspect: string;
  hlc: string;
  origin: string;
  author: string | null;
  /** The row's value here as JSON; for a text only its hash. */
  value: string;
  /** The row cannot have the value yet: it refers to something missing here or would create a cycle. */
  isHeld: boolean;
}

/** A change in the outbox. It is kept after it was acknowledged: a restored server asks for it again. */
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
  /** Why the server rejected it. */
  refusal: string | null;
}

/** A change that could not be applied. */
export interface AsideChange {
  projectId: number;
  seq: number;
  /** `waiting`: something it refers to is not here yet; `sealed`: its key is missing. */
  reason: 'unknown' | 'bad' | 'sealed' | 'waiting';
  problem: string;
  /** The change as received, as JSON. */
  change: string;
  at: number;
}

/** A text of an item that a later one has replaced. */
export interface EarlierText {
  hlc: string;
  author: string | null;
  /** As JSON. */
  text: string;
}

/** `by project`: shared if its project is shared and it was made since then. */
export type Sharing = 'by project' | 'always' | 'never';

/** A row in shared form, without numbers, sessions and paths of this machine. */
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
  /** The member it is for; null if it is for the member who wrote it. */
  to: string | null;
}

export type SharedState =
  /** For a memory: its turn was distilled again without it. */
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
