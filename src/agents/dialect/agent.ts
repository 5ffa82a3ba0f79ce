import type { Agent } from '../agent.ts';
import { type Dialect, readEvents } from './events.ts';
import { printReply } from './replies.ts';
import type { ReplyTable } from './reply-rules.ts';

/** The parts that differ between agents of this dialect. */
type DialectParts = Pick<
  Agent,
  'id' | 'name' | 'configFolder' | 'hooks' | 'knownFields' | 'context' | 'controlMarks' | 'transcripts'
> & { dialect: Dialect; replyTable: ReplyTable };

/** An agent with hooks in the form of Claude Code, without task tools and with a window of unknown size. */
export function createDialectAgent({ dialect, replyTable, ...own }: DialectParts): Agent {
  return {
    ...own,
    longestContext: replyTable.longestContext,
    toEvents: (eventName, payload) => readEvents(dialect, eventName, payload),
    print: (eventName, reply) => printReply(replyTable, eventName, reply),
    blockIsFeedback: () => false,
    instructionsFile: 'AGENTS.md',
    lastUsage: () => null,
    windowOf: () => null,
    workTools: [],
    findWorkReports: () => [],
  };
}
