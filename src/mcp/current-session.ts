import type { Store } from '../store/store.ts';

const SESSIONS_LOOKED_AT = 30;
/** Clocks of different processes differ slightly. */
const TOLERANCE_MS = 1_000;

/**
 * The session that is open now. A server keeps running while its client switches sessions (`/clear`, `/resume`), but
 * its environment still names the first one, which is used if the current one is unknown.
 */
export function findCurrentSession(store: Store, named: string, projectId: number | null): string {
  const first = store.findSessions(named).find(({ agentSession }) => agentSession === named);
  if (!first || first.endedAt === null || projectId === null) return named;
  const sessions = store
    .listRecentSessions({ projectId, limit: SESSIONS_LOOKED_AT })
    .filter(({ agent }) => agent === first.agent)
    .sort((a, b) => a.firstSeen - b.firstSeen);

  let session = first;
  // Each session starts after the previous one, so the loop ends.
  while (session.endedAt !== null) {
    const { endedAt, endReason } = session;
    const next =
      endReason === 'clear'
        ? sessions.find(
            (session) => session.startSource === 'clear' && session.firstSeen >= endedAt - TOLERANCE_MS,
          )
        : onlyOne(sessions.filter((session) => session.endedAt === null && session.lastSeen >= endedAt));
    if (!next || next.firstSeen <= session.firstSeen) return (next ?? session).agentSession;
    session = next;
  }
  return session.agentSession;
}

function onlyOne<T>(values: T[]): T | undefined {
  return values.length === 1 ? values[0] : undefined;
}
