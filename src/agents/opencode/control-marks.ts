import type { ControlMarks } from '../agent.ts';

/** Marks that OpenCode writes into a conversation. */
export const controlMarks: ControlMarks = {
  tags: [
    'system-reminder',
    'env',
    'directories',
    'path',
    'file_diagnostics',
    'project_diagnostics',
    'task_result',
  ],
  speakers: [],
  phrases: [],
};
