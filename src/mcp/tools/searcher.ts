import type { Searcher } from '../../curation/learn-alias.ts';
import { NO_SESSION, type ToolContext } from './tool.ts';

/** The agent's session; without one this server, which serves one client. */
export function identifySearcher({ agentSession, paths, folder }: ToolContext): Searcher {
  const isKnown = agentSession !== NO_SESSION;
  const searcher = isKnown ? agentSession : `server ${process.pid}`;
  return { paths, searcher, folder, ...(isKnown && { agentSession }) };
}
