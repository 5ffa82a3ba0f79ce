import { nothing, noticeOnly, type ReplyRules, type ReplyTable } from '../dialect/reply-rules.ts';

/** The events of Droid 0.225. */
const RULES = new Map<string, ReplyRules>([
  ['SessionStart', { ...noticeOnly, context: 'field' }],
  ['UserPromptSubmit', { ...noticeOnly, context: 'field' }],
  ['PreToolUse', noticeOnly],
  ['PostToolUse', { ...noticeOnly, context: 'field' }],
  ['Notification', nothing],
  ['SubagentStop', noticeOnly],
  ['PreCompact', nothing],
  ['Stop', noticeOnly],
  ['SessionEnd', noticeOnly],
]);

/** No limit is known; this is the same as for other agents. */
export const LONGEST_CONTEXT = 10_000;

export const replyTable: ReplyTable = { rules: RULES, longestContext: LONGEST_CONTEXT };
