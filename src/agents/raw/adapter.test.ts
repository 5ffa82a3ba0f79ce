import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { AgentEvent } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import { raw } from './adapter.ts';

const scene = { session: 's1', cwd: '/orchard' };
const told = { sessionId: 's1', cwd: '/orchard' };

describe('what a program says becomes an event', () => {
  it.each<[string, Json, AgentEvent[]]>([
    [
      'session-start',
      { ...scene, source: 'resume', model: 'm1' },
      [{ kind: 'session-start', ...told, source: 'resume', model: 'm1' }],
    ],
    ['session-start', {}, [{ kind: 'session-start', sessionId: 'unknown', source: 'startup' }]],
    [
      'prompt',
      { ...scene, text: 'Prune', permissionMode: 'plan' },
      [{ kind: 'prompt', ...told, permissionMode: 'plan', text: 'Prune', origin: 'person' }],
    ],
    [
      'tool-end',
      {
        ...scene,
        tool: {
          id: 'c1',
          name: 'shell',
          command: 'ls',
          response: 'a.txt',
          files: ['a.txt', { path: 'b.txt', how: 'write' }, 7],
          outcome: 'failure',
          durationMs: 12,
        },
      },
      [
        {
          ...{ kind: 'tool-end', ...told, outcome: 'failure', response: 'a.txt', durationMs: 12 },
          call: {
            ...{ id: 'c1', name: 'shell', does: 'command', input: {}, command: 'ls' },
            files: [
              { path: 'a.txt', how: 'read' },
              { path: 'b.txt', how: 'write' },
            ],
          },
          reportedBy: 'call',
        },
      ],
    ],
    [
      'turn-end',
      { ...scene, text: 'Done.' },
      [{ kind: 'turn-end', ...told, text: 'Done.', continued: false }],
    ],
    [
      'compact-end',
      { ...scene, summary: 'All of it.' },
      [{ kind: 'compact-end', ...told, trigger: 'unknown', summary: 'All of it.' }],
    ],
    ['session-end', { ...scene }, [{ kind: 'session-end', ...told, reason: 'other' }]],
    ['anything', { ...scene, event: 'session-end' }, [{ kind: 'session-end', ...told, reason: 'other' }]],
    ['anything', scene, []],
    ['prompt', 'no object', []],
  ])('%s %j', (event, payload, expected) => expect(raw.toEvents(event, payload)).toEqual(expected));

  test('any JSON under any name never throws', () => {
    const kinds = fc.constantFrom('session-start', 'prompt', 'tool-start', 'tool-end', 'turn-end', 'x');
    fc.assert(
      fc.property(kinds, fc.jsonValue(), (kind, payload) => {
        for (const event of raw.toEvents(kind, payload as Json))
          expect(event.sessionId).toEqual(expect.any(String));
      }),
    );
  });
});

describe('plans and tasks', () => {
  const call = { tool: 'plan', input: { text: '1. cut' }, response: null };
  it.each([
    ['proposed', { ...call, kind: 'tool-start', outcome: null }],
    ['accepted', { ...call, kind: 'tool-end', outcome: 'success' }],
    ['refused', { ...call, kind: 'tool-end', outcome: 'refused' }],
  ] as const)('a plan is %s', (decision, said) =>
    expect(raw.findWorkReports(said)).toEqual([{ kind: 'plan', decision, text: '1. cut' }]),
  );

  test('a list of tasks is the whole of it', () => {
    const tasks = [{ subject: 'cut', state: 'done' }, { id: '2', subject: 'bind', state: 'soon' }, 'x', {}];
    const said = {
      kind: 'tool-end',
      tool: 'tasks',
      input: { tasks },
      response: null,
      outcome: 'success',
    } as const;
    expect(raw.findWorkReports(said)).toEqual([
      {
        kind: 'tasks',
        tasks: [
          { key: 'cut', subject: 'cut', state: 'done' },
          { key: '2', subject: 'bind' },
        ],
        isWholeList: true,
      },
    ]);
  });
});

test('the answer is one line of JSON, or nothing', () => {
  expect(raw.print('prompt', {}).stdout).toBe('');
  const said = { context: 'a\nb', notice: 'n', block: { reason: 'no' } };
  expect(JSON.parse(raw.print('prompt', said).stdout)).toEqual({ context: 'a\nb', notice: 'n', block: 'no' });
});
