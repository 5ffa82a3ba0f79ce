/** The public library `cairn-memory/hooks`: hooks for Claude Code in a few lines. Guide: docs/hook-authors.md */
import { defaultAgent } from '../agents/default.ts';
import { readEnvironment } from '../config/environment.ts';
import type { HookReply } from '../model/hook-reply.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../model/json.ts';
import { createHookIo, type HookIo } from './io.ts';
import type { HookEvents } from './sdk-events.ts';

export { GUARD_VARIABLE } from '../config/environment.ts';
export { all, block, context, nothing, notice, output, permission } from '../model/reply.ts';
export type { HookEvent, HookEvents, StopEvent, ToolEvent } from './sdk-events.ts';
export type { HookReply, Json, JsonObject };

/** A handler per event. Returning nothing means no reply. */
export type HookHandlers = {
  [Name in keyof HookEvents]?: (
    event: HookEvents[Name],
  ) => HookReply | undefined | Promise<HookReply | undefined>;
};

export interface HookOptions {
  /** After this time the hook ends without a reply. A handler that blocks the thread is not stopped. */
  budgetMs?: number;
}

/**
 * Runs this process as one hook call: reads the event from stdin, writes the reply to stdout, and exits. An error is
 * one line on stderr, with exit code 0.
 */
export function hook(handlers: HookHandlers, { budgetMs = 5_000 }: HookOptions = {}): void {
  const io = createHookIo();
  if (readEnvironment().isGuarded) {
    io.exit(0);
    return;
  }
  io.hold();
  const complain = (error: unknown) => io.diagnostic(`cairn-memory/hooks: ${explain(error)}`);
  const giveUp = (error: unknown) => {
    complain(error);
    io.exit(0);
  };
  io.failOpen(complain);
  setTimeout(() => giveUp(new HookError(`no answer within ${budgetMs} ms`)), budgetMs);
  answer(handlers, io).catch(giveUp);
}

async function answer(handlers: HookHandlers, io: HookIo): Promise<void> {
  const event = readEvent((await io.readInput()).toString('utf8'));
  const handler = handlerFor(event.hook_event_name, handlers);
  const reply = checkReply((await handler(event)) ?? {});
  const printed = defaultAgent.print(event.hook_event_name, reply);
  for (const part of printed.leftOut) io.diagnostic(`cairn-memory/hooks: left out ${part}`);
  const strayBytes = io.strayStdoutBytes();
  if (strayBytes > 0) io.diagnostic(`cairn-memory/hooks: kept ${strayBytes} stray bytes off stdout`);
  io.reply(printed, isForPersonOnly(reply) ? 'USER_HINT' : 'MODEL_CONTEXT');
  io.exit();
}

/** An error of the caller or the hook's author: the message is enough. */
class HookError extends Error {}

type NamedEvent = JsonObject & { hook_event_name: string };

function readEvent(input: string): NamedEvent {
  const event = parseJson(input);
  if (isObject(event) && typeof event.hook_event_name === 'string') return event as NamedEvent;
  throw new HookError('stdin does not contain an event (a JSON object with a hook_event_name)');
}

/** The types rely on the agent to send the documented fields; they are not checked. */
function handlerFor(eventName: string, handlers: HookHandlers): (event: JsonObject) => unknown {
  const handler: unknown = Object.hasOwn(handlers, eventName) && Reflect.get(handlers, eventName);
  if (typeof handler === 'function') return (event) => handler.call(handlers, event);
  throw new HookError(`there is no handler for ${eventName}`);
}

/** Hook authors may write plain JavaScript, and an agent would silently drop an invalid reply. */
function checkReply(reply: unknown): HookReply {
  if (!isObject(reply))
    throw new HookError(`a handler returns a reply such as context(text), not ${typeof reply}`);
  for (const [part, value] of Object.entries(reply)) {
    if (value === undefined) continue;
    const isRight = Object.hasOwn(replyParts, part) && replyParts[part as keyof HookReply](value);
    if (!isRight) throw new HookError(`a handler returned a reply with a wrong ${part}`);
  }
  return reply as HookReply;
}

const isText = (value: unknown) => typeof value === 'string';

const replyParts: Record<keyof HookReply, (value: unknown) => boolean> = {
  context: isText,
  notice: isText,
  block: (value) => isObject(value) && isText(value.reason),
  permission: (value) => isObject(value) && ['allow', 'deny', 'ask'].some((word) => word === value.decision),
  output: () => true,
};

function isForPersonOnly(reply: HookReply): boolean {
  return Object.keys(reply).every((part) => part === 'notice');
}

function explain(error: unknown): string {
  if (error instanceof HookError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
