import type { ControlMarks } from '../agent.ts';

/** Marks that Continue writes into a conversation. */
export const controlMarks: ControlMarks = {
  tags: ['important_rules', 'rules', 'context'],
  speakers: [],
  phrases: [],
};
