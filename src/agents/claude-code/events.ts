import type { HookRouting } from '../agent.ts';
import type { HookEntry } from '../install/hooks-part.ts';

/** The registered hooks; timeouts in seconds. */
export const registeredEvents: HookEntry[] = [
  { event: 'Setup', timeout: 5 },
  { event: 'SessionStart', timeout: 5 },
  { event: 'UserPromptSubmit', timeout: 5 },
  { event: 'PreToolUse', matcher: 'Read|ExitPlanMode', timeout: 5 },
  { event: 'PermissionRequest', matcher: 'ExitPlanMode', timeout: 5 },
  { event: 'PostToolUse', timeout: 5 },
  { event: 'PostToolUseFailure', timeout: 5 },
  { event: 'PostToolBatch', timeout: 5 },
  { event: 'SubagentStop', timeout: 5 },
  { event: 'PreCompact', timeout: 5 },
  { event: 'PostCompact', timeout: 5 },
  { event: 'Stop', timeout: 5 },
  { event: 'StopFailure', timeout: 5 },
  // All hooks at a session's end share 1.5 seconds unless one of them sets a longer timeout.
  { event: 'SessionEnd', timeout: 3 },
];

export const hookRouting: HookRouting = {
  marker: 'CLAUDECODE',
  session: 'CLAUDE_CODE_SESSION_ID',
  areSharedWithOthers: true,
  answered: ['SessionStart', 'PreCompact'],
  prompts: ['UserPromptSubmit'],
  reads: ['PreToolUse'],
  ends: ['Stop', 'StopFailure', 'SessionEnd'],
  showsSystemMessage: true,
};
