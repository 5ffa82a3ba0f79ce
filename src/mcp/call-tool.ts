import { redactValue } from '../capture/redact/redact-value.ts';
import { storedBranchOf, storedPlaceOf } from '../capture/stored-place.ts';
import { frame, frameNotice, frameStructure } from '../framing/frame.ts';
import type { Framed } from '../model/framed.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { findCheckout } from '../platform/git/checkout.ts';
import { describeError } from '../platform/log.ts';
import type { Injection } from '../store/injection-store.ts';
import type { Store } from '../store/store.ts';
import type { Memory, MemoryWorld } from './memory.ts';
import { sessionNow } from './session-now.ts';
import { type Answer, NO_SESSION, type Scene, type Tool } from './tools/tool.ts';
import { ToolTrouble } from './tools/trouble.ts';

export interface Caller extends MemoryWorld {
  memory: Memory;
  folder: string;
  /** What the client calls itself. */
  client: string;
}

/**
 * These clients give the model the structured part instead of the text. The text says the same in half the
 * tokens, and its tags keep it from being captured as if it were news.
 */
const TAKES_STRUCTURE_FOR_TEXT = ['claude-code'];

/** The result of `tools/call`. What a model can put right is told to it; nothing is thrown. */
export async function callTool(tool: Tool, args: Json, caller: Caller): Promise<JsonObject> {
  const began = caller.now();
  try {
    const answer = await caller.memory.ask(async (store) => {
      const scene = sceneFor(store, caller);
      const told = await tool.run(args, scene);
      noteGiven(told, scene);
      return told;
    });
    caller.log.info('tool called', { tool: tool.name, client: caller.client, ms: caller.now() - began });
    return {
      content: contentOf(frame(answer.text)),
      ...(!TAKES_STRUCTURE_FOR_TEXT.includes(caller.client) && {
        structuredContent: frameStructure(answer.structure),
      }),
    };
  } catch (error) {
    if (!(error instanceof ToolTrouble))
      caller.log.error('tool failed', { tool: tool.name, cause: describeError(error) });
    const text = error instanceof Error ? error.message : String(error);
    return { content: contentOf(frameNotice(text)), isError: true };
  }
}

function contentOf(text: Framed): JsonObject[] {
  return [{ type: 'text', text }];
}

function sceneFor(store: Store, { paths, settings, log, folder, client, env, now }: Caller): Scene {
  const checkout = findCheckout(folder);
  const branch = storedBranchOf(checkout);
  const project = store.findProject(storedPlaceOf(folder));
  return {
    store,
    paths,
    settings,
    log,
    now,
    folder,
    top: checkout?.top ?? folder,
    ...(branch !== undefined && { branch }),
    project,
    agent: client,
    agentSession:
      env.sessionId === undefined ? NO_SESSION : sessionNow(store, env.sessionId, project?.id ?? null),
  };
}

/** An agent is answered even when it cannot be noted down that it was. */
function noteGiven({ given = [] }: Answer, { store, agent, agentSession, log, now }: Scene): void {
  if (given.length === 0) return;
  try {
    const injections: Injection[] = given.map((each) => ({
      ...each,
      agent,
      agentSession,
      door: 'mcp',
      at: now(),
    }));
    store.noteInjections(redactValue(injections));
  } catch (error) {
    log.warn('not noted what a tool gave', { cause: describeError(error) });
  }
}
