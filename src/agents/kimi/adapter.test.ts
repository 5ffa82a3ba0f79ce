import { expect, test } from 'vitest';
import { describeRecordings } from '../../../test/support/agent-recordings.ts';
import { kimi } from './adapter.ts';
import { registeredEvents } from './events.ts';

const project = '/home/user/project';
const file = `${project}/a.txt`;
const write = {
  id: 'call_1',
  name: 'Write',
  does: 'change',
  input: { file_path: file, content: 'hello\n' },
  files: [{ path: file, how: 'write' }],
};
const shell = {
  id: 'call_2',
  name: 'Bash',
  does: 'command',
  input: { command: 'cat a.txt; exit 3' },
  command: 'cat a.txt; exit 3',
  files: [],
};
const read = {
  id: 'call_3',
  name: 'Read',
  does: 'read',
  input: { path: file },
  files: [{ path: file, how: 'read' }],
};
const missing = `${project}/missing.txt`;
const mcp = { id: 'call_4', name: 'mcp__tiny__recall', does: 'other', input: { query: 'what' }, files: [] };
const ended = { kind: 'tool-end', outcome: 'success', reportedBy: 'call' };

describeRecordings({
  agent: kimi,
  payloads: new URL('./payloads/', import.meta.url),
  origin: { sessionId: expect.stringMatching(/^session_/), cwd: project },
  meanings: {
    'SessionStart.json': [{ kind: 'session-start', source: 'startup', model: 'fake' }],
    'UserPromptSubmit.json': [{ kind: 'prompt', text: 'please write a file', origin: 'person' }],
    'PreToolUse.Write.json': [{ kind: 'tool-start', call: write }],
    'PreToolUse.Bash.json': [{ kind: 'tool-start', call: shell }],
    'PreToolUse.Read.json': [{ kind: 'tool-start', call: read }],
    'PreToolUse.mcp.json': [{ kind: 'tool-start', call: mcp }],
    'PostToolUse.Write.json': [{ ...ended, call: write, response: `Wrote 6 bytes to ${file}` }],
    'PostToolUse.Read.json': [{ ...ended, call: read, response: '1\thello' }],
    'PostToolUse.mcp.json': [{ ...ended, call: mcp, response: 'memory: {"query":"what"}' }],
    'PostToolUseFailure.Bash.json': [
      { ...ended, call: shell, outcome: 'failure', response: 'hello\nCommand failed with exit code: 3.' },
    ],
    'PostToolUseFailure.Read.json': [
      {
        ...ended,
        call: { ...read, input: { path: missing }, files: [{ path: missing, how: 'read' }] },
        outcome: 'failure',
        response: `"${missing}" does not exist.`,
      },
    ],
    'Stop.json': [{ kind: 'turn-end', text: '', continued: false }],
    'SessionEnd.json': [{ kind: 'session-end', reason: 'exit' }],
  },
  others: [
    [
      'a prompt with a picture',
      'UserPromptSubmit',
      { prompt: [{ type: 'text', text: 'look' }, { type: 'image_url' }, { type: 'text', text: 'here' }] },
      { kind: 'prompt', text: 'look\nhere', origin: 'person' },
    ],
    [
      'an error without a message',
      'PostToolUseFailure',
      { tool_name: 'Bash', tool_input: { command: 'ls' }, error: 'gone' },
      {
        ...ended,
        call: { name: 'Bash', does: 'command', input: { command: 'ls' }, command: 'ls', files: [] },
        outcome: 'failure',
        response: 'gone',
      },
    ],
  ],
  payloadOf: (fields) => ({ ...fields, session_id: 's' }),
  replyOf: (context) => ({ message: context }),
});

test('replies only to a prompt, cut to the limit', () => {
  for (const { event } of registeredEvents) {
    const { stdout, stderr, exitCode } = kimi.print(event, {
      context: 'x'.repeat(30_000),
      notice: 'given',
      block: { reason: 'no' },
    });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    if (event !== 'UserPromptSubmit') expect(stdout).toBe('');
    else expect(JSON.parse(stdout).message.length).toBeLessThanOrEqual(10_000);
  }
});

test('reports tasks as a whole list', () => {
  const todos = [{ title: 'cut', status: 'done' }, { title: 'bind', status: 'in_progress' }, {}];
  const call = {
    kind: 'tool-end',
    tool: 'TodoList',
    input: { todos },
    response: null,
    outcome: 'success',
  } as const;
  expect(kimi.findWorkReports(call)).toEqual([
    {
      kind: 'tasks',
      tasks: [
        { key: 'cut', subject: 'cut', state: 'done' },
        { key: 'bind', subject: 'bind', state: 'doing' },
      ],
      isWholeList: true,
    },
  ]);
  expect(kimi.findWorkReports({ ...call, input: {} })).toEqual([]);
});
