import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Agent } from '../agent.ts';
import { kilo } from '../kilo/adapter.ts';
import { opencode } from './adapter.ts';

const project = '/home/user/project';

/** The expected events of each recording, without the session; an empty list means that Cairn ignores it. */
const meanings: Record<string, object[]> = {
  'chat.params.json': [],
  'dispose.json': [],
  'experimental.chat.system.transform.json': [],
  'experimental.compaction.autocontinue.json': [],
  'experimental.text.complete.json': [],
  'plugin.init.json': [],
  'tool.execute.before.bash.json': [],
  'tool.execute.before.mcp.json': [],
  'tool.execute.before.read.json': [],
  'tool.execute.before.write.json': [],
  'event.session.created.json': [{ kind: 'session-start', cwd: project, source: 'startup' }],
  'chat.message.json': [{ kind: 'prompt', text: 'please write a file', origin: 'person' }],
  'tool.execute.after.write.json': [
    {
      kind: 'tool-end',
      call: {
        id: expect.any(String),
        name: 'write',
        does: 'change',
        input: { file_path: `${project}/a.txt`, content: 'hello\n' },
        files: [{ path: `${project}/a.txt`, how: 'write' }],
      },
      outcome: 'success',
      response: 'Wrote file successfully.',
      reportedBy: 'call',
    },
  ],
  'tool.execute.after.bash.json': [
    {
      kind: 'tool-end',
      call: {
        id: expect.any(String),
        name: 'bash',
        does: 'command',
        input: { command: 'cat a.txt; exit 3', description: 'print file' },
        command: 'cat a.txt; exit 3',
        files: [],
      },
      outcome: 'failure',
      response: 'hello\n',
      reportedBy: 'call',
    },
  ],
  'tool.execute.after.read.json': [
    {
      kind: 'tool-end',
      call: {
        id: expect.any(String),
        name: 'read',
        does: 'read',
        input: { filePath: `${project}/a.txt` },
        files: [{ path: `${project}/a.txt`, how: 'read' }],
      },
      outcome: 'success',
      response: expect.stringContaining('1: hello'),
      reportedBy: 'call',
    },
  ],
  'tool.execute.after.mcp.json': [
    {
      kind: 'tool-end',
      call: {
        id: expect.any(String),
        name: 'tiny_recall',
        does: 'other',
        input: { query: 'what' },
        files: [],
      },
      outcome: 'success',
      response: [{ type: 'text', text: 'memory: {"query":"what"}' }],
      reportedBy: 'call',
    },
  ],
  'experimental.session.compacting.json': [{ kind: 'compact-start', trigger: 'unknown' }],
  'event.session.compacted.json': [{ kind: 'compact-end', trigger: 'unknown', summary: '' }],
  'event.session.idle.json': [{ kind: 'turn-end', text: '', continued: false }],
};

const recordings = [opencode, kilo].flatMap((agent) => {
  const folder = new URL(`../${agent.id}/payloads/`, import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.map((file) => ({
    agent,
    file,
    payload: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as JsonObject,
  }));
});

/** `tool.execute.after` of `tool.execute.after.bash.json`. */
function eventOf(file: string): string {
  const event = file.replace(/^event\./, '').replace(/\.json$/, '');
  return event.replace(/^(tool\.execute\.\w+)\..*/, '$1');
}

describe('events', () => {
  test.each(recordings)('$agent.id $file', ({ agent, file, payload }) => {
    const origin = { sessionId: expect.stringMatching(/^ses_/) };
    const expected = meanings[file];
    expect(expected).toBeDefined();
    expect(agent.toEvents(eventOf(file), payload)).toEqual(
      expected?.map((meaning) => ({ ...origin, ...meaning })),
    );
  });

  const fields = { sessionID: 'ses_1', directory: project };
  const reported = { sessionId: 'ses_1', cwd: project };
  const child = { ...fields, sessionID: 'ses_2', parentID: 'ses_1' };
  const ofChild = { ...reported, subagent: { id: 'ses_2', type: '' } };
  const failed = { tool: 'read', callID: 'c', args: { filePath: '/a' } };
  test.each([
    [
      'a resumed session',
      'session.created',
      { ...fields, source: 'resume' },
      { ...reported, source: 'resume' },
    ],
    [
      'the last words',
      'session.idle',
      { ...fields, text: 'Done.' },
      { ...reported, kind: 'turn-end', text: 'Done.' },
    ],
    [
      'an interruption',
      'session.idle',
      { ...fields, error: 'MessageAbortedError' },
      { error: 'interrupted' },
    ],
    [
      'the end of a subagent',
      'session.idle',
      { ...child, text: 'Found.' },
      { ...ofChild, kind: 'subagent-end' },
    ],
    ['the end of the program', 'dispose', fields, { ...reported, kind: 'session-end', reason: 'exit' }],
    [
      'a call that failed',
      'tool.error',
      { ...fields, input: failed, error: 'File not found' },
      { outcome: 'failure' },
    ],
    [
      'a call that was refused',
      'tool.error',
      { ...fields, input: failed, error: 'The user rejected permission to use this specific tool call.' },
      { outcome: 'refused' },
    ],
    [
      'a command as it was typed',
      'chat.message',
      { ...fields, command: '/cairn/resume', output: { parts: [{ type: 'text', text: 'Continue …' }] } },
      { text: '/cairn/resume' },
    ],
    [
      'a prompt in plan mode',
      'chat.message',
      { ...fields, output: { message: { agent: 'plan' }, parts: [{ type: 'text', text: 'say "hi"' }] } },
      { text: 'say "hi"', permissionMode: 'plan' },
    ],
  ])('%s', (_, event, payload, expected) => {
    expect(opencode.toEvents(event, payload)).toMatchObject([expected]);
  });

  test('converts an edit to the common field names', () => {
    const args = { filePath: '/a', oldString: 'x', newString: 'y' };
    const sent = { ...fields, input: { tool: 'edit', callID: 'c', args }, output: { output: '' } };
    expect(opencode.toEvents('tool.execute.after', sent)).toMatchObject([
      { call: { input: { file_path: '/a', old_string: 'x', new_string: 'y' } } },
    ]);
  });

  test.each([opencode, kilo])('$id reads any JSON under any event name without throwing', (agent: Agent) => {
    const names = fc.constantFrom('session.created', 'chat.message', 'tool.execute.after', 'tool.error', 'x');
    fc.assert(
      fc.property(names, fc.jsonValue(), (event, payload) => {
        for (const { sessionId } of agent.toEvents(event, payload as Json))
          expect(sessionId).toEqual(expect.any(String));
      }),
    );
  });
});

test('reports tasks as a whole list', () => {
  const todos = [{ content: 'cut', status: 'completed' }, { content: 'bind', status: 'cancelled' }, {}];
  const call = {
    kind: 'tool-end',
    tool: 'todowrite',
    input: { todos },
    response: null,
    outcome: 'success',
  } as const;
  expect(opencode.findWorkReports(call)).toEqual([
    {
      kind: 'tasks',
      tasks: [
        { key: 'cut', subject: 'cut', state: 'done' },
        { key: 'bind', subject: 'bind', state: 'dropped' },
      ],
      isWholeList: true,
    },
  ]);
  expect(opencode.findWorkReports({ ...call, outcome: 'failure' })).toEqual([]);
});

test('prints a reply as one JSON object for the plugin', () => {
  for (const event of ['session.created', 'chat.message', 'experimental.session.compacting']) {
    const { stdout, stderr, exitCode } = opencode.print(event, { context: 'remember' });
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: '{"context":"remember"}\n',
      stderr: '',
      exitCode: 0,
    });
  }
});
