import type { HookRouting } from '../agent.ts';
import type { HookEntry } from '../install/hooks-part.ts';

/** The registered hooks; timeouts in seconds. Only replies to prompts reach the model. */
export const registeredEvents: HookEntry[] = [
  { event: 'SessionStart', timeout: 5 },
  { event: 'UserPromptSubmit', timeout: 5 },
  { event: 'PostToolUse', timeout: 5 },
  { event: 'PostToolUseFailure', timeout: 5 },
  { event: 'SubagentStop', timeout: 5 },
  { event: 'PreCompact', timeout: 5 },
  { event: 'PostCompact', timeout: 5 },
  { event: 'Stop', timeout: 5 },
  { event: 'StopFailure', timeout: 5 },
  { event: 'SessionEnd', timeout: 3 },
];

/** Kimi sets no variable that identifies its hooks and shells. */
export const hookRouting: HookRouting = {
  // Every prompt, even if there are no memories for prompts: the first of a session gets the start context.
  answered: ['SessionStart', 'UserPromptSubmit'],
  prompts: [],
  reads: [],
  ends: ['Stop', 'StopFailure', 'SessionEnd'],
  showsSystemMessage: false,
};
