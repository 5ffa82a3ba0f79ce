import { isObject, type JsonObject } from '../../model/json.ts';

/** Which reply parts an event supports, and through which field. */
export interface ReplyRules {
  /** `field`: additionalContext. `stdout`: plain text, no JSON. */
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

const noticeOnly: ReplyRules = { context: 'no', notice: true, block: 'no', permission: 'no', output: false };
const nothing: ReplyRules = { ...noticeOnly, notice: false };

/**
 * All 33 events of Claude Code 2.1.325. An event that says `context: 'no'` must get no hookSpecificOutput
 * for it: the client would throw the whole output away, in silence.
 */
const REPLY_RULES = new Map<string, ReplyRules>([
  // The schema allows context for Setup, but it never reaches the model.
  ['Setup', noticeOnly],
  ['SessionStart', { ...noticeOnly, context: 'field', block: 'notice' }],
  ['InstructionsLoaded', noticeOnly],
  ['UserPromptSubmit', { ...noticeOnly, context: 'field', block: 'decision' }],
  ['UserPromptExpansion', { ...noticeOnly, context: 'field', block: 'decision' }],
  ['PreToolUse', { ...noticeOnly, context: 'field', block: 'deny', permission: 'tool' }],
  ['PermissionRequest', { ...noticeOnly, block: 'refuse', permission: 'request' }],
  ['PermissionDenied', noticeOnly],
  ['PostToolUse', { ...noticeOnly, context: 'field', block: 'exit-2', output: true }],
  ['PostToolUseFailure', { ...noticeOnly, context: 'field', block: 'exit-2' }],
  // A block would end the turn, which is more than an objection to a result.
  ['PostToolBatch', { ...noticeOnly, context: 'field' }],
  ['MessageDisplay', noticeOnly],
  ['SubagentStart', { ...noticeOnly, context: 'field' }],
  // Context at a stop makes the agent continue, as a block does.
  ['SubagentStop', { ...noticeOnly, context: 'field', block: 'decision' }],
  ['Stop', { ...noticeOnly, context: 'field', block: 'decision' }],
  ['StopFailure', noticeOnly],
  ['PreCompact', { ...noticeOnly, context: 'stdout', block: 'decision' }],
  ['PostCompact', noticeOnly],
  ['SessionEnd', noticeOnly],
  ['Notification', { ...noticeOnly, context: 'field' }],
  ['TaskCreated', { ...noticeOnly, block: 'exit-2' }],
  ['TaskCompleted', { ...noticeOnly, block: 'exit-2' }],
  ['TeammateIdle', { ...noticeOnly, block: 'exit-2' }],
  ['CwdChanged', noticeOnly],
  ['FileChanged', noticeOnly],
  ['ConfigChange', { ...noticeOnly, block: 'decision' }],
  ['DirectoryAdded', noticeOnly],
  ['PreModelSwitch', { ...noticeOnly, block: 'deny', permission: 'model-switch' }],
  ['PostModelSwitch', { ...noticeOnly, context: 'field' }],
  ['Elicitation', { ...noticeOnly, block: 'decline' }],
  ['ElicitationResult', { ...noticeOnly, block: 'decline' }],
  // Its stdout is read as the path of the worktree.
  ['WorktreeCreate', nothing],
  ['WorktreeRemove', noticeOnly],
]);

export const allEvents: string[] = [...REPLY_RULES.keys()];

/** Events that are not listed get no reply. */
export function findReplyRules(eventName: string): ReplyRules {
  return REPLY_RULES.get(eventName) ?? nothing;
}

/** The client writes longer context to a file that the model would have to open. */
export const LONGEST_CONTEXT = 10_000;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value !== '';
const isContext: Check = (value) => isText(value) && String(value).length <= LONGEST_CONTEXT;
const isOutput: Check = (value) => isObject(value) || Array.isArray(value);
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);

/** The problems of an output object for this event; empty if it is valid. */
export function validateOutput(eventName: string, output: JsonObject): string[] {
  const { hookSpecificOutput: specific, ...common } = output;
  const problems = wrongFields(common, commonFields(findReplyRules(eventName)));
  if (specific === undefined) return problems;
  if (!isObject(specific)) return [...problems, 'hookSpecificOutput is not an object'];
  const { hookEventName, ...fields } = specific;
  if (hookEventName !== eventName) problems.push('hookEventName is not the event');
  return [...problems, ...wrongFields(fields, specificFields(findReplyRules(eventName)))];
}

function commonFields({ notice, block }: ReplyRules): Map<string, Check> {
  const fields = new Map<string, Check>();
  if (notice) fields.set('systemMessage', isText);
  if (block === 'decision') fields.set('decision', oneOf('block'));
  if (block === 'decision' || block === 'decline') fields.set('reason', isText);
  return fields;
}

function specificFields({ context, block, permission, output }: ReplyRules): Map<string, Check> {
  const fields = new Map<string, Check>();
  if (context === 'field') fields.set('additionalContext', isContext);
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
