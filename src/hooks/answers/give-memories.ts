import { redactValue } from '../../capture/redact/redact-value.ts';
import { type Context, NO_CONTEXT, type ShownMemory } from '../../context/context.ts';
import { writeKnownFiles } from '../../context/known-files.ts';
import { joinOffers, type KnownMemories, type Offer } from '../../context/offers.ts';
import type { InjectionSource } from '../../store/types/injection.ts';
import type { OpenCall } from './answer-call.ts';

const MOST_KNOWN_FILES = 400;

/** Each memory is recorded before it is given: one that cannot be recorded would be given again and again. */
export function giveMemories(
  call: OpenCall,
  source: InjectionSource,
  intro: string,
  choose: (known: KnownMemories) => Offer[],
): Context {
  const { store, event, now, until } = call;
  const since = lastCompaction(call);
  const offers = choose({
    whole: store.findKnownMemories(event.sessionId, since),
    claims: store.findKnownClaims(event.sessionId, since),
  });
  if (offers.length === 0 || now() > until) return NO_CONTEXT;
  const recorded = store.recordNewInjections(
    offers.map(({ shown }) => createInjection(call, source, shown)),
    since,
  );
  const ids = new Set(recorded.map(({ memoryId }) => memoryId));
  return joinOffers(
    intro,
    offers.filter(({ shown }) => ids.has(shown.memoryId)),
  );
}

export function createInjection(
  { request }: OpenCall,
  source: InjectionSource,
  { memoryId, tokens, reasons, claims }: ShownMemory,
) {
  const { agent, agentSession, now: at } = request;
  const reason = redactValue(reasons.join(', '));
  return {
    agent: redactValue(agent),
    agentSession,
    source,
    memoryId,
    tokens,
    reason,
    at,
    ...(claims && { claims }),
  };
}

/** After a compaction, earlier injections are no longer in the conversation. */
function lastCompaction({ store, event, now }: OpenCall): number {
  const isCompacted = event.kind === 'session-start' && event.source === 'compact';
  return isCompacted ? now() : (store.getSessionTimes(event.sessionId)?.compactedAt ?? 0);
}

/** capture.sh starts node before a read only for a file on this list. */
export function listKnownFiles(call: OpenCall): void {
  const { store, request, settings, paths, event } = call;
  const unknownTo = { agentSession: request.agentSession, since: lastCompaction(call) };
  const query = { projectId: request.project.id, unknownTo, limit: MOST_KNOWN_FILES };
  const isOn = settings['context.file'] === 'on';
  writeKnownFiles(paths, event.sessionId, isOn ? store.listNotableFiles(query) : []);
}
