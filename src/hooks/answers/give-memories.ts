import { redactValue, trustContext } from '../../capture/redact/redact-value.ts';
import {
  type Context,
  joinContexts,
  type LeftOutMemory,
  NO_CONTEXT,
  type ShownMemory,
} from '../../context/context.ts';
import { serializeContext } from '../../context/given-context.ts';
import { writeKnownFiles } from '../../context/known-files.ts';
import { joinOffers, type KnownMemories, type Offer } from '../../context/offers.ts';
import type { Redacted } from '../../model/redacted.ts';
import { describeError } from '../../platform/log.ts';
import { isStoreError } from '../../store/store-error.ts';
import type { InjectionSource, NewGivenContext } from '../../store/types/injection.ts';
import type { OpenCall } from './answer-call.ts';

const MOST_KNOWN_FILES = 400;

/**
 * Each memory is recorded before it is given, because an unrecorded memory would be given again and again. While
 * another process is writing, it is given without a record. The context begins with that of the work item, if any.
 */
export function giveMemories(
  call: OpenCall,
  source: InjectionSource,
  intro: string,
  choose: (known: KnownMemories, leftOut: LeftOutMemory[]) => Offer[],
  work: Context = NO_CONTEXT,
): Context {
  const { store, request, event, log, now, latest } = call;
  const since = lastCompaction(call);
  const leftOut: LeftOutMemory[] = [];
  const known = {
    whole: store.findKnownMemories(event.sessionId, since),
    claims: store.findKnownClaims(event.sessionId, since),
  };
  const offers = choose(known, leftOut);
  if (offers.length === 0) return keepContext(call, source, work);
  if (now() > latest) {
    log.warn('answer came too late', { source, ms: now() - request.now });
    return work;
  }
  let context = joinContexts(work, joinOffers(intro, offers, leftOut));
  recordIfPossible(call, () =>
    store.recordNewInjections(
      offers.map(({ shown }) => createInjection(call, source, shown)),
      since,
      (recorded) => {
        const ids = new Set(recorded.map(({ memoryId }) => memoryId));
        const accepted = offers.filter(({ shown }) => ids.has(shown.memoryId));
        if (accepted.length < offers.length)
          context = joinContexts(work, joinOffers(intro, accepted, leftOut));
        return describeContext(call, source, context);
      },
    ),
  );
  return context;
}

/** Records unless the database is busy or cannot be written: at worst, the same memory is given once more. */
export function recordIfPossible({ log, event }: OpenCall, record: () => void): void {
  try {
    record();
  } catch (error) {
    if (!isStoreError(error, 'busy', 'full-disk', 'read-only')) throw error;
    log.warn('given without a record', { source: event.kind, cause: describeError(error) });
  }
}

/** For a context without memories to record, such as that of a work item alone. */
export function keepContext(call: OpenCall, source: InjectionSource, context: Context): Context {
  const { store, log, now, latest } = call;
  if (context.text === '' || now() > latest) return context;
  try {
    store.recordNewInjections([], 0, () => describeContext(call, source, context));
  } catch (error) {
    log.debug('context not kept', { cause: describeError(error) });
  }
  return context;
}

/** The context as the agent gets it, stored for people who ask later. Its frame is added again when it is read. */
export function describeContext({ request, settings }: OpenCall, source: InjectionSource, context: Context) {
  if (context.lines.length === 0) return null;
  const budgets = {
    start: settings['context.tokens'] + settings['context.workTokens'],
    prompt: settings['context.promptTokens'],
    file: settings['context.fileTokens'],
    mcp: null,
  };
  const { agent, now: at, agentSession } = request;
  const record: Redacted<NewGivenContext> = {
    ...{ agent: redactValue(agent), agentSession, source, at, tokens: context.tokens },
    ...{ budget: budgets[source], body: trustContext(serializeContext(context)) },
  };
  return record;
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

/** capture.sh starts node before a read only for a file on this list. The context does not depend on it. */
export function listKnownFiles(call: OpenCall): void {
  try {
    writeKnown(call);
  } catch (error) {
    call.log.warn('known files not listed', { cause: describeError(error) });
  }
}

function writeKnown(call: OpenCall): void {
  const { store, request, settings, paths, event } = call;
  const unknownTo = { agentSession: request.agentSession, since: lastCompaction(call) };
  const query = { projectId: request.project.id, unknownTo, limit: MOST_KNOWN_FILES };
  const isOn = settings['context.file'] === 'on';
  writeKnownFiles(paths, event.sessionId, isOn ? store.listNotableFiles(query) : []);
}
