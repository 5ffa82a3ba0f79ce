import type { HookRouting } from '../agent.ts';
import type { HookEntry } from '../install/hooks-part.ts';

/**
 * The registered hooks; timeouts in milliseconds. Not registered: hooks before a tool, where context is ignored, and
 * `PreCompress`, which the client sends before every request to the model even if it does not compress.
 */
export const registeredEvents: HookEntry[] = [
  { event: 'SessionStart', timeout: 5_000 },
  { event: 'BeforeAgent', timeout: 5_000 },
  { event: 'AfterTool', timeout: 5_000 },
  { event: 'AfterAgent', timeout: 5_000 },
  { event: 'SessionEnd', timeout: 3_000 },
];

export const hookRouting: HookRouting = {
  marker: 'GEMINI_SESSION_ID',
  session: 'GEMINI_SESSION_ID',
  answered: ['SessionStart'],
  prompts: ['BeforeAgent'],
  reads: [],
  ends: ['AfterAgent', 'SessionEnd'],
  showsSystemMessage: true,
};
