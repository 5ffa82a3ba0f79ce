import type { ControlMarks } from '../agent.ts';

/** Marks that Kimi Code writes into a conversation, from payloads/transcripts. */
export const controlMarks: ControlMarks = {
  tags: ['system-reminder', 'hook_result', 'system'],
  speakers: [],
  phrases: [],
};
