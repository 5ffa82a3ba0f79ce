import { nothing, noticeOnly, type ReplyRules, type ReplyTable } from '../dialect/reply-rules.ts';

/**
 * All 33 events of Claude Code 2.1.325. An event with `context: 'no'` must not get context in hookSpecificOutput: the
 * client would silently discard the whole output.
 */
const RULES = new Map<string, ReplyRules>([
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
  // A block would end the turn, which is too much for an objection to a result.
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

export const allEvents: string[] = [...RULES.keys()];

/** The client writes longer context to a file that the model would have to open. */
export const LONGEST_CONTEXT = 10_000;

export const replyTable: ReplyTable = { rules: RULES, longestContext: LONGEST_CONTEXT };
