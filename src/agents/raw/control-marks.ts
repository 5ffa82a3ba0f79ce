import type { ControlMarks } from '../agent.ts';

/** Marks of editor agents without an adapter, because any program may read Cairn's replies. */
export const controlMarks: ControlMarks = {
  tags: [
    ...['environment_details', 'user_message', 'explicit_instructions', 'tool_output'],
    ...['project_context', 'reminderInstructions'],
  ],
  speakers: [],
  phrases: [],
};
