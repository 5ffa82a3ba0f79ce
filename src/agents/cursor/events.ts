import type { HookRouting } from '../agent.ts';
import type { HookEntry } from '../install/hooks-part.ts';

/**
 * The registered hooks; timeouts in seconds. None that decides on a permission, where output that is not JSON denies
 * the call.
 */
export const registeredEvents: HookEntry[] = [
  'sessionStart',
  'beforeSubmitPrompt',
  'postToolUse',
  'postToolUseFailure',
  'preCompact',
  'afterAgentResponse',
  'stop',
  'sessionEnd',
].map((event) => ({ event, timeout: 5 }));

export const hookRouting: HookRouting = {
  marker: 'CURSOR_VERSION',
  answered: ['sessionStart'],
  prompts: ['beforeSubmitPrompt'],
  reads: [],
  ends: ['stop', 'sessionEnd'],
  showsSystemMessage: false,
};
