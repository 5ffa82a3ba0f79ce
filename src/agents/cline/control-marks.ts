import type { ControlMarks } from '../agent.ts';

/** Marks that Cline writes into a conversation, from payloads/transcripts. */
export const controlMarks: ControlMarks = {
  tags: ['user_input', 'hook_context', 'mode_notice', 'env'],
  speakers: [],
  phrases: [],
};
