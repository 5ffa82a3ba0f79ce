/**
 * What a machine asks of the team's server, and what it answers. Every project has its own feed: changes with the
 * numbers 1, 2, 3 …, without holes, in the order in which they were committed.
 */
export interface TeamFeed {
  /** All projects that this machine may read, in one round trip, and the server's clock. */
  listHeads(): Promise<Heads>;
  /** Registers a project by its key, or finds it. Fails for members who may not write. */
  openProject(key: string, label: Uint8Array): Promise<ProjectHead>;
  push(request: PushRequest): Promise<PushResult>;
  /** At most `limit` changes (2,000 at most) after a position that this machine has read. */
  pull(project: number, after: FeedPosition, limit: number): Promise<PullResult>;
  /** Opens a change that was still sealed when it was pulled; its key may have come. */
  open(project: number, change: FeedChange): FeedChange;
  /** Records up to which change this machine has applied a project, so that others see who has confirmed a deletion. */
  confirm(project: number, seq: string): Promise<void>;
  /** Takes a handoff for this member; once only: the first who asks gets it. */
  claim(project: number, item: string): Promise<ClaimResult>;
  /** Candidates for a search, at most `limit`; ranked by the caller. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /** The texts of items by the beginnings of their ids, 8 hexadecimal digits at least; what is not there is left out. */
  readTexts(ids: string[]): Promise<FeedText[]>;
  close(): Promise<void>;
}

export interface Heads {
  team: string;
  /** Changes when the server was restored or migrated: positions of another epoch are checked before they are used. */
  epoch: string;
  /** The server's clock, in milliseconds. */
  now: number;
  isEncrypted: boolean;
  projects: ProjectHead[];
  /** In an encrypted team: what is wrong with the keys or machines that the server has. Worded for the person. */
  keyProblem?: string | null;
}

export interface ProjectHead {
  id: number;
  key: string;
  /** The name people see. */
  label: Uint8Array;
  /** The number of its last change. A decimal string, as all 64-bit numbers here: JavaScript would round them. */
  head: string;
  /** The chain there. */
  chain: Uint8Array | null;
  canWrite: boolean;
}

/** A place in a feed; before its first change zero and null. */
export interface FeedPosition {
  seq: string;
  /**
   * Made of the digests of all changes up to this one. A server that was restored from a backup may have the same change
   * under the same number again, but not everything before it.
   */
  chain: Uint8Array | null;
}

/**
 * A change of one aspect of one item. Aspects are registers of their own, so that a pin made here and an edit made
 * there both survive. `deletion` is final, and strips the texts of all other aspects.
 */
export interface OutgoingChange {
  /** Without holes per project and origin. */
  n: number;
  /** A uuid. */
  item: string;
  aspect: Aspect;
  /** Hybrid logical clock: 48 bits of milliseconds, 16 bits of counter; decimal. */
  hlc: string;
  /** SHA-256 of all the other fields with the project's key and the origin. */
  digest: Uint8Array;
  /** Null for a deletion. */
  payload: Uint8Array | null;
  /** The epoch of the key that sealed the payload; 0 if it is not sealed. */
  keyEpoch: number;
  /** Hashed words for `search`; empty in an encrypted team and for aspects without text. */
  tokens: number[];
}

export const ASPECTS = ['text', 'pin', 'supersession', 'state', 'deletion'] as const;
export type Aspect = (typeof ASPECTS)[number];

export interface FeedChange extends Omit<OutgoingChange, 'tokens'> {
  seq: string;
  origin: string;
  /** The label of the member who made it. */
  author: string;
  /** Why the payload is still sealed: this machine has no such key (yet), or it was changed or moved. */
  unopened?: 'no-key' | 'damaged';
}

export interface PushRequest {
  project: number;
  /** A uuid that only this home writes under. */
  origin: string;
  /** In the order of `n`; 500 at most. */
  changes: OutgoingChange[];
}

export type PushResult =
  /** `last`: the n up to which the server has this origin's changes; `head`: the feed's last number. `refused` were stored without a payload. */
  | { outcome: 'stored'; last: number; head: string; refused: RefusedChange[] }
  /** The server lacks changes from `expected` on: it was restored from a backup. */
  | { outcome: 'gap'; expected: number }
  /** The server has another change under this n: the home was copied or restored. */
  | { outcome: 'fork'; at: number }
  /** A change is too far ahead of the server's clock. */
  | { outcome: 'clock'; now: number };

/** A change the server does not take as it is (too large, malformed). The feed goes on without its text. */
export interface RefusedChange {
  n: number;
  reason: string;
}

export type PullResult =
  | { outcome: 'changes'; changes: FeedChange[]; end: FeedPosition; head: string }
  /** The server has no such position, or other changes up to it: it was restored from a backup. */
  | { outcome: 'diverged'; head: string };

export type ClaimResult = { outcome: 'claimed' } | { outcome: 'taken'; by: string };

export interface SearchRequest {
  /** Null: all projects that this member may read. */
  projects: number[] | null;
  tokens: number[];
  limit: number;
}

export interface SearchAnswer {
  candidates: SearchCandidate[];
  /** Of each asked token: how many items have it, counted up to 5,001. Empty without candidates. */
  frequencies: Map<number, number>;
}

/** The winning text of an item, with the payloads of its other aspects. */
export interface FeedText {
  project: number;
  item: string;
  /** Who wrote this text. */
  author: string;
  hlc: string;
  payload: Uint8Array;
  pin: Uint8Array | null;
  supersession: Uint8Array | null;
  /** Only if it is later than the text. */
  state: Uint8Array | null;
}

export interface SearchCandidate extends FeedText {
  /** How many of the asked tokens it has. */
  matched: number;
}

/**
 * Why the server did not answer. `access` ends syncing until the person acts; `network` and `busy` are tried again
 * later. `forbidden` is about one project or one call, and the same for a project that does not exist: others go on.
 * `keys`: the key of a project is not here yet, or is no longer the newest.
 */
export type TeamErrorReason =
  | 'network'
  | 'busy'
  | 'access'
  | 'forbidden'
  | 'keys'
  | 'newer-schema'
  | 'not-a-team'
  | 'tls'
  | 'server';

export class TeamError extends Error {
  override readonly name = 'TeamError';
  readonly reason: TeamErrorReason;

  constructor(reason: TeamErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
