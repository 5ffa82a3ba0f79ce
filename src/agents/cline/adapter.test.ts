import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeRecordings } from '../../../test/support/agent-recordings.ts';
import { cline } from './adapter.ts';

const project = '/home/user/project';
const ended = { kind: 'tool-end', outcome: 'success', reportedBy: 'call' };
const command = (id: string, words: string) => ({
  id,
  name: 'run_commands',
  does: 'command',
  input: { command: words },
  command: words,
  files: [],
});
const read = {
  id: 'call_3',
  name: 'read_files',
  does: 'read',
  input: { files: [{ path: `${project}/a.txt` }] },
  files: [{ path: `${project}/a.txt`, how: 'read' }],
};

describeRecordings({
  agent: cline,
  payloads: new URL('./payloads/', import.meta.url),
  origin: { sessionId: '1794893609270_imk8c', cwd: project },
  meanings: {
    'beforeTool.editor.json': [],
    'beforeTool.mcp.json': [],
    'beforeTool.read_files.json': [],
    'beforeTool.run_commands.json': [],
    'beforeTool.spawn_agent.json': [],
    'setup.json': [{ kind: 'session-start', source: 'startup' }],
    'beforeRun.json': [{ kind: 'prompt', text: 'please write a file', origin: 'person' }],
    // A subagent's task is in the call that starts it.
    'beforeRun.subagent.json': [],
    'afterTool.editor.json': [
      {
        ...ended,
        call: {
          id: 'call_1',
          name: 'editor',
          does: 'change',
          input: { file_path: `${project}/a.txt`, content: 'hello\n' },
          files: [{ path: `${project}/a.txt`, how: 'write' }],
        },
        response: `File created successfully at: ${project}/a.txt`,
        durationMs: expect.any(Number),
      },
    ],
    'afterTool.run_commands.json': [
      {
        ...ended,
        call: command('call_2', 'cat a.txt; exit 3'),
        outcome: 'failure',
        response: '[Command exited with code 3]\nhello\n',
        durationMs: expect.any(Number),
      },
      {
        ...ended,
        call: command('call_2#2', 'echo ok'),
        response: 'ok\n',
        durationMs: expect.any(Number),
      },
    ],
    'afterTool.read_files.json': [
      { ...ended, call: read, response: '1 | hello', durationMs: expect.any(Number) },
    ],
    'afterTool.read_files.subagent.json': [
      {
        ...ended,
        call: { ...read, id: expect.any(String) },
        response: '1 | hello',
        durationMs: expect.any(Number),
        subagent: { id: expect.stringMatching(/^agent_/), type: '' },
      },
    ],
    'afterTool.mcp.json': [
      {
        ...ended,
        call: { id: 'call_4', name: 'tiny__recall', does: 'other', input: { query: 'what' }, files: [] },
        response: 'memory: {"query":"what"}',
        durationMs: expect.any(Number),
      },
    ],
    // Cairn's plugin does not register it.
    'beforeModel.json': [],
    'afterRun.json': [{ kind: 'turn-end', text: 'Done. I wrote a.txt.', continued: false }],
  },
  others: [
    [
      'a prompt in plan mode',
      'beforeRun',
      {
        snapshot: {
          messages: [
            { content: [{ type: 'text', text: '<user_input mode="plan">think\nfirst</user_input>' }] },
          ],
        },
      },
      { kind: 'prompt', text: 'think\nfirst', permissionMode: 'plan', origin: 'person' },
    ],
    [
      'an edit with the common field names',
      'afterTool',
      {
        toolCall: {
          toolCallId: 'c',
          toolName: 'editor',
          input: { path: '/a', old_text: 'x', new_text: 'y' },
        },
        result: { output: { query: 'edit:/a', result: '', error: 'no match', success: false } },
      },
      {
        ...ended,
        call: {
          id: 'c',
          name: 'editor',
          does: 'change',
          input: { file_path: '/a', old_string: 'x', new_string: 'y' },
          files: [{ path: '/a', how: 'write' }],
        },
        outcome: 'failure',
        response: 'no match',
      },
    ],
    [
      'a call that was refused',
      'afterTool',
      {
        toolCall: { toolCallId: 'c', toolName: 'run_commands', input: { commands: ['rm a'] } },
        result: { output: 'Tool call was denied', isError: true },
      },
      {
        ...ended,
        call: { ...command('c', 'rm a') },
        outcome: 'failure',
        response: 'Tool call was denied',
      },
    ],
    [
      'an interruption',
      'afterRun',
      { result: { status: 'aborted', outputText: 'Loo' } },
      { kind: 'turn-end', text: 'Loo', continued: false, error: 'interrupted' },
    ],
    [
      'the end of a subagent',
      'afterRun',
      { snapshot: { agentId: 'b', parentAgentId: 'a' }, result: { outputText: 'Found.' } },
      { kind: 'subagent-end', text: 'Found.', subagent: { id: 'b', type: '' } },
    ],
  ],
  payloadOf: (context) => ({ sessionId: 's', context }),
});

test('ignores payloads of hook files, because Cairn uses a plugin', () => {
  const folder = new URL('./payloads/hook-files/', import.meta.url);
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const [event = ''] = file.split('.');
    expect(cline.toEvents(event, JSON.parse(readFileSync(new URL(file, folder), 'utf8')))).toEqual([]);
  }
});
