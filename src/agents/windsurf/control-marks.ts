import type { ControlMarks } from '../agent.ts';

/** Marks that Windsurf writes into a conversation. */
export const controlMarks: ControlMarks = {
  tags: ['user_rules', 'user_information', 'USER_REQUEST', 'ADDITIONAL_METADATA', 'EPHEMERAL_MESSAGE'],
  speakers: [],
  phrases: ['### Planner Response'],
};
