import {
  describeLearnt,
  findAliasToLearn,
  learnAlias,
  recordWeakSearch,
  type Searcher,
} from '../../curation/learn-alias.ts';
import { describeError } from '../../platform/log.ts';
import { NO_SESSION, type ToolContext } from './tool.ts';

/** Records a search without good hits. A failure to store it does not affect the answer. */
export function keepWeakSearch(call: ToolContext, words: string): void {
  try {
    recordWeakSearch(call, words, identifySearcher(call));
  } catch (error) {
    call.log.warn('search not recorded', { cause: describeError(error) });
  }
}

/** If a search has just failed, adds its words as an alias to the opened memory. @returns a remark about it. */
export function learnFromOpening(call: ToolContext, memoryId: number): string | null {
  const { store, now, log } = call;
  const { searcher } = identifySearcher(call);
  try {
    const memory = store.getMemory(memoryId);
    const alias = memory && findAliasToLearn(store, memory, searcher, now());
    if (!alias) return null;
    learnAlias(store, memoryId, alias, searcher, now());
    return describeLearnt(memoryId, alias);
  } catch (error) {
    log.warn('alias not learnt', { cause: describeError(error) });
    return null;
  }
}

/** The agent's session; if unknown, this server process, which serves one client. */
function identifySearcher({ agentSession, paths, folder }: ToolContext): Searcher {
  const isKnown = agentSession !== NO_SESSION;
  const searcher = isKnown ? agentSession : `server ${process.pid}`;
  return { paths, searcher, folder, ...(isKnown && { agentSession }) };
}
