import type { HookReply, PrintedReply } from '../../model/hook-reply.ts';
import { isObject, type Json } from '../../model/json.ts';
import { cutToLimit } from '../dialect/replies.ts';
import { text } from '../dialect/wire.ts';

/** The client cuts context after a tool to this length; the same limit is used for all events. */
export const LONGEST_CONTEXT = 10_000;

/** One line of JSON with the only field that the event supports, or nothing. Hooks have no messages for the person. */
export function printReply(eventName: string, reply: HookReply, payload: Json | undefined): PrintedReply {
  const { context, ...others } = reply;
  const leftOut = Object.entries(others)
    .filter(([, part]) => part !== undefined)
    .map(([name]) => `${name}: not supported by this agent`);
  const whole = text(context);
  const silence: PrintedReply = { stdout: '', stderr: '', exitCode: 0, leftOut };
  if (whole === undefined) return silence;
  const output = outputFor(eventName, cutToLimit(whole, leftOut, LONGEST_CONTEXT), payload);
  if (output) return { ...silence, stdout: `${JSON.stringify(output)}\n` };
  leftOut.push(`context: not supported on ${eventName}`);
  return silence;
}

function outputFor(eventName: string, context: string, payload: Json | undefined): object | null {
  switch (eventName) {
    case 'sessionStart':
    case 'postToolUse':
      return { additionalContext: context };
    case 'userPromptTransformed': {
      // The reply replaces the prompt that the model reads, so it needs the original text.
      const prompt = isObject(payload) ? text(payload.transformedPrompt) : undefined;
      return prompt === undefined ? null : { modifiedTransformedPrompt: `${prompt}\n\n${context}` };
    }
    default:
      return null;
  }
}
