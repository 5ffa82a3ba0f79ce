import type { HookRouting } from '../agent.ts';
import type { HookEntry } from '../install/hooks-part.ts';

/** The registered hooks; timeouts in seconds. None before a call, because Codex has no tool that reads files. */
export const registeredEvents: HookEntry[] = [
  { event: 'SessionStart', timeout: 5 },
  { event: 'UserPromptSubmit', timeout: 5 },
  { event: 'PostToolUse', timeout: 5 },
  { event: 'SubagentStop', timeout: 5 },
  { event: 'PreCompact', timeout: 5 },
  { event: 'PostCompact', timeout: 5 },
  { event: 'Stop', timeout: 5 },
  // A longer timeout is cut to 3 seconds, with a warning at every start.
  { event: 'SessionEnd', timeout: 3 },
];

/** Codex sets no variable in its hooks, and no other agent runs them. */
export const hookRouting: HookRouting = {
  answered: ['SessionStart'],
  prompts: ['UserPromptSubmit'],
  reads: [],
  ends: ['Stop', 'SessionEnd'],
  showsSystemMessage: true,
  withoutMessages: ['PreCompact', 'PostCompact', 'SessionEnd'],
};
