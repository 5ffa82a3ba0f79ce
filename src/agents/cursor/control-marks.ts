import type { ControlMarks } from '../agent.ts';

/** Marks that Cursor writes into a conversation. */
export const controlMarks: ControlMarks = {
  tags: [
    ...['user_query', 'user_info', 'attached_files', 'additional_data', 'workspace_roots', 'project_layout'],
    ...[
      'system_reminder',
      'open_and_recently_viewed_files',
      'git_status',
      'rules',
      'hook_additional_context',
    ],
  ],
  speakers: [],
  phrases: [],
};
