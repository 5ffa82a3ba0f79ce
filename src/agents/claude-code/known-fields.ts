import { WIRE_FIELDS } from '../dialect/wire.ts';

export const knownFields: readonly string[] = [
  ...WIRE_FIELDS,
  ...['background_tasks', 'cache_ttl', 'command_args', 'command_name', 'command_source'],
  ...['context_tokens', 'delta', 'directory', 'effort', 'estimated_cache_write_usd'],
  ...['event', 'expansion_type', 'file_path', 'final', 'from_model'],
  ...['index', 'is_interrupt', 'load_reason', 'mcp_server', 'mcp_server_name'],
  ...['memory_type', 'message', 'message_id', 'mode', 'name'],
  ...['new_cwd', 'notification_type', 'old_cwd', 'pricing', 'prompt_cache_likely_expired'],
  ...[
    'prompt_cache_warm',
    'requested_model',
    'requested_schema',
    'seconds_since_last_response',
    'session_crons',
  ],
  ...['task_description', 'task_id', 'task_subject', 'to_model', 'tool_calls'],
];
