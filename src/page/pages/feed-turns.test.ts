import { expect, test } from 'vitest';
import type { Memory, RunningTurn, Session, Turn } from '../api/types.ts';
import { arrangeFeed, type FeedParts, listShownIds } from './feed-turns.ts';

const NOON = new Date(2026, 10, 16, 12).getTime();
const DAY = 86_400_000;

function memory(
  id: number,
  turnId: number | null,
  sessionId: number | null,
  at = NOON,
  kind = 'observation',
) {
  return { id, turnId, sessionId, at, kind } as Memory;
}

function arrange(parts: Partial<FeedParts>) {
  const ids = (parts.memories ?? []).map(({ sessionId }) => sessionId ?? 0);
  const list = arrangeFeed({
    ...{ memories: [], turns: new Map(), running: [], seenAt: 0, hasMore: false },
    sessions: new Map(ids.map((id) => [id, { id } as Session])),
    ...parts,
  });
  return { list, shape: list.map(describe) };
}

/** `[` and `]` are the ends of a card, `|` is the unread line, `=` a day heading. */
function describe({
  key,
  day,
  isUnreadLine,
  opensCard,
  closesCard,
}: ReturnType<typeof arrangeFeed>[number]): string {
  return `${day ? '=' : ''}${isUnreadLine ? '|' : ''}${opensCard ? '[' : ''}${key}${closesCard ? ']' : ''}`;
}

test.each([
  {
    name: 'turns of one session share a card',
    parts: { memories: [memory(4, 2, 1), memory(3, 2, 1), memory(2, 1, 1)] },
    shape: ['=[t2', 't1]'],
  },
  {
    name: 'another session opens another card',
    parts: { memories: [memory(4, 2, 1), memory(3, 3, 2)] },
    shape: ['=[t2]', '[t3]'],
  },
  {
    name: 'memories without a turn get their own cards',
    parts: { memories: [memory(4, null, null), memory(3, null, null)] },
    shape: ['=[m4]', '[m3]'],
  },
  {
    name: 'a card ends with its day',
    parts: { memories: [memory(4, 2, 1), memory(3, 1, 1, NOON - DAY)] },
    shape: ['=[t2]', '=[t1]'],
  },
  {
    name: 'the unread line separates cards',
    parts: { memories: [memory(4, 2, 1), memory(3, 1, 1, NOON - 60_000)], seenAt: NOON - 60_000 },
    shape: ['=[t2]', '|[t1]'],
  },
  {
    name: 'there is no unread line if nothing is new',
    parts: { memories: [memory(4, 2, 1)], seenAt: NOON },
    shape: ['=[t2]'],
  },
  {
    name: "a running turn is at the top of its session's card",
    parts: {
      memories: [memory(4, 2, 1)],
      running: [{ session: { id: 1 }, turn: { id: 3, lastAt: NOON } } as RunningTurn],
    },
    shape: ['=[r3', 't2]'],
  },
])('$name', ({ parts, shape }) => {
  expect(arrange(parts).shape).toEqual(shape);
});

test('a summary belongs to its turn and comes before the other memories', () => {
  const { list } = arrange({
    memories: [memory(6, 2, 1, NOON, 'summary'), memory(5, 2, 1), memory(4, 2, 1)],
  });
  expect(list.map(({ summary, memories }) => [summary?.id, memories.map(({ id }) => id)])).toEqual([
    [6, [5, 4]],
  ]);
  expect(listShownIds(list)).toEqual([6, 5, 4]);
});

test('a day is marked whole once all of it is loaded', () => {
  const memories = [memory(4, 2, 1), memory(3, 1, 2), memory(2, 9, 1, NOON - DAY)];
  const turns = new Map<number, Turn>();
  const { list } = arrange({ memories, turns, hasMore: true });
  expect(list.flatMap(({ day }) => (day ? [{ ...day, at: 0 }] : []))).toEqual([
    { at: 0, sessions: 2, memories: 2, isWhole: true },
    { at: 0, sessions: 1, memories: 1, isWhole: false },
  ]);
});
