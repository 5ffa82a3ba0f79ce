import { isObject, type JsonObject } from '../../model/json.ts';

/** Which reply parts an event supports, and through which field. Events without rules get no reply. */
export interface ReplyRules {
  /** `field`: additionalContext. `stdout`: plain text, not JSON. */
  context: 'no' | 'field' | 'stdout';
  notice: boolean;
  block: BlockMethod;
  permission: 'no' | 'tool' | 'model-switch' | 'request';
  /** Replaces the tool's output. */
  output: boolean;
}

/**
 * `deny`: permissionDecision. `refuse`: the decision of a permission request. `decision`: the top-level one.
 * `exit-2`: exit code and stderr. `decline`: the answer to an MCP server's question. `notice`: cannot be blocked; the
 * person sees the reason.
 */
type BlockMethod = 'no' | 'deny' | 'refuse' | 'decision' | 'exit-2' | 'decline' | 'notice';

export const noticeOnly: ReplyRules = {
  context: 'no',
  notice: true,
  block: 'no',
  permission: 'no',
  output: false,
};
export const nothing: ReplyRules = { ...noticeOnly, notice: false };

/** The replies that an agent accepts, by event. */
export interface ReplyTable {
  rules: ReadonlyMap<string, ReplyRules>;
  /** In characters. */
  longestContext: number;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value !== '';
const isOutput: Check = (value) => isObject(value) || Array.isArray(value);
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);

/** The problems of an output object for this event; empty if it is valid. */
export function validateOutput(
  { rules, longestContext }: ReplyTable,
  eventName: string,
  output: JsonObject,
): string[] {
  const { hookSpecificOutput: specific, ...common } = output;
  const ofEvent = rules.get(eventName) ?? nothing;
  const problems = wrongFields(common, commonFields(ofEvent));
  if (specific === undefined) return problems;
  if (!isObject(specific)) return [...problems, 'hookSpecificOutput is not an object'];
  const { hookEventName, ...fields } = specific;
  if (hookEventName !== eventName) problems.push('hookEventName is not the event');
  return [...problems, ...wrongFields(fields, specificFields(ofEvent, longestContext))];
}

function commonFields({ notice, block }: ReplyRules): Map<string, Check> {
  const fields = new Map<string, Check>();
  if (notice) fields.set('systemMessage', isText);
  if (block === 'decision') fields.set('decision', oneOf('block'));
  if (block === 'decision' || block === 'decline') fields.set('reason', isText);
  return fields;
}

function specificFields(
  { context, block, permission, output }: ReplyRules,
  longestContext: number,
): Map<string, Check> {
  const fields = new Map<string, Check>();
  if (context === 'field')
    fields.set('additionalContext', (value) => isText(value) && String(value).length <= longestContext);
  if (block === 'decline') fields.set('action', oneOf('decline'));
  if (permission === 'tool' || permission === 'model-switch') {
    fields.set('permissionDecision', oneOf('allow', 'deny', 'ask'));
    fields.set('permissionDecisionReason', isText);
  }
  if (permission === 'tool') fields.set('updatedInput', isObject);
  if (permission === 'request') fields.set('decision', isRequestDecision);
  if (output) fields.set('updatedToolOutput', isOutput);
  return fields;
}

function isRequestDecision(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { behavior, ...rest } = value;
  if (behavior === 'allow') return wrongFields(rest, new Map([['updatedInput', isObject]])).length === 0;
  if (behavior === 'deny') return wrongFields(rest, new Map([['message', isText]])).length === 0;
  return false;
}

function wrongFields(object: JsonObject, allowed: Map<string, Check>): string[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const check = allowed.get(key);
    if (check === undefined) return [`${key} has no place here`];
    return check(value) ? [] : [`${key} has a wrong value`];
  });
}
