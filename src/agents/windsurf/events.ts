import type { HookRouting } from '../agent.ts';

/**
 * The registered hooks. Of those before an action, only the prompt, which no other hook reports; hooks before a tool
 * could block it and report no more than those after.
 */
export const registeredEvents = [
  'pre_user_prompt',
  'post_read_code',
  'post_write_code',
  'post_run_command',
  'post_mcp_tool_use',
  'post_cascade_response',
  // The client writes a transcript only if this event has a hook.
  'post_cascade_response_with_transcript',
];

/** Replies of hooks do not reach the model, so no event is answered. */
export const hookRouting: HookRouting = {
  answered: [],
  prompts: [],
  reads: [],
  ends: ['post_cascade_response', 'post_cascade_response_with_transcript'],
  showsSystemMessage: false,
};
