import { batch, computed, signal } from '@preact/signals';
import { CallError, get } from '../api/call.ts';
import type { Change } from '../api/live.ts';
import type { Memory, RunningTurn, Session, Turn } from '../api/types.ts';

export interface FeedFilter {
  project?: number;
  agent?: string;
  type?: NonNullable<Memory['type']>;
}

const PAGE = 60;
const STORED_SEEN = 'cairn.seen';
const MOST_SINGLE = 20;

const memories = signal<Memory[]>([]);
const turns = signal(new Map<number, Turn>());
const sessions = signal(new Map<number, Session>());
export const running = signal<RunningTurn[]>([]);
/** New memories that are held back until the reader asks for them. */
export const waiting = signal<Memory[]>([]);
const next = signal<string | null>(null);
export const failure = signal<CallError | null>(null);
export const isLoaded = signal(false);
/** Paused by the reader. Scrolling down also holds new rows back, but does not set this. */
export const isPaused = signal(false);
/** Rows that arrived while the reader was looking, for their animation. */
export const freshIds = signal(new Set<number>());
export const seen = signal(readSeen());
/** The number of memories that arrived while the tab was hidden. */
export const unseen = signal(0);

let filter: FeedFilter = {};
let loading: AbortController | null = null;

export const feedParts = computed(() => ({
  ...{ memories: memories.value, turns: turns.value, sessions: sessions.value, running: running.value },
  ...{ seenAt: seen.value.at, hasMore: next.value !== null },
}));

export async function loadFeed(wanted: FeedFilter): Promise<void> {
  filter = wanted;
  isLoaded.value = false;
  loading?.abort();
  loading = new AbortController();
  const { signal: stop } = loading;
  try {
    const [feed] = await Promise.all([
      get('/api/feed', { query: { ...filter, limit: PAGE }, signal: stop }),
      loadRunning(stop),
    ]);
    batch(() => {
      memories.value = [];
      waiting.value = [];
      freshIds.value = new Set();
      addRelated(feed);
      memories.value = feed.memories;
      next.value = feed.next;
      failure.value = null;
      isLoaded.value = true;
    });
  } catch (error) {
    if (!stop.aborted && error instanceof CallError) failure.value = error;
  }
}

let isLoadingMore = false;

export async function loadMore(): Promise<void> {
  const cursor = next.value;
  if (cursor === null || isLoadingMore) return;
  isLoadingMore = true;
  const filterBefore = filter;
  try {
    const feed = await get('/api/feed', { query: { ...filter, limit: PAGE, cursor } });
    if (filterBefore !== filter) return;
    batch(() => {
      addRelated(feed);
      memories.value = mergeMemories(memories.value, feed.memories);
      next.value = feed.next;
    });
  } catch {
    // The bar at the top already reports a stopped worker; scrolling tries again.
  } finally {
    isLoadingMore = false;
  }
}

let applying = Promise.resolve();

/** Applies changes in sequence. New memories appear at once only if the reader is at the top. */
export function applyChanges(changes: Change[], isAtTop: () => boolean): void {
  applying = applying.then(() => apply(changes, isAtTop));
}

async function apply(changes: Change[], isAtTop: () => boolean): Promise<void> {
  const filterBefore = filter;
  if (changes.some(({ what }) => what === 'store')) return loadFeed(filter);
  const ofMemories = changes.filter(({ what }) => what === 'memory');
  const removed = new Set(ofMemories.filter(({ how }) => how === 'removed').map(({ id }) => id));
  if (removed.size > 0) dropMemories(removed);
  if (changes.some(({ what }) => what === 'turn' || what === 'session')) await loadRunning().catch(() => {});
  if (ofMemories.length === removed.size) return;
  const head = await get('/api/feed', { query: { ...filter, limit: PAGE } }).catch(() => null);
  if (!head) return;
  const known = new Set(memories.value.map(({ id }) => id));
  const arrived = head.memories.filter(({ id }) => !known.has(id));
  const inHead = new Set(head.memories.map(({ id }) => id));
  const elsewhere = ofMemories.filter(({ id }) => known.has(id) && !inHead.has(id)).slice(0, MOST_SINGLE);
  const changed = await Promise.all(
    elsewhere.map(({ id }) => get('/api/memories/{id}', { params: { id } }).catch(() => null)),
  );
  if (filterBefore !== filter) return;
  batch(() => {
    addRelated(head);
    const again = [
      ...head.memories.filter(({ id }) => known.has(id)),
      ...changed.flatMap((one) => one?.memory ?? []),
    ];
    memories.value = mergeMemories(memories.value, again);
    if (arrived.length === 0) return;
    waiting.value = arrived;
    if (!isPaused.value && isAtTop()) letWaitingIn();
  });
}

export function letWaitingIn(): void {
  // A full page of new memories: there may be more between them and the list.
  if (waiting.value.length >= PAGE) void loadFeed(filter);
  else letIn(waiting.value);
}

/** Hides memories at once. If one comes back, the stream reports it. */
export function dropMemories(ids: Set<number>): void {
  memories.value = memories.value.filter(({ id }) => !ids.has(id));
  waiting.value = waiting.value.filter(({ id }) => !ids.has(id));
}

/** Restores memories to their places, wherever the reader is. */
export async function restoreMemories(ids: number[]): Promise<void> {
  if (ids.length > MOST_SINGLE) return loadFeed(filter);
  const found = await Promise.all(ids.map((id) => get('/api/memories/{id}', { params: { id } })));
  memories.value = mergeMemories(
    memories.value,
    found.map(({ memory }) => memory),
  );
}

function letIn(arrived: Memory[]): void {
  batch(() => {
    if (document.hidden) unseen.value += arrived.length;
    freshIds.value = new Set(arrived.map(({ id }) => id));
    memories.value = mergeMemories(memories.value, arrived);
    waiting.value = [];
  });
}

async function loadRunning(stop?: AbortSignal): Promise<void> {
  const { project, agent } = filter;
  const query = { ...(project !== undefined && { project }), ...(agent !== undefined && { agent }) };
  const answer = await get('/api/running', { query, ...(stop && { signal: stop }) });
  running.value = answer.running;
}

function addRelated(feed: { turns: Turn[]; sessions: Session[] }): void {
  turns.value = new Map([...turns.value, ...feed.turns.map((turn) => [turn.id, turn] as const)]);
  sessions.value = new Map([
    ...sessions.value,
    ...feed.sessions.map((session) => [session.id, session] as const),
  ]);
}

/** Latest first; each memory once, in its latest version. */
export function mergeMemories(before: Memory[], more: Memory[]): Memory[] {
  const byId = new Map([...before, ...more].map((memory) => [memory.id, memory]));
  return [...byId.values()].sort((one, other) => other.at - one.at || other.id - one.id);
}

/** Stores the position of the unread line for the next visit. */
export function rememberSeen(): void {
  const newest = memories.value[0];
  if (newest) localStorage.setItem(STORED_SEEN, `${newest.at} ${Date.now()}`);
}

function readSeen(): { at: number; visitedAt: number } {
  const [at = 0, visitedAt = 0] = (localStorage.getItem(STORED_SEEN) ?? '0 0').split(' ').map(Number);
  return { at, visitedAt };
}
