import type { ControlMarks } from '../agent.ts';

/** Marks that Copilot CLI writes into a conversation. */
export const controlMarks: ControlMarks = {
  tags: [
    'current_datetime',
    'reminder',
    'system_reminder',
    'system_notification',
    'attached_files',
    'shellId',
  ],
  speakers: [],
  phrases: ['Additional context from preToolUse hook:'],
};
