import type { HookRouting } from '../agent.ts';
import type { HookEntry } from '../install/hooks-part.ts';

/** The registered hooks; timeouts below 1000 are seconds. None before a tool, where context is ignored. */
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

export const hookRouting: HookRouting = {
  marker: 'QWEN_CODE_SESSION_ID',
  session: 'QWEN_CODE_SESSION_ID',
  answered: ['SessionStart'],
  prompts: ['UserPromptSubmit'],
  reads: [],
  ends: ['Stop', 'StopFailure', 'SessionEnd'],
  showsSystemMessage: true,
  withoutMessages: ['PreCompact', 'PostCompact'],
};
