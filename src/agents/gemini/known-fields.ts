import { WIRE_FIELDS } from '../dialect/wire.ts';

export const knownFields: readonly string[] = [
  ...WIRE_FIELDS,
  ...['mcp_context', 'original_request_name', 'prompt_response', 'timestamp', 'notification_type'],
  ...['message', 'details'],
];
