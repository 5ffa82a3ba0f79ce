import { WIRE_FIELDS } from '../dialect/wire.ts';

export const knownFields: readonly string[] = [
  ...WIRE_FIELDS,
  ...['background_tasks', 'context_limit', 'context_usage', 'crons', 'input_tokens'],
  ...['is_interrupt', 'message', 'notification_type', 'submitted_prompt', 'timestamp'],
  ...['title', 'tool_calls'],
];
