import type { HookRouting } from '../agent.ts';
import type { HookEntry } from '../install/hooks-part.ts';

/** The registered hooks; timeouts in seconds. None before a tool, where context is ignored. */
export const registeredEvents: HookEntry[] = [
  { event: 'SessionStart', timeout: 5 },
  { event: 'UserPromptSubmit', timeout: 5 },
  { event: 'PostToolUse', timeout: 5 },
  { event: 'SubagentStop', timeout: 5 },
  { event: 'PreCompact', timeout: 5 },
  { event: 'Stop', timeout: 5 },
  { event: 'SessionEnd', timeout: 3 },
];

/** Droid sets no variable that only it uses for the session id. */
export const hookRouting: HookRouting = {
  marker: 'DROID_PROJECT_DIR',
  answered: ['SessionStart'],
  prompts: ['UserPromptSubmit'],
  reads: [],
  ends: ['Stop', 'SessionEnd'],
  showsSystemMessage: true,
  withoutMessages: ['PreCompact'],
};
