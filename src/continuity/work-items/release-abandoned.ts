import { SESSION_SILENT_MS } from '../../model/session.ts';
import type { ContextStore, ContinuityStore } from '../../store/store.ts';
import { type ChangeOptions, releaseWorkItem } from './work-items.ts';

interface SessionStart extends ChangeOptions {
  projectId: number;
  agentSession: string;
}

/** Called at a session start: work items and handoffs of sessions that never ended become available again. */
export function releaseAbandonedWorkItems(
  store: ContinuityStore & Pick<ContextStore, 'getSessionTimes'>,
  { projectId, agentSession, at, log }: SessionStart,
): void {
  const silentSince = at - SESSION_SILENT_MS;
  for (const work of store.listWorkItems({ projectId, modes: ['active'], limit: 50 })) {
    const isOwn = store.findSessionWorkItem(agentSession)?.id === work.id;
    if (!isOwn && !store.hasOpenSession(work.id, { after: silentSince }))
      releaseWorkItem(store, work, { at, log });
  }
  for (const { givenTo } of store.listHandoffs({ projectId, states: ['given'], limit: 50 })) {
    if (givenTo === null || givenTo === agentSession) continue;
    const times = store.getSessionTimes(givenTo);
    if (times && times.lastSeen <= silentSince) store.restageHandoffs(givenTo, at);
  }
}
