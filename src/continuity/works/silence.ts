import type { ContextStore } from '../../store/context-store.ts';
import type { ContinuityStore } from '../../store/continuity-store.ts';
import { type Change, stageAtEnd } from './works.ts';

/** An open session that was silent for so long was killed. */
const SILENT_MS = 30 * 60_000;

interface Beginning extends Change {
  projectId: number;
  agentSession: string;
}

/** Where a session begins, what others left without an end waits again: their works, and handoffs they never took. */
export function stageAbandoned(
  store: ContinuityStore & Pick<ContextStore, 'sessionTimes'>,
  { projectId, agentSession, at, log }: Beginning,
): void {
  const silentSince = at - SILENT_MS;
  for (const work of store.works({ projectId, modes: ['active'], limit: 50 })) {
    const isOwn = store.workOfSession(agentSession)?.id === work.id;
    if (!isOwn && !store.hasOpenSession(work.id, { after: silentSince }))
      stageAtEnd(store, work, { at, log });
  }
  for (const { givenTo } of store.handoffs({ projectId, states: ['given'], limit: 50 })) {
    if (givenTo === null || givenTo === agentSession) continue;
    const times = store.sessionTimes(givenTo);
    if (times && times.lastSeen <= silentSince) store.restageGiven(givenTo, at);
  }
}
