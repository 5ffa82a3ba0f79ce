import type { Memory } from '../api/types.ts';
import { countLines } from '../parts/count-lines.ts';
import type { FeedTurn } from './feed-turns.ts';

/** In pixels, as in styles/feed.css and styles/narrow.css. */
const WIDE = {
  day: 50,
  unread: 34,
  header: 43,
  turn: 24,
  say: 22,
  did: 24,
  memory: 40,
  title: 22,
  live: 70,
  gap: 18,
};
const NARROW = { ...WIDE, header: 41, turn: 22, say: 23, memory: 74 };

export interface FeedSpace {
  isNarrow: boolean;
  /** Of a card. */
  width: number;
}

/** Lines of the texts that may wrap; the rest is one line or a fixed number of them. */
export interface FeedLines {
  say: number;
  did: number;
  titles: Map<number, number>;
}

/** How high an article will be: the list must know before it draws it. */
export function heightOf(each: FeedTurn, lines: FeedLines, { isNarrow }: FeedSpace): number {
  const size = isNarrow ? NARROW : WIDE;
  let height = size.turn + size.say * lines.say;
  if (each.day) height += size.day;
  if (each.isUnreadLine) height += size.unread;
  if (each.opensCard) height += size.header;
  if (each.closesCard) height += size.gap;
  if (each.running) height += size.live;
  if (each.summary) height += size.did * lines.did;
  for (const { id } of each.memories) height += size.memory + size.title * (lines.titles.get(id) ?? 1);
  return height;
}

export function linesOf(each: FeedTurn, { isNarrow, width }: FeedSpace): FeedLines {
  const inner = width - (isNarrow ? 57 : 66);
  const say = countLines(sayText(each), `560 ${isNarrow ? 15 : 14.5}px`, inner - 60, 2);
  if (!isNarrow) return { say, did: 1, titles: new Map() };
  return {
    say,
    did: each.summary ? countLines(didText(each.summary), '15px', inner, 2) : 1,
    titles: new Map(each.memories.map(({ id, title }) => [id, countLines(title, '560 15px', inner - 40, 2)])),
  };
}

export function sayText({ turn, memories }: FeedTurn): string {
  if (turn?.request) return turn.request.replace(/\s+/g, ' ').slice(0, 400);
  if (turn) return turn.prompt === null ? 'Before the first prompt' : 'A private prompt';
  return memories[0]?.kind === 'note' ? 'Saved by hand' : 'Without a turn';
}

/** One line of result. */
export function didText({ parts, title }: Memory): string {
  return (parts?.completed || parts?.learned || parts?.investigated || title)
    .replace(/\s+/g, ' ')
    .slice(0, 400);
}
