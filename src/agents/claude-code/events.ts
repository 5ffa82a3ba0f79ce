import type { HookRouting } from '../agent.ts';

/** One hook entry of the client's settings. */
export interface HookEntry {
  event: string;
  /** Matches every tool when absent. */
  matcher?: string;
  timeoutSeconds: number;
}

/** The registered hooks. The timeouts only catch a hook that hangs; each exits well before. */
export const registeredEvents: HookEntry[] = [
  { event: 'Setup', timeoutSeconds: 5 },
  { event: 'SessionStart', timeoutSeconds: 5 },
  { event: 'UserPromptSubmit', timeoutSeconds: 5 },
  { event: 'PreToolUse', matcher: 'Read|ExitPlanMode', timeoutSeconds: 5 },
  { event: 'PermissionRequest', matcher: 'ExitPlanMode', timeoutSeconds: 5 },
  { event: 'PostToolUse', timeoutSeconds: 5 },
  { event: 'PostToolUseFailure', timeoutSeconds: 5 },
  { event: 'PostToolBatch', timeoutSeconds: 5 },
  { event: 'SubagentStop', timeoutSeconds: 5 },
  { event: 'PreCompact', timeoutSeconds: 5 },
  { event: 'PostCompact', timeoutSeconds: 5 },
  { event: 'Stop', timeoutSeconds: 5 },
  { event: 'StopFailure', timeoutSeconds: 5 },
  // All hooks at a session's end share 1.5 seconds unless one of them sets a longer timeout.
  { event: 'SessionEnd', timeoutSeconds: 3 },
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
