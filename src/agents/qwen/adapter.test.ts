import { describeAgent } from '../../../test/support/agent-contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { qwen } from './adapter.ts';
import { registeredEvents } from './events.ts';
import { replyTable } from './reply-rules.ts';

const file = '/home/user/project/a.txt';
const write = {
  id: 'call_1',
  name: 'write_file',
  does: 'change',
  input: { file_path: file, content: 'hello\n' },
  files: [{ path: file, how: 'write' }],
};
const shell = {
  id: 'call_2',
  name: 'run_shell_command',
  does: 'command',
  input: { command: 'cat a.txt; exit 3', description: 'print', is_background: false },
  command: 'cat a.txt; exit 3',
  files: [],
};
const read = {
  id: 'call_3',
  name: 'read_file',
  does: 'read',
  input: { file_path: file },
  files: [{ path: file, how: 'read' }],
};
const mcp = { id: 'call_4', name: 'mcp__tiny__recall', does: 'other', input: { query: 'what' }, files: [] };
const ended = { kind: 'tool-end', outcome: 'success', reportedBy: 'call' };

describeAgent({
  agent: qwen,
  payloads: new URL('./payloads/', import.meta.url),
  replies: replyTable,
  registered: registeredEvents.map(({ event }) => event),
  originOf: (wire: JsonObject) => ({
    sessionId: wire.session_id,
    cwd: wire.cwd,
    transcriptPath: wire.transcript_path,
    ...(wire.prompt_id !== undefined && { promptId: wire.prompt_id }),
    permissionMode: wire.permission_mode,
  }),
  meanings: {
    'SessionStart.json': [{ kind: 'session-start', source: 'startup', model: 'fake-model' }],
    'SessionStart.clear.json': [{ kind: 'session-start', source: 'clear', model: 'fake-model' }],
    'UserPromptSubmit.json': [{ kind: 'prompt', text: 'please write a file', origin: 'person' }],
    // Sent after every round of calls.
    'UserPromptSubmit.continuation.json': [],
    'PreToolUse.write_file.json': [{ kind: 'tool-start', call: write }],
    'PreToolUse.run_shell_command.json': [{ kind: 'tool-start', call: shell }],
    'PreToolUse.read_file.json': [{ kind: 'tool-start', call: read }],
    'PreToolUse.mcp.json': [{ kind: 'tool-start', call: mcp }],
    'PostToolUse.write_file.json': [
      {
        ...ended,
        call: write,
        response: { type: 'create', filePath: file, structuredPatch: [{ lines: ['+hello'] }] },
        durationMs: 11,
      },
    ],
    'PostToolUseFailure.run_shell_command.json': [
      { ...ended, call: shell, outcome: 'failure', response: 'hello', durationMs: 16 },
    ],
    'PostToolUse.read_file.json': [{ ...ended, call: read, response: 'hello', durationMs: 10 }],
    'PostToolUse.mcp.json': [{ ...ended, call: mcp, response: 'memory: {"query":"what"}', durationMs: 5 }],
    // The calls are already reported separately.
    'PostToolBatch.read_file.json': [],
    'Notification.json': [],
    'Stop.json': [{ kind: 'turn-end', text: 'Done. I wrote a.txt.', continued: false }],
    'SessionEnd.json': [{ kind: 'session-end', reason: 'clear' }],
  },
});
