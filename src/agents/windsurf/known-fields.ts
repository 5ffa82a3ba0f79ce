export const knownFields: readonly string[] = [
  'agent_action_name',
  'execution_id',
  'model_name',
  'timestamp',
  'tool_info',
  'trajectory_id',
];
