import type { TranscriptEvent } from '../agents/agent.ts';
import type { SessionKeys } from '../store/types/transcript.ts';
import type { PausedPeriod } from './pauses.ts';

/** A hook and the transcript report the same compaction within this time. */
const SAME_COMPACTION_MS = 60_000;
/** Tolerance between a fork's start time and the timestamps of the copied records. */
const FORK_SLACK_MS = 1_000;

/**
 * Selects the events of a transcript that are not stored yet. Compares ids and positions, because different events can
 * have equal content.
 */
export function createUnknownFilter(keys: SessionKeys | null, paused: PausedPeriod[]) {
  const promptsSeen = new Map<string, number>();

  return function isNews({ event, at }: TranscriptEvent): boolean {
    const isKnown = keys !== null && isKnownTo(keys, event, at);
    return !isKnown && !paused.some(({ from, to }) => at >= from && at <= to);
  };

  function isKnownTo(keys: SessionKeys, event: TranscriptEvent['event'], at: number): boolean {
    // A fork's transcript begins with a copy of its parent's.
    if (keys.startSource === 'fork' && at < keys.firstSeen - FORK_SLACK_MS) return true;
    switch (event.kind) {
      case 'prompt':
        return isKnownPrompt(keys, event.promptId);
      case 'tool-end':
        return event.call.id === undefined ? keys.hasHooks : keys.callIds.has(event.call.id);
      case 'turn-end':
        return event.promptId === undefined ? keys.hasHooks : keys.endedPromptIds.has(event.promptId);
      case 'subagent-end':
        return event.subagent !== undefined && keys.endedSubagents.has(event.subagent.id);
      case 'compact-end':
        return keys.compactions.some((known) => Math.abs(known - at) < SAME_COMPACTION_MS);
      default:
        return keys.hasHooks;
    }
  }

  /** Prompts with the same id, as sent while the agent works, are matched in their order. */
  function isKnownPrompt(keys: SessionKeys, promptId: string | undefined): boolean {
    if (promptId === undefined) return keys.hasHooks;
    const seen = (promptsSeen.get(promptId) ?? 0) + 1;
    promptsSeen.set(promptId, seen);
    return seen <= (keys.promptIds.get(promptId) ?? 0);
  }
}
