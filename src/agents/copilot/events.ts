import type { HookRouting } from '../agent.ts';
import type { HookEntry } from '../install/hooks-part.ts';

/** The registered hooks; timeouts in seconds. None before a tool, where any failure of a hook denies the call. */
export const registeredEvents: HookEntry[] = [
  'sessionStart',
  'userPromptSubmitted',
  'userPromptTransformed',
  'postToolUse',
  'postToolUseFailure',
  'preCompact',
  'agentStop',
  'sessionEnd',
].map((event) => ({ event, timeout: 5 }));

export const hookRouting: HookRouting = {
  marker: 'COPILOT_CLI',
  answered: ['sessionStart'],
  // A reply to userPromptSubmitted does not reach the model; a reply to this event can add to the prompt.
  prompts: ['userPromptTransformed'],
  repeats: ['userPromptTransformed'],
  reads: [],
  ends: ['agentStop', 'sessionEnd'],
  showsSystemMessage: false,
};
