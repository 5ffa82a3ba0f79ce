import { nothing, noticeOnly, type ReplyRules, type ReplyTable } from '../dialect/reply-rules.ts';

/**
 * The events of Codex 0.166. It discards an output with any field that is unknown or not supported at this event, so
 * only fields that are known to work are sent.
 */
const RULES = new Map<string, ReplyRules>([
  ['SessionStart', { ...noticeOnly, context: 'field' }],
  ['UserPromptSubmit', { ...noticeOnly, context: 'field', block: 'decision' }],
  ['PreToolUse', { ...noticeOnly, context: 'field', block: 'deny' }],
  ['PermissionRequest', nothing],
  ['PostToolUse', { ...noticeOnly, context: 'field' }],
  ['PreCompact', nothing],
  ['PostCompact', nothing],
  ['SubagentStart', { ...noticeOnly, context: 'field' }],
  ['SubagentStop', noticeOnly],
  ['Stop', { ...noticeOnly, block: 'decision' }],
  ['SessionEnd', nothing],
]);

/** Codex cuts context after about 2,500 tokens. */
export const LONGEST_CONTEXT = 9_000;

export const replyTable: ReplyTable = { rules: RULES, longestContext: LONGEST_CONTEXT };
