import { WIRE_FIELDS } from '../dialect/wire.ts';

export const knownFields: readonly string[] = [
  ...WIRE_FIELDS,
  ...[
    'CLAUDE_ENV_FILE',
    'calling_session_id',
    'task_name',
    'task_result',
    'elapsed_time',
    'has_images',
    'message',
    'message_count',
  ],
  ...['message_id', 'notification_type', 'session_duration_ms', 'tool_execution_count'],
];
