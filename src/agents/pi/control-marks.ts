import type { ControlMarks } from '../agent.ts';

/** Marks that Pi writes into a conversation, from payloads/transcripts. */
export const controlMarks: ControlMarks = {
  tags: ['tools', 'rules', 'docs', 'cwd', 'project_context', 'project_instructions', 'skills', 'skill'],
  speakers: [],
  phrases: [],
};
