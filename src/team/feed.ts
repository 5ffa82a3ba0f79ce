/**
 * What a machine asks the team's server, and the answers. Every project has its own feed: changes with the numbers
 * 1, 2, 3 …, without holes, in the order in which they were committed.
 */
export interface TeamFeed {
  /** All projects that this machine may read, in one round trip, and the server's clock. */
  listHeads(): Promise<Heads>;
  /** Registers a project by its key, or finds it. Fails for members who may not write. */
  openProject(key: string, label: Uint8Array): Promise<ProjectHead>;
  push(request: PushRequest): Promise<PushResult>;
  /** At most `limit` changes (2,000 at most) after a position that this machine has read. */
  pull(project: number, after: FeedPosition, limit: number): Promise<PullResult>;
  /** Opens a change that was still sealed when it was pulled; its key may have arrived since. */
  open(project: number, change: FeedChange): FeedChange;
  /** Records up to which change this machine has applied a project. Others see by it who has confirmed a deletion. */
  confirm(project: number, seq: string): Promise<void>;
  /** Takes a handoff for this member. Only the first machine that asks gets it. */
  claim(project: number, item: string): Promise<ClaimResult>;
  /** At most `limit` candidates for a search, which the caller ranks. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /** The texts of items by prefixes of their ids, at least 8 hexadecimal digits. Missing ones are omitted. */
  readTexts(ids: string[]): Promise<FeedText[]>;
  close(): Promise<void>;
}

export interface Heads {
  team: string;
  /** Differs after the server was restored or migrated; positions of another epoch are checked before they are used. */
  epoch: string;
  /** The server's clock, in milliseconds. */
  now: number;
  isEncrypted: boolean;
  projects: ProjectHead[];
  /** In an encrypted team: a problem with keys or machines on the server, worded for the person. */
  keyProblem?: string | null;
}

export interface ProjectHead {
  id: number;
  key: string;
  /** The name that people see. */
  label: Uint8Array;
  /** The number of its last change. A decimal string, like all 64-bit numbers here: JavaScript would round them. */
  head: string;
  /** The chain up to `head`. */
  chain: Uint8Array | null;
  canWrite: boolean;
}

/** A position in a feed; zero and null before its first change. */
export interface FeedPosition {
  seq: string;
  /**
   * Computed from the digests of all changes up to this one. A server that was restored from a backup may have the same
   * change under the same number again, but not the same changes before it.
   */
  chain: Uint8Array | null;
}

/**
 * A change of one aspect of one item. Each aspect is a separate register: a pin made here and an edit made there both
 * survive. `deletion` is final, and strips the texts of all other aspects.
 */
export interface OutgoingChange {
  /** Numbered without holes per project and origin. */
  n: number;
  /** A uuid. */
  item: string;
  aspect: Aspect;
  /** Hybrid logical clock: 48 bits of milliseconds, 16 bits of counter; decimal. */
  hlc: string;
  /** SHA-256 of all other fields with the project's key and the origin. */
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
  /** Why the payload is still sealed: this machine does not have the key (yet), or the payload was changed or moved. */
  unopened?: 'no-key' | 'damaged';
}

export interface PushRequest {
  project: number;
  /** A uuid under which only this home writes. */
  origin: string;
  /** In the order of `n`; 500 at most. */
  changes: OutgoingChange[];
}

export type PushResult =
  /** The server has this origin's changes up to `last`; `head` is the feed's last number. `refused` were stored without a payload. */
  | { outcome: 'stored'; last: number; head: string; refused: RefusedChange[] }
  /** The server lacks changes from `expected` on: it was restored from a backup. */
  | { outcome: 'gap'; expected: number }
  /** The server has another change under this n: the home was copied or restored. */
  | { outcome: 'fork'; at: number }
  /** A change is too far ahead of the server's clock. */
  | { outcome: 'clock'; now: number };

/** A change whose payload the server rejects (too large, malformed). The feed continues without its text. */
export interface RefusedChange {
  n: number;
  reason: string;
}

export type PullResult =
  | { outcome: 'changes'; changes: FeedChange[]; end: FeedPosition; head: string }
  /** The server does not have this position, or has other changes before it: it was restored from a backup. */
  | { outcome: 'diverged'; head: string };

export type ClaimResult = { outcome: 'claimed' } | { outcome: 'taken'; by: string };

export interface SearchRequest {
  /** Null for all projects that this member may read. */
  projects: number[] | null;
  tokens: number[];
  limit: number;
}

export interface SearchAnswer {
  candidates: SearchCandidate[];
  /** How many items have each requested token, counted up to 5,001. Empty without candidates. */
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
  /** Null unless it is later than the text. */
  state: Uint8Array | null;
}

export interface SearchCandidate extends FeedText {
  /** How many of the requested tokens it has. */
  matched: number;
}

/**
 * Why the server did not answer. `access` ends syncing until the person acts; `network` and `busy` are retried later.
 * `forbidden` concerns one project or one call, also for a project that does not exist; others continue. `keys`: the
 * key of a project has not arrived yet, or is no longer the newest.
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
