import type { ControlMarks } from '../agent.ts';

/** Marks that Codex writes into a conversation, from its program and payloads/transcripts. */
export const controlMarks: ControlMarks = {
  tags: [
    ...['user_instructions', 'environment_context', 'skills_instructions', 'project_instructions'],
    ...['apps_instructions', 'environments_instructions', 'model_instructions', 'recommended_plugins'],
    ...['managed_developer_instructions', 'collaboration_mode', 'model_switch', 'persistent_mode'],
    ...['codex_internal_context', 'context_window_*', 'current_time_*', 'multi_agent_mode'],
    ...['turn_aborted', 'user_shell_command', 'subagent_notification', 'user_action', 'proposed_plan'],
    ...['realtime_conversation', 'realtime_delegation', 'oai-mem-citation'],
  ],
  speakers: [],
  phrases: ['<permissions instructions>', '</permissions instructions>'],
};
