import { sealFeed } from '../crypto/sealed-feed.ts';
import { readSecrets } from '../crypto/team-secrets.ts';
import {
  type ClaimResult,
  type FeedChange,
  type FeedPosition,
  type FeedText,
  type Heads,
  type OutgoingChange,
  type ProjectHead,
  type PullResult,
  type PushRequest,
  type PushResult,
  type SearchAnswer,
  type SearchRequest,
  TeamError,
  type TeamFeed,
} from '../feed.ts';
import type { TeamCredentials } from './address.ts';
import { type Channel, openChannel } from './channel.ts';
import { ASPECT_CODES, aspectOf } from './codes.ts';
import { keysOver } from './keys.ts';
import { MAX_BATCH, MAX_PAYLOAD_BYTES } from './schema/003-feed.ts';

/** Bytes of payload in one call. A whole batch of the largest texts would need several hundred megabytes at once. */
const CALL_BYTES = 4 * 1024 * 1024;

/** In an encrypted team changes are sealed before sending and opened after reading. */
export function openFeed(credentials: TeamCredentials): TeamFeed {
  const channel = openChannel(credentials);
  const secrets = readSecrets(credentials);
  const feed = feedOver(channel);
  return secrets ? sealFeed(feed, keysOver(channel), secrets) : feed;
}

function feedOver({ ask, close }: Channel): TeamFeed {
  return {
    close,
    async listHeads() {
      return readHeads(await ask<HeadRow>('SELECT * FROM cairn.heads()', []));
    },
    async openProject(key, label) {
      const rows = await ask<ProjectRow>('SELECT * FROM cairn.open_project($1, $2)', [
        key,
        Buffer.from(label),
      ]);
      return readProject(only(rows));
    },
    async push(request) {
      let result: PushResult | undefined;
      for (const changes of splitBySize(request.changes)) {
        const next = readPush(only(await ask<PushRow>(PUSH, pushValues({ ...request, changes }))));
        if (next.outcome !== 'stored') return next;
        const refused = result?.outcome === 'stored' ? result.refused : [];
        result = { ...next, refused: [...refused, ...next.refused] };
      }
      if (result === undefined) throw new TeamError('server', 'There are no changes to push.');
      return result;
    },
    async pull(project, after, limit) {
      const chain = after.chain === null ? null : Buffer.from(after.chain);
      const rows = await ask<PullRow>('SELECT * FROM cairn.pull($1, $2, $3, $4)', [
        project,
        after.seq,
        chain,
        limit,
      ]);
      return readPull(rows, after);
    },
    open: (_, change) => change,
    async confirm(project, seq) {
      await ask('SELECT cairn.confirm($1, $2)', [project, seq]);
    },
    async claim(project, item) {
      return readClaim(only(await ask<ClaimRow>('SELECT * FROM cairn.claim($1, $2)', [project, item])));
    },
    async search(request) {
      return readSearch(
        await ask<SearchRow>('SELECT * FROM cairn.search($1, $2, $3)', searchValues(request)),
      );
    },
    async readTexts(ids) {
      const sql = 'SELECT * FROM cairn.read_texts($1, $2)';
      return (
        await ask<TextRow>(sql, [ids.map((id) => fillId(id, '0')), ids.map((id) => fillId(id, 'f'))])
      ).map(readText);
    },
  };
}

interface HeadRow extends Omit<ProjectRow, 'id'> {
  team: string;
  epoch: string;
  now_ms: string;
  is_encrypted: boolean;
  id: number | null;
}

interface ProjectRow {
  id: number;
  key: string;
  label: Buffer;
  head: string;
  chain: Buffer;
  can_write: boolean;
}

function readHeads(rows: HeadRow[]): Heads {
  const [first] = rows;
  if (!first) throw new TeamError('not-a-team', 'There is no team in this database.');
  return {
    team: first.team,
    epoch: first.epoch,
    now: Number(first.now_ms),
    isEncrypted: first.is_encrypted,
    projects: rows.flatMap(({ id, ...row }) => (id === null ? [] : [readProject({ ...row, id })])),
  };
}

function readProject({ id, key, label, head, chain, can_write }: ProjectRow): ProjectHead {
  return {
    ...{ id, key, label: asBytes(label), head, canWrite: can_write },
    chain: head === '0' ? null : asBytes(chain),
  };
}

const PUSH = 'SELECT * FROM cairn.push($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';

interface PushRow {
  outcome: 'stored' | 'gap' | 'fork' | 'clock';
  last_n: string;
  head: string;
  now_ms: string;
  refused_n: string[] | null;
  refused_reason: string[] | null;
}

/** The changes as parallel lists. A payload that is too large is not sent: the server stores the number and the reason. */
function pushValues({ project, origin, changes }: PushRequest): unknown[] {
  const list = <T>(pick: (change: OutgoingChange) => T) => changes.map(pick);
  return [
    project,
    origin,
    list(({ n }) => n),
    list(({ item }) => item.toLowerCase()),
    list(({ aspect }) => ASPECT_CODES[aspect] ?? -1),
    list(({ hlc }) => hlc),
    list(({ digest }) => Buffer.from(digest)),
    list((change) => (change.payload === null || isTooLarge(change) ? null : Buffer.from(change.payload))),
    list(({ keyEpoch }) => keyEpoch),
    list(({ tokens }) => [...new Set(tokens.map((token) => token | 0))].join(',')),
    list((change) => (isTooLarge(change) ? 'too large' : null)),
  ];
}

function isTooLarge({ payload }: OutgoingChange): boolean {
  return payload !== null && payload.length > MAX_PAYLOAD_BYTES;
}

function splitBySize(changes: OutgoingChange[]): OutgoingChange[][] {
  const parts: OutgoingChange[][] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = isTooLarge(change) ? 0 : (change.payload?.length ?? 0);
    const last = parts.at(-1);
    if (last && last.length < MAX_BATCH && bytes + size <= CALL_BYTES) {
      last.push(change);
      bytes += size;
    } else {
      parts.push([change]);
      bytes = size;
    }
  }
  return parts;
}

function readPush(row: PushRow): PushResult {
  switch (row.outcome) {
    case 'gap':
      return { outcome: 'gap', expected: Number(row.last_n) };
    case 'fork':
      return { outcome: 'fork', at: Number(row.last_n) };
    case 'clock':
      return { outcome: 'clock', now: Number(row.now_ms) };
    case 'stored':
      return {
        outcome: 'stored',
        last: Number(row.last_n),
        head: row.head,
        refused: (row.refused_n ?? []).map((n, at) => ({
          n: Number(n),
          reason: row.refused_reason?.[at] ?? '',
        })),
      };
  }
}

interface PullRow {
  head: string;
  is_diverged: boolean;
  seq: string | null;
  origin: string;
  n: string;
  item: string;
  aspect: number;
  hlc: string;
  author: string;
  digest: Buffer;
  chain: Buffer;
  payload: Buffer | null;
  key_epoch: number;
}

function readPull(rows: PullRow[], after: FeedPosition): PullResult {
  const first = only(rows.slice(0, 1));
  if (first.is_diverged) return { outcome: 'diverged', head: first.head };
  const changes = rows.flatMap((row) => (row.seq === null ? [] : [readChange(row, row.seq)]));
  refuseHoles(changes, BigInt(after.seq));
  const last = rows.at(-1);
  const end = last && last.seq !== null ? { seq: last.seq, chain: asBytes(last.chain) } : after;
  return { outcome: 'changes', changes, end, head: first.head };
}

function readChange(row: PullRow, seq: string): FeedChange {
  return {
    seq,
    origin: row.origin,
    n: Number(row.n),
    item: row.item,
    aspect: aspectOf(row.aspect),
    hlc: row.hlc,
    author: row.author,
    digest: asBytes(row.digest),
    payload: row.payload === null ? null : asBytes(row.payload),
    keyEpoch: row.key_epoch,
  };
}

/** The server never makes holes. One means that rows were removed by hand, which must be repaired and not skipped. */
function refuseHoles(changes: FeedChange[], after: bigint): void {
  const hole = changes.findIndex(({ seq }, at) => BigInt(seq) !== after + BigInt(at + 1));
  if (hole !== -1)
    throw new TeamError('server', `Change ${after + BigInt(hole + 1)} is missing on the server.`);
}

interface ClaimRow {
  is_claimed: boolean;
  taken_by: string;
}

function readClaim({ is_claimed, taken_by }: ClaimRow): ClaimResult {
  return is_claimed ? { outcome: 'claimed' } : { outcome: 'taken', by: taken_by };
}

interface TextRow {
  project_id: number;
  item: string;
  author: string;
  hlc: string;
  payload: Buffer;
  pin: Buffer | null;
  supersession: Buffer | null;
  state: Buffer | null;
}

interface SearchRow extends TextRow {
  matched: number;
  /** The same in every row. */
  frequencies: Record<string, number>;
}

function searchValues({ projects, tokens, limit }: SearchRequest): unknown[] {
  return [projects, tokens.map((token) => token | 0), limit];
}

function readSearch(rows: SearchRow[]): SearchAnswer {
  const frequencies = Object.entries(rows[0]?.frequencies ?? {});
  return {
    candidates: rows.map((row) => ({ ...readText(row), matched: row.matched })),
    frequencies: new Map(frequencies.map(([token, count]) => [Number(token), count])),
  };
}

function readText({ project_id, item, author, hlc, payload, pin, supersession, state }: TextRow): FeedText {
  const orNull = (buffer: Buffer | null) => (buffer === null ? null : asBytes(buffer));
  return {
    ...{ project: project_id, item, author, hlc, payload: asBytes(payload) },
    ...{ pin: orNull(pin), supersession: orNull(supersession), state: orNull(state) },
  };
}

/** The lowest or highest uuid with this prefix. */
function fillId(beginning: string, digit: '0' | 'f'): string {
  return beginning.replaceAll('-', '').padEnd(32, digit);
}

function only<Row>(rows: Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new TeamError('server', 'The server gave no answer.');
  return row;
}

/** A copy: a view would keep the driver's whole buffer in memory. */
function asBytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer);
}
