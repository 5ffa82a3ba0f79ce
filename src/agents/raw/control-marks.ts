import type { ControlMarks } from '../agent.ts';

/** Marks of agents inside editors, which have no adapter here; any program may read what Cairn returns. */
export const controlMarks: ControlMarks = {
  tags: [
    ...['environment_details', 'user_message', 'explicit_instructions', 'tool_output'],
    ...['project_context', 'reminderInstructions'],
  ],
  speakers: [],
  phrases: [],
};
