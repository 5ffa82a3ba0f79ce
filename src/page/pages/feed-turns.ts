import type { Memory, RunningTurn, Session, Turn } from '../api/types.ts';
import { startOfDay } from '../parts/format.ts';

/** One article of the feed: a turn with its memories, or a memory without a turn. */
export interface FeedTurn {
  key: string;
  at: number;
  session: Session | null;
  turn: Turn | null;
  running: RunningTurn | null;
  summary: Memory | null;
  memories: Memory[];
  /** The heading above: the day, and its counts if all of it is loaded. */
  day: { at: number; sessions: number; memories: number; isWhole: boolean } | null;
  /** Whether the line below which everything has been seen is above this article. */
  isUnreadLine: boolean;
  opensCard: boolean;
  closesCard: boolean;
}

export interface FeedParts {
  /** Latest first. */
  memories: Memory[];
  turns: Map<number, Turn>;
  sessions: Map<number, Session>;
  running: RunningTurn[];
  /** The time of the latest memory seen at the last visit; 0 at the first visit. */
  seenAt: number;
  hasMore: boolean;
}

/** Puts memories of one turn next to each other, and turns of one session into one card. */
export function arrangeFeed({ memories, turns, sessions, running, seenAt, hasMore }: FeedParts): FeedTurn[] {
  const list: FeedTurn[] = running.map((run) => ({
    ...blank(`r${run.turn.id}`, run.turn.lastAt),
    ...{ session: run.session, turn: run.turn, running: run },
  }));
  for (const memory of memories) {
    const key = memory.turnId === null ? `m${memory.id}` : `t${memory.turnId}`;
    let last = list.at(-1);
    if (last?.key !== key || last.running) {
      last = {
        ...blank(key, memory.at),
        session: memory.sessionId === null ? null : (sessions.get(memory.sessionId) ?? null),
        turn: memory.turnId === null ? null : (turns.get(memory.turnId) ?? null),
      };
      list.push(last);
    }
    if (memory.kind === 'summary') last.summary = memory;
    else last.memories.push(memory);
  }
  addCards(list);
  addDays(list, hasMore);
  addUnreadLine(list, seenAt);
  return list;
}

function blank(key: string, at: number): FeedTurn {
  return {
    ...{ key, at, session: null, turn: null, running: null, summary: null, memories: [] },
    ...{ day: null, isUnreadLine: false, opensCard: true, closesCard: true },
  };
}

function addDays(list: FeedTurn[], hasMore: boolean): void {
  let open: FeedTurn[] = [];
  const close = (isWhole: boolean) => {
    const first = open[0];
    if (!first) return;
    first.day = {
      at: first.at,
      sessions: new Set(open.map(({ session }) => session?.id ?? 0)).size,
      memories: open.reduce((sum, { memories }) => sum + memories.length, 0),
      isWhole,
    };
    open = [];
  };
  for (const item of list) {
    const last = open.at(-1);
    if (last && startOfDay(last.at) !== startOfDay(item.at)) {
      close(true);
      breakCard(list, item);
    }
    open.push(item);
  }
  close(!hasMore);
}

function addCards(list: FeedTurn[]): void {
  for (const [index, item] of list.entries()) {
    const before = list[index - 1];
    if (!before || !item.session || before.session?.id !== item.session.id) continue;
    item.opensCard = false;
    before.closesCard = false;
  }
}

function addUnreadLine(list: FeedTurn[], seenAt: number): void {
  const first = list.find(({ running, at }) => !running && at <= seenAt);
  const newest = list.find(({ running }) => !running);
  if (!first || first === newest) return;
  first.isUnreadLine = true;
  breakCard(list, first);
}

/** Ends the card above: a line across the page cannot cross a card. */
function breakCard(list: FeedTurn[], at: FeedTurn): void {
  const before = list[list.indexOf(at) - 1];
  at.opensCard = true;
  if (before) before.closesCard = true;
}

/** The ids of memories in display order, for moving to the next and the previous one. */
export function listShownIds(list: FeedTurn[]): number[] {
  return list.flatMap(({ summary, memories }) => [
    ...(summary ? [summary.id] : []),
    ...memories.map(({ id }) => id),
  ]);
}
