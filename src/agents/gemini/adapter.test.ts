import { expect, test } from 'vitest';
import { describeAgent } from '../../../test/support/agent-contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { gemini } from './adapter.ts';
import { registeredEvents } from './events.ts';
import { replyTable } from './reply-rules.ts';

const file = '/home/user/project/a.txt';
const write = {
  name: 'write_file',
  does: 'change',
  input: { file_path: file, content: 'hello\n' },
  files: [{ path: file, how: 'write' }],
};
const read = {
  name: 'read_file',
  does: 'read',
  input: { file_path: file },
  files: [{ path: file, how: 'read' }],
};
const shell = {
  name: 'run_shell_command',
  does: 'command',
  input: { command: 'cat a.txt; exit 3', description: 'print' },
  command: 'cat a.txt; exit 3',
  files: [],
};
const mcp = { name: 'mcp_tiny_recall', does: 'other', input: { query: 'what' }, files: [] };
const ended = { kind: 'tool-end', outcome: 'success', reportedBy: 'call' };

describeAgent({
  agent: gemini,
  payloads: new URL('./payloads/', import.meta.url),
  replies: replyTable,
  registered: registeredEvents.map(({ event }) => event),
  originOf: (wire: JsonObject) => ({
    sessionId: wire.session_id,
    cwd: wire.cwd,
    transcriptPath: wire.transcript_path,
  }),
  meanings: {
    'SessionStart.json': [{ kind: 'session-start', source: 'startup' }],
    'BeforeAgent.json': [{ kind: 'prompt', text: 'please write a file', origin: 'person' }],
    'BeforeTool.write_file.json': [{ kind: 'tool-start', call: write }],
    'BeforeTool.read_file.json': [{ kind: 'tool-start', call: read }],
    'BeforeTool.run_shell_command.json': [{ kind: 'tool-start', call: shell }],
    'BeforeTool.mcp.json': [{ kind: 'tool-start', call: mcp }],
    'AfterTool.write_file.json': [
      {
        ...ended,
        call: write,
        response: { type: 'create', filePath: file, structuredPatch: [{ lines: ['+hello'] }] },
      },
    ],
    'AfterTool.read_file.json': [{ ...ended, call: read, response: 'hello' }],
    'AfterTool.run_shell_command.json': [{ ...ended, call: shell, outcome: 'failure', response: 'hello' }],
    'AfterTool.mcp.json': [{ ...ended, call: mcp, response: 'memory: {"query":"what"}' }],
    'AfterAgent.json': [{ kind: 'turn-end', text: 'Done. I wrote a.txt.', continued: false }],
    // The client sends it before every request to the model.
    'PreCompress.json': [],
    'SessionEnd.json': [{ kind: 'session-end', reason: 'exit' }],
  },
});

test("removes Cairn's context from the prompt", () => {
  const prompt =
    '<hook_context>&lt;cairn-context&gt;\nold\n&lt;/cairn-context&gt;</hook_context>\n\nreal words';
  expect(gemini.toEvents('BeforeAgent', { session_id: 's', prompt })).toMatchObject([{ text: 'real words' }]);
});

test('never prints a block', () => {
  for (const event of replyTable.rules.keys())
    expect(gemini.print(event, { block: { reason: 'r' } }), event).toMatchObject({ exitCode: 0, stdout: '' });
});
