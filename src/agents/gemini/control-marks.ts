import type { ControlMarks } from '../agent.ts';

/** Marks that Gemini CLI writes into a conversation, from its program and payloads/transcripts. */
export const controlMarks: ControlMarks = {
  tags: [
    ...['session_context', 'hook_context', 'untrusted_context', 'state_snapshot', 'loaded_context'],
    ...['extension_context', 'project_context', 'global_context', 'activated_skill', 'available_skills'],
  ],
  speakers: [],
  phrases: [],
};
