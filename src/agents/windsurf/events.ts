import type { HookRouting } from '../agent.ts';

/**
 * The registered hooks. Before an action only the prompt, which nothing else reports; those before a tool could block
 * it and say no more than those after.
 */
export const registeredEvents = [
  'pre_user_prompt',
  'post_read_code',
  'post_write_code',
  'post_run_command',
  'post_mcp_tool_use',
  'post_cascade_response',
  // Only for a hook of this event the client writes a transcript.
  'post_cascade_response_with_transcript',
];

/** Nothing that a hook says reaches the model, so none is answered. */
export const hookRouting: HookRouting = {
  answered: [],
  prompts: [],
  reads: [],
  ends: ['post_cascade_response', 'post_cascade_response_with_transcript'],
  showsSystemMessage: false,
};
