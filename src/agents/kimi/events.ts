import type { HookRouting } from '../agent.ts';
import type { HookEntry } from '../install/hooks-part.ts';

/** The registered hooks; timeouts in seconds. Only what a hook says to a prompt reaches the model. */
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

/** No variable tells a hook or a shell that it is run by this agent. */
export const hookRouting: HookRouting = {
  // Every prompt, also if memory has nothing to say to prompts: the first of a session gets the context of its start.
  answered: ['SessionStart', 'UserPromptSubmit'],
  prompts: [],
  reads: [],
  ends: ['Stop', 'StopFailure', 'SessionEnd'],
  showsSystemMessage: false,
};
