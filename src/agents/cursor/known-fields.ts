import { WIRE_FIELDS } from '../dialect/wire.ts';

export const knownFields: readonly string[] = [
  ...WIRE_FIELDS,
  ...['attachments', 'command', 'content', 'context_tokens', 'context_usage_percent'],
  ...['context_window_size', 'conversation_id', 'cursor_version', 'duration', 'edits'],
  ...['error_message', 'failure_type', 'file_path', 'final_status', 'generation_id'],
  ...['is_background_agent', 'is_first_compaction', 'is_interrupt', 'loop_count', 'mcp_server_name'],
  ...['message_count', 'messages_to_compact', 'model_id', 'model_params', 'output'],
  ...['result_json', 'sandbox', 'status', 'text', 'tool_output'],
  ...['user_email', 'workspace_roots'],
];
