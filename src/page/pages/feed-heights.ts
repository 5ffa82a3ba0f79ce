import type { FeedTurn } from './feed-turns.ts';

/** In pixels, as in styles/feed.css. */
const WIDE = { day: 50, unread: 34, header: 43, turn: 24, say: 22, did: 24, memory: 62, live: 70, gap: 18 };
const NARROW = { ...WIDE, header: 41, turn: 22, say: 23, memory: 96 };

export interface FeedSpace {
  isNarrow: boolean;
  /** Of a card. */
  width: number;
}

/** How high an article will be: the list must know before it draws it. */
export function heightOf(each: FeedTurn, space: FeedSpace): number {
  const size = space.isNarrow ? NARROW : WIDE;
  let height = size.turn + size.say * sayLines(each, space);
  if (each.day) height += size.day;
  if (each.isUnreadLine) height += size.unread;
  if (each.opensCard) height += size.header;
  if (each.closesCard) height += size.gap;
  if (each.running) height += size.live;
  if (each.summary) height += size.did;
  return height + each.memories.length * size.memory;
}

/** Words of a person take one or two lines. */
export function sayLines(each: FeedTurn, { width, isNarrow }: FeedSpace): 1 | 2 {
  const perLetter = isNarrow ? 8 : 7.6;
  return sayText(each).length * perLetter > width - 130 ? 2 : 1;
}

export function sayText({ turn, memories }: FeedTurn): string {
  if (turn?.request) return turn.request.replace(/\s+/g, ' ').slice(0, 400);
  if (turn) return turn.prompt === null ? 'Before the first prompt' : 'A private prompt';
  return memories[0]?.kind === 'note' ? 'Saved by hand' : 'Without a turn';
}
