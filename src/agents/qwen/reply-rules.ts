import { nothing, noticeOnly, type ReplyRules, type ReplyTable } from '../dialect/reply-rules.ts';

/** The events of Qwen Code 0.24 that matter here; others get no reply. */
const RULES = new Map<string, ReplyRules>([
  ['SessionStart', { ...noticeOnly, context: 'field' }],
  ['UserPromptSubmit', { ...noticeOnly, context: 'field' }],
  ['PreToolUse', noticeOnly],
  ['PostToolUse', { ...noticeOnly, context: 'field' }],
  ['PostToolUseFailure', { ...noticeOnly, context: 'field' }],
  ['PostToolBatch', { ...noticeOnly, context: 'field' }],
  ['SubagentStop', noticeOnly],
  ['PreCompact', nothing],
  ['PostCompact', nothing],
  ['Stop', noticeOnly],
  ['StopFailure', noticeOnly],
  ['Notification', nothing],
  ['SessionEnd', noticeOnly],
]);

/** No limit is known; this is the same as for other agents. */
export const LONGEST_CONTEXT = 10_000;

export const replyTable: ReplyTable = { rules: RULES, longestContext: LONGEST_CONTEXT };
