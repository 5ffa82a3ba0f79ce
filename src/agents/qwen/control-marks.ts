import type { ControlMarks } from '../agent.ts';

/** Marks that Qwen Code writes into a conversation. */
export const controlMarks: ControlMarks = {
  tags: ['qwen:*', 'state_snapshot', 'session_context', 'untrusted_context'],
  speakers: [],
  phrases: [],
};
