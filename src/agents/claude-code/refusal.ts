import { isObject, type Json } from '../../model/json.ts';
import { text } from '../dialect/wire.ts';

/** The client's reports to the model that a call did not run; seen in version 2.1.325. */
const refusals = [
  /^<tool_use_error>/,
  /^Permission to use .{1,2000}? has been denied/s,
  /^Permission for this tool use was denied/,
  /^Claude requested permissions to .{1,2000}?, but you haven't granted it yet/s,
  /^The user doesn't want to proceed with this tool use/,
  /^This command requires approval$/,
  /^This \S+ command contains multiple operations\. The following parts? requires? approval: /,
  /^\S+ in '.{1,2000}?' needs approval\. The path is /s,
  /^A nested command in this command can't be checked before it runs$/,
  /^PreToolUse:\S+ hook error: /,
  /^Hook PreToolUse:\S+ denied this tool/,
];

/** Whether the text in place of a result is a refusal. */
export function isRefusal(shown: Json | undefined): boolean {
  const first = Array.isArray(shown) ? shown[0] : shown;
  const words = isObject(first) ? text(first.text) : text(first);
  return words !== undefined && refusals.some((refusal) => refusal.test(words));
}
