import type { ControlMarks } from '../agent.ts';

/** Marks of agents that have no adapter here; any program may read what Cairn returns. */
export const controlMarks: ControlMarks = {
  tags: [
    // Cline
    ...['environment_details', 'user_message', 'explicit_instructions', 'tool_output'],
    // Cursor, Copilot
    ...[
      'user_query',
      'user_info',
      'attached_files',
      'workspace_roots',
      'project_context',
      'reminderInstructions',
    ],
    ...['system_reminder', 'additional_data', 'user_input', 'current_datetime'],
  ],
  speakers: [],
  phrases: [],
};
