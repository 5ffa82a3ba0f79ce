import { nothing, noticeOnly, type ReplyRules, type ReplyTable } from '../dialect/reply-rules.ts';

/** The events of Gemini CLI 0.61. Cairn never blocks here: every exit code except 0 and 1 would. */
const RULES = new Map<string, ReplyRules>([
  ['SessionStart', { ...noticeOnly, context: 'field' }],
  ['BeforeAgent', { ...noticeOnly, context: 'field' }],
  ['BeforeModel', nothing],
  ['BeforeToolSelection', nothing],
  ['AfterModel', nothing],
  ['BeforeTool', noticeOnly],
  ['AfterTool', { ...noticeOnly, context: 'field' }],
  ['AfterAgent', noticeOnly],
  ['PreCompress', nothing],
  ['Notification', nothing],
  ['SessionEnd', noticeOnly],
]);

/** No limit is known; this is the same as for other agents. */
export const LONGEST_CONTEXT = 10_000;

export const replyTable: ReplyTable = { rules: RULES, longestContext: LONGEST_CONTEXT };
