import type { HookReply, PrintedReply } from '../../model/hook-reply.ts';
import { cutToLimit } from '../dialect/replies.ts';
import { text } from '../dialect/wire.ts';

/** No limit is known; this is the same as for other agents. */
export const LONGEST_CONTEXT = 10_000;

/** One line of JSON with a message for the model, which only prompts accept, or nothing. */
export function printReply(eventName: string, reply: HookReply): PrintedReply {
  const { context, ...others } = reply;
  const leftOut = Object.entries(others)
    .filter(([, part]) => part !== undefined)
    .map(([name]) => `${name}: not supported by this agent`);
  const whole = text(context);
  const silence: PrintedReply = { stdout: '', stderr: '', exitCode: 0, leftOut };
  if (whole === undefined) return silence;
  if (eventName !== 'UserPromptSubmit') {
    leftOut.push(`context: not supported on ${eventName}`);
    return silence;
  }
  const message = cutToLimit(whole, leftOut, LONGEST_CONTEXT);
  return { ...silence, stdout: `${JSON.stringify({ message })}\n` };
}
