import { agents, findOwnSession } from '../agents/all.ts';
import { findSessionOfProcess } from '../capture/agent-processes.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import type { Environment } from '../config/environment.ts';
import { serializeContext } from '../context/given-context.ts';
import { frame, frameNotice, frameStructure } from '../framing/frame.ts';
import { locate } from '../memory/locate.ts';
import type { MemoryOptions } from '../memory/memory-options.ts';
import type { Framed } from '../model/framed.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { countTokens } from '../model/tokens.ts';
import { describeError } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import type { Injection, NewGivenContext } from '../store/types/injection.ts';
import { findCurrentSession } from './current-session.ts';
import type { Memory } from './memory.ts';
import { NO_SESSION, type Tool, type ToolAnswer, type ToolContext } from './tools/tool.ts';
import { ToolError } from './tools/tool-error.ts';

export interface Caller extends Omit<MemoryOptions, 'wakeWorker'> {
  env: Environment;
  memory: Memory;
  folder: string;
  /** The client's name for itself. */
  client: string;
  /** The id of the client's process. */
  parentPid: number;
}

/**
 * These clients give the model the structured part instead of the text. The text has the same content in half the
 * tokens, and its tags keep it from being captured again.
 */
const TAKES_STRUCTURE_FOR_TEXT = agents.flatMap(({ structuredMcpClient }) => structuredMcpClient ?? []);

/** The result of `tools/call`. Errors that a model can correct are part of the result; nothing is thrown. */
export async function callTool(tool: Tool, args: Json, caller: Caller): Promise<JsonObject> {
  const began = caller.now();
  try {
    const answer = await caller.memory.ask(async (store) => {
      const call = prepareCall(store, caller);
      const answer = await tool.run(args, call);
      recordGiven(answer, call);
      return answer;
    });
    caller.log.info('tool called', { tool: tool.name, client: caller.client, ms: caller.now() - began });
    return {
      content: contentOf(frame(answer.text)),
      ...(!TAKES_STRUCTURE_FOR_TEXT.includes(caller.client) && {
        structuredContent: frameStructure(answer.structure),
      }),
    };
  } catch (error) {
    if (!(error instanceof ToolError))
      caller.log.error('tool failed', { tool: tool.name, cause: describeError(error) });
    const text = error instanceof Error ? error.message : String(error);
    return { content: contentOf(frameNotice(text)), isError: true };
  }
}

function contentOf(text: Framed): JsonObject[] {
  return [{ type: 'text', text }];
}

function prepareCall(store: Store, caller: Caller): ToolContext {
  const { paths, settings, log, folder, client, env, now, parentPid } = caller;
  const location = locate(store, folder);
  const session = findOwnSession(env) ?? findSessionOfProcess(paths, parentPid);
  return {
    ...{ store, paths, settings, env, log, now, ...location },
    agent: client,
    agentSession:
      session === undefined ? NO_SESSION : findCurrentSession(store, session, location.project?.id ?? null),
  };
}

/** Logs a failure instead of throwing: the agent gets its answer even if the injection cannot be recorded. */
function recordGiven(
  { given = [], text }: ToolAnswer,
  { store, agent, agentSession, log, now }: ToolContext,
): void {
  if (given.length === 0) return;
  try {
    const injections: Injection[] = given.map((item) => ({
      ...item,
      agent,
      agentSession,
      source: 'mcp',
      at: now(),
    }));
    const shown = given.map(({ memoryId, tokens, reason, claims }) => ({
      ...{ memoryId, title: '', tokens, reasons: [reason] },
      how: claims ? ('claims' as const) : ('full' as const),
    }));
    const context: NewGivenContext = {
      ...{ agent, agentSession, source: 'mcp', at: now(), tokens: countTokens(text), budget: null },
      body: serializeContext({ lines: [text], shown, leftOut: [] }),
    };
    store.recordInjections(redactValue(injections), redactValue(context));
  } catch (error) {
    log.warn('memories given by a tool not recorded', { cause: describeError(error) });
  }
}
