import type { Memory } from '../api/types.ts';
import { countLines } from '../parts/count-lines.ts';
import { lineOf } from '../parts/memory-row.tsx';
import type { FeedTurn } from './feed-turns.ts';

/** In pixels, matching styles/feed.css and styles/narrow.css. */
const WIDE = { day: 50, unread: 34, header: 43, turn: 24, say: 22, did: 24, live: 70, gap: 18 };
const NARROW = { ...WIDE, header: 41, turn: 22, say: 23 };
/** Parts of a memory: the space around its text, and the lines of its title, text and number. */
const MEMORY = { margin: 6, padding: 14, title: 22, text: 20, narrowText: 18, number: 18 };

export interface FeedSpace {
  isNarrow: boolean;
  /** The width of a card. */
  width: number;
}

/** The number of lines of texts that may wrap. All other texts have a fixed height. */
export interface FeedLines {
  say: number;
  did: number;
  /** By memory id. */
  memories: Map<number, MemoryLines>;
}

export interface MemoryLines {
  title: number;
  /** The height without the space above. */
  height: number;
}

/** Computes the height of an article, which the list must know before drawing it. */
export function heightOf(item: FeedTurn, lines: FeedLines, { isNarrow }: FeedSpace): number {
  const size = isNarrow ? NARROW : WIDE;
  let height = size.turn + size.say * lines.say;
  if (item.day) height += size.day;
  if (item.isUnreadLine) height += size.unread;
  if (item.opensCard) height += size.header;
  if (item.closesCard) height += size.gap;
  if (item.running) height += size.live;
  if (item.summary) height += size.did * lines.did;
  for (const { height: own } of lines.memories.values()) height += MEMORY.margin + own;
  return height;
}

export function linesOf(item: FeedTurn, { isNarrow, width }: FeedSpace): FeedLines {
  const inner = width - (isNarrow ? 57 : 66);
  const say = countLines(sayText(item), `560 ${isNarrow ? 15 : 14.5}px`, inner - 50, 2);
  const did = isNarrow && item.summary ? countLines(didText(item.summary), '15px', inner, 2) : 1;
  const memories = item.memories.map((memory) => [memory.id, measure(memory, inner - 40, isNarrow)] as const);
  return { say, did, memories: new Map(memories) };
}

function measure(memory: Memory, width: number, isNarrow: boolean): MemoryLines {
  const text = lineOf(memory);
  const fixed = MEMORY.padding + (isNarrow ? MEMORY.number : 0);
  if (!isNarrow) return { title: 1, height: fixed + MEMORY.title + (text === '' ? 2 : MEMORY.text) };
  const title = countLines(memory.title, '560 15px', width, 2);
  const lines = text === '' ? 0 : countLines(text, '13px', width, 2);
  return { title, height: fixed + MEMORY.title * title + MEMORY.narrowText * lines };
}

export function sayText({ turn, memories }: FeedTurn): string {
  if (turn?.request) return turn.request.replace(/\s+/g, ' ').slice(0, 400);
  if (turn) return turn.prompt === null ? 'Before the first prompt' : 'A private prompt';
  return memories[0]?.kind === 'note' ? 'Saved by hand' : 'Outside a turn';
}

/** The result in one line. A summary may only repeat the request. */
export function didText({ parts, title }: Memory): string {
  const texts = [parts?.completed, parts?.learned, parts?.investigated, parts ? '' : title];
  const result = texts.find((text) => text && text !== parts?.request) || 'Summary of this turn';
  return result.replace(/\s+/g, ' ').slice(0, 400);
}
