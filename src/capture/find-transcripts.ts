import type { AgentHome } from '../agents/agent.ts';
import { transcriptAgents } from '../agents/all.ts';
import type { Store } from '../store/store.ts';
import { redactValue } from './redact/redact-value.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Finds the transcripts of recent sessions whose hooks do not report the path. */
export function findTranscripts(
  store: Pick<Store, 'listSessionsWithoutTranscript' | 'saveSessionTranscript'>,
  { agentHome, now }: { agentHome: AgentHome; now: () => number },
): void {
  for (const { id, transcripts } of transcriptAgents()) {
    if (!transcripts.findPath) continue;
    for (const session of store.listSessionsWithoutTranscript(id, now() - DAY_MS)) {
      const path = transcripts.findPath(transcripts.folder(agentHome), session);
      if (path !== undefined) store.saveSessionTranscript(id, redactValue(session), redactValue(path));
    }
  }
}
