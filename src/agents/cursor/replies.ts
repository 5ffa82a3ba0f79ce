import type { HookReply, PrintedReply } from '../../model/hook-reply.ts';
import { cutToLimit } from '../dialect/replies.ts';
import { text } from '../dialect/wire.ts';

/** After a tool, the client drops longer context entirely. */
export const LONGEST_CONTEXT = 10_000;

const TAKES_CONTEXT = ['sessionStart', 'beforeSubmitPrompt', 'postToolUse', 'postToolUseFailure'];

/** One JSON object with the context, or nothing: any other field would be a decision. */
export function printReply(eventName: string, reply: HookReply): PrintedReply {
  const { context, ...others } = reply;
  const leftOut = Object.entries(others)
    .filter(([, part]) => part !== undefined)
    .map(([name]) => `${name}: not supported by this agent`);
  const whole = text(context);
  const silence: PrintedReply = { stdout: '', stderr: '', exitCode: 0, leftOut };
  if (whole === undefined) return silence;
  if (!TAKES_CONTEXT.includes(eventName)) {
    leftOut.push(`context: not supported on ${eventName}`);
    return silence;
  }
  const output = { additional_context: cutToLimit(whole, leftOut, LONGEST_CONTEXT) };
  return { ...silence, stdout: `${JSON.stringify(output)}\n` };
}
