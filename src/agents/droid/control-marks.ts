import type { ControlMarks } from '../agent.ts';

/** Marks that Droid writes into a conversation, from payloads/transcripts. */
export const controlMarks: ControlMarks = {
  tags: ['system-reminder', 'system-notification', 'task-notification'],
  speakers: [],
  phrases: [],
};
