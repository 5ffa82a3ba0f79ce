import type { Store } from '../../store/store.ts';
import type { StoredEvent } from '../../store/types/event.ts';
import type { Handlers } from '../route.ts';
import type { feedRoutes } from '../routes/feed.ts';
import { nextCursor, parseCursor } from '../schemas/basics.ts';

const MOST_RUNNING = 10;
/** A turn without events for this long counts as abandoned: its agent was killed, or the machine slept. */
const SILENT_MS = 30 * 60_000;
const MOST_EVENTS = 200;

export const feedHandlers: Handlers<typeof feedRoutes> = {
  getFeed({ query: { project, agent, type, limit, cursor } }, { store }) {
    const filter = { projectId: project, agent, type };
    const memories = store.listMemories(filter, limit, parseCursor(cursor));
    return {
      memories,
      turns: unique(memories.map(({ turnId }) => turnId)).flatMap((id) => store.getTurn(id) ?? []),
      sessions: unique(memories.map(({ sessionId }) => sessionId)).flatMap(
        (id) => store.getSession(id) ?? [],
      ),
      next: nextCursor(memories, limit),
    };
  },
  listRunningTurns({ query: { project, agent } }, { store, now }) {
    const sessions = store.listSessions({ projectId: project, agent, isOpen: true }, MOST_RUNNING);
    const running = sessions.flatMap((session) => {
      const turn = store.listTurns(session.id).at(-1);
      if (!turn || turn.closedAt !== null || turn.lastAt < now() - SILENT_MS) return [];
      const calls = listCalls(store, turn.id);
      return [{ session, turn, tools: countTools(calls), last: calls.at(-1) ?? null }];
    });
    return { running };
  },
};

function unique(ids: (number | null)[]): number[] {
  return [...new Set(ids)].filter((id) => id !== null);
}

/** All calls of a turn; the latest are on the last page. */
function listCalls(store: Store, turnId: number): StoredEvent[] {
  const calls: StoredEvent[] = [];
  for (let after = 0; ; ) {
    const events = store.listEventsOfTurn(turnId, after, MOST_EVENTS);
    calls.push(...events.filter(({ kind }) => kind === 'tool-end' || kind === 'tool-start'));
    const last = events.at(-1);
    if (!last || events.length < MOST_EVENTS) return calls;
    after = last.id;
  }
}

/** Counts a call reported at its start and its end once. */
function countTools(calls: StoredEvent[]): { name: string; count: number }[] {
  const counts = new Map<string, Set<string>>();
  for (const { id, tool, callId } of calls) {
    if (tool === null) continue;
    const known = counts.get(tool) ?? new Set();
    counts.set(tool, known.add(callId ?? String(id)));
  }
  return [...counts].map(([name, ids]) => ({ name, count: ids.size }));
}
