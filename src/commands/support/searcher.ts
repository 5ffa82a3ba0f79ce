import { findOwnSession } from '../../agents/all.ts';
import type { Searcher } from '../../curation/learn-alias.ts';
import type { Call } from './command.ts';

/** The agent's session that runs the command, or else the shell it was typed into. */
export function identifySearcher({ env, paths }: Pick<Call, 'env' | 'paths'>): Searcher {
  const sessionId = findOwnSession(env);
  const searcher = sessionId ?? `shell ${process.ppid}`;
  return { paths, searcher, folder: process.cwd(), ...(sessionId && { agentSession: sessionId }) };
}
