import type { Agent } from '../../agents/agent.ts';
import { redactValue } from '../../capture/redact/redact-value.ts';
import type { Environment } from '../../config/environment.ts';
import { type Context, NO_CONTEXT } from '../../context/context.ts';
import type { ContextRequest } from '../../context/context-request.ts';
import { locateProject } from '../../memory/locate.ts';
import type { MemoryOptions } from '../../memory/memory-options.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import { describeError } from '../../platform/log.ts';
import type { HookStore } from '../../store/store.ts';

/** A hook call that can be answered from memory. */
export interface AnswerCall extends MemoryOptions {
  agent: Agent;
  env: Environment;
  event: AgentEvent;
  /** After this time no more lookups start. */
  until: number;
  /** After this time no reply is sent, so no memory is recorded as given. */
  latest: number;
  openStore: () => HookStore | null;
}

/** An answer call with an open store and a known project. */
export interface OpenCall extends AnswerCall {
  store: HookStore;
  request: ContextRequest;
}

/** Returns no context on an error or if nothing was captured yet. */
export function buildInProject(call: AnswerCall, build: (call: OpenCall) => Context): Context {
  const { event, agent, settings, log, now } = call;
  const projectFolder = projectFolderOf(call);
  const store = projectFolder === undefined ? null : call.openStore();
  if (!store || projectFolder === undefined) return NO_CONTEXT;
  try {
    const location = locateProject(store, event.cwd ?? projectFolder, projectFolder);
    if (!location) return NO_CONTEXT;
    const request: ContextRequest = {
      ...location,
      ...{ agent: agent.id, agentSession: redactValue(event.sessionId), settings },
      ...{ longest: agent.longestContext, now: now() },
    };
    return build({ ...call, store, request });
  } catch (error) {
    log.warn('no context', { source: event.kind, cause: describeError(error) });
    return NO_CONTEXT;
  }
}

/** The agent may work in a folder below its project. */
export function projectFolderOf({ env, event }: Pick<AnswerCall, 'env' | 'event'>): string | undefined {
  return env.projectDir ?? event.cwd;
}
