import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { AgentEvent } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import { raw } from './adapter.ts';

const fields = { session: 's1', cwd: '/orchard' };
const origin = { sessionId: 's1', cwd: '/orchard' };

describe('events of a program', () => {
  it.each<[string, Json, AgentEvent[]]>([
    [
      'session-start',
      { ...fields, source: 'resume', model: 'm1' },
      [{ kind: 'session-start', ...origin, source: 'resume', model: 'm1' }],
    ],
    ['session-start', {}, [{ kind: 'session-start', sessionId: 'unknown', source: 'startup' }]],
    [
      'prompt',
      { ...fields, text: 'Prune', permissionMode: 'plan' },
      [{ kind: 'prompt', ...origin, permissionMode: 'plan', text: 'Prune', origin: 'person' }],
    ],
    [
      'tool-end',
      {
        ...fields,
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
          ...{ kind: 'tool-end', ...origin, outcome: 'failure', response: 'a.txt', durationMs: 12 },
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
      { ...fields, text: 'Done.' },
      [{ kind: 'turn-end', ...origin, text: 'Done.', continued: false }],
    ],
    [
      'compact-end',
      { ...fields, summary: 'All of it.' },
      [{ kind: 'compact-end', ...origin, trigger: 'unknown', summary: 'All of it.' }],
    ],
    ['session-end', { ...fields }, [{ kind: 'session-end', ...origin, reason: 'other' }]],
    ['anything', { ...fields, event: 'session-end' }, [{ kind: 'session-end', ...origin, reason: 'other' }]],
    ['anything', fields, []],
    ['prompt', 'no object', []],
  ])('%s %j', (event, payload, expected) => expect(raw.toEvents(event, payload)).toEqual(expected));

  test('reads any JSON under any event name without throwing', () => {
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
  ] as const)('a plan is %s', (decision, value) =>
    expect(raw.findWorkReports(value)).toEqual([{ kind: 'plan', decision, text: '1. cut' }]),
  );

  test('a list of tasks is a whole list', () => {
    const tasks = [{ subject: 'cut', state: 'done' }, { id: '2', subject: 'bind', state: 'soon' }, 'x', {}];
    const value = {
      kind: 'tool-end',
      tool: 'tasks',
      input: { tasks },
      response: null,
      outcome: 'success',
    } as const;
    expect(raw.findWorkReports(value)).toEqual([
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

test('prints a reply as one line of JSON, or nothing', () => {
  expect(raw.print('prompt', {}).stdout).toBe('');
  const value = { context: 'a\nb', notice: 'n', block: { reason: 'no' } };
  expect(JSON.parse(raw.print('prompt', value).stdout)).toEqual({
    context: 'a\nb',
    notice: 'n',
    block: 'no',
  });
});
