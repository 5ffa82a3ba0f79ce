import { WIRE_FIELDS } from '../dialect/wire.ts';

export const knownFields: readonly string[] = [
  ...WIRE_FIELDS,
  ...[
    'agentId',
    'agentType',
    'parentAgentId',
    'customInstructions',
    'hookName',
    'initialPrompt',
    'permissionSuggestions',
    'sessionId',
  ],
  ...['stopReason', 'timestamp', 'toolArgs', 'toolInput', 'toolName'],
  ...['toolResult', 'transcriptPath', 'transformedPrompt'],
];
