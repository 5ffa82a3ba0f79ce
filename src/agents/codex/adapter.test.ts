import { expect, test } from 'vitest';
import { describeAgent } from '../../../test/support/agent-contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { codex } from './adapter.ts';
import { registeredEvents } from './events.ts';
import { replyTable } from './reply-rules.ts';

const project = '/home/user/project';
const shell = {
  id: 'call_1',
  name: 'Bash',
  does: 'command',
  input: { command: 'echo hello > a.txt; cat a.txt; exit 3' },
  command: 'echo hello > a.txt; cat a.txt; exit 3',
  files: [],
};
const patch = {
  id: 'call_2',
  name: 'apply_patch',
  does: 'change',
  input: {
    command: expect.stringMatching(/^\*\*\* Begin Patch/),
    edits: [
      { file_path: `${project}/b.txt`, content: 'line one\n' },
      { file_path: `${project}/a.txt`, old_string: 'hello', new_string: 'hello world' },
    ],
  },
  files: [
    { path: `${project}/b.txt`, how: 'write' },
    { path: `${project}/a.txt`, how: 'write' },
  ],
};
const mcp = {
  id: 'call_3',
  name: 'mcp__tiny__recall',
  does: 'other',
  input: { query: 'what did we do' },
  files: [],
};

describeAgent({
  agent: codex,
  payloads: new URL('./payloads/', import.meta.url),
  replies: replyTable,
  registered: registeredEvents.map(({ event }) => event),
  originOf: (wire: JsonObject) => ({
    sessionId: wire.session_id,
    cwd: wire.cwd,
    transcriptPath: wire.transcript_path,
    ...(wire.turn_id !== undefined && { promptId: wire.turn_id }),
    ...(wire.permission_mode !== undefined && { permissionMode: wire.permission_mode }),
    ...(wire.agent_id !== undefined && { subagent: { id: wire.agent_id, type: wire.agent_type } }),
  }),
  meanings: {
    'SessionStart.json': [{ kind: 'session-start', source: 'startup', model: 'gpt-5.5' }],
    'SessionStart.compact.json': [{ kind: 'session-start', source: 'compact', model: 'gpt-5.5' }],
    'UserPromptSubmit.json': [{ kind: 'prompt', text: 'please write a file', origin: 'person' }],
    // The agent's task for the subagent, not a prompt of the person.
    'UserPromptSubmit.in-subagent.json': [],
    'PostToolUse.Bash.in-subagent.json': [
      {
        kind: 'tool-end',
        call: {
          id: 'call_3',
          name: 'Bash',
          does: 'command',
          input: { command: 'echo apple, pear' },
          command: 'echo apple, pear',
          files: [],
        },
        outcome: 'success',
        response: 'apple, pear\n',
        reportedBy: 'batch',
      },
    ],
    'SubagentStop.json': [
      {
        kind: 'subagent-end',
        text: 'I counted two trees.',
        transcriptOfSubagent:
          '/home/user/.codex/sessions/2026/11/18/rollout-2026-11-18T04-01-09-01a1ecd0-cce7-7382-8493-381ca1ba506a.jsonl',
      },
    ],
    'PreToolUse.Bash.json': [{ kind: 'tool-start', call: shell }],
    'PreToolUse.apply_patch.json': [{ kind: 'tool-start', call: patch }],
    'PreToolUse.mcp.json': [{ kind: 'tool-start', call: mcp }],
    'PostToolUse.Bash.json': [
      { kind: 'tool-end', call: shell, outcome: 'success', response: 'hello\n', reportedBy: 'batch' },
    ],
    'PostToolUse.apply_patch.json': [
      {
        kind: 'tool-end',
        call: patch,
        outcome: 'success',
        response: expect.stringMatching(/^Exit code: 0\n/),
        reportedBy: 'call',
      },
    ],
    'PostToolUse.mcp.json': [
      {
        kind: 'tool-end',
        call: mcp,
        outcome: 'success',
        response: { content: [{ type: 'text', text: 'memory: {"query":"what did we do"}' }] },
        reportedBy: 'call',
      },
    ],
    'PreCompact.json': [{ kind: 'compact-start', trigger: 'auto' }],
    'PostCompact.json': [{ kind: 'compact-end', trigger: 'auto', summary: '' }],
    'Stop.json': [{ kind: 'turn-end', text: 'Done. I wrote a.txt and b.txt.', continued: false }],
    'SessionEnd.json': [{ kind: 'session-end', reason: 'other' }],
  },
});

test.each([
  ['a patch that failed', 'Exit code: 1\nWall time: 0 seconds\nOutput:\nno such file', 'failure'],
  ['an error of a server', { content: [], isError: true }, 'failure'],
  ['output that only mentions a code', 'the docs say\n\n\nexit code 3', 'success'],
])('%s', (_, response, outcome) => {
  const wire = { session_id: 's', tool_name: 'apply_patch', tool_use_id: 'c', tool_response: response };
  expect(codex.toEvents('PostToolUse', wire)).toMatchObject([{ outcome }]);
});

test('prints only fields that Codex accepts', () => {
  const printed = codex.print('PostToolUse', {
    context: 'c',
    notice: 'n',
    output: {},
    block: { reason: 'r' },
  });
  expect(JSON.parse(printed.stdout)).toEqual({
    systemMessage: 'n',
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'c' },
  });
});
