import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import { cursor } from './adapter.ts';
import { registeredEvents } from './events.ts';

const payloads = new URL('./payloads/', import.meta.url);

function recorded(file: string): JsonObject {
  return JSON.parse(readFileSync(new URL(file, payloads), 'utf8'));
}

const promptId = '7b1d0000-0000-4000-8000-000000000002';

/** The expected events of each payload, without session and folder; an empty list means that Cairn ignores it. */
const meanings: Record<string, object[]> = {
  'afterFileEdit.json': [],
  'afterMCPExecution.json': [],
  'afterShellExecution.json': [],
  'beforeReadFile.json': [],
  'beforeShellExecution.json': [],
  'preToolUse.json': [],
  'sessionStart.json': [{ kind: 'session-start', source: 'startup', model: 'gpt-5.6-sol' }],
  'beforeSubmitPrompt.json': [{ kind: 'prompt', promptId, text: 'please write a file', origin: 'person' }],
  'postToolUse.json': [
    {
      kind: 'tool-end',
      promptId,
      call: {
        id: 'call_2',
        name: 'Shell',
        does: 'command',
        input: { command: 'cat a.txt' },
        command: 'cat a.txt',
        files: [],
      },
      outcome: 'success',
      response: { output: 'hello\n', exitCode: 0 },
      durationMs: 12.3,
      reportedBy: 'call',
    },
  ],
  'postToolUseFailure.json': [
    {
      kind: 'tool-end',
      promptId,
      call: {
        id: 'call_3',
        name: 'Read',
        does: 'read',
        input: { file_path: '/nope' },
        files: [{ path: '/nope', how: 'read' }],
      },
      outcome: 'failure',
      response: 'not found',
      durationMs: 1,
      reportedBy: 'call',
    },
  ],
  'preCompact.json': [{ kind: 'compact-start', promptId, trigger: 'auto' }],
  'stop.json': [{ kind: 'turn-end', promptId, text: '', continued: false }],
  'sessionEnd.json': [{ kind: 'session-end', promptId, reason: 'completed' }],
};

describe('events', () => {
  test('every payload has a row', () => {
    const files = readdirSync(payloads).filter((name) => name.endsWith('.json'));
    expect(Object.keys(meanings).toSorted()).toEqual(files.toSorted());
  });

  test.each(Object.entries(meanings))('%s', (file, expected) => {
    const origin = { sessionId: '3f0c9a52-0000-4000-8000-000000000001', cwd: '/home/user/project' };
    const [event = ''] = file.split('.');
    expect(cursor.toEvents(event, recorded(file))).toEqual(
      expected.map((meaning) => ({ ...origin, ...meaning })),
    );
  });

  test.each([
    [
      'a command that failed',
      'postToolUse',
      { tool_name: 'Shell', tool_output: '{"exitCode":2}' },
      { outcome: 'failure' },
    ],
    [
      'plain output',
      'postToolUse',
      { tool_name: 'Shell', tool_output: 'hi' },
      { outcome: 'success', response: 'hi' },
    ],
    ['a denied call', 'postToolUseFailure', { failure_type: 'permission_denied' }, { outcome: 'refused' }],
    ['an answer', 'afterAgentResponse', { text: 'Done.' }, { kind: 'turn-end', text: 'Done.' }],
    ['an aborted turn', 'stop', { status: 'aborted' }, { kind: 'turn-end', error: 'interrupted' }],
  ])('%s', (_, event, payload, expected) => {
    expect(cursor.toEvents(event, payload)).toMatchObject([expected]);
  });

  test('reads any JSON under any event name without throwing', () => {
    const names = fc.constantFrom(...registeredEvents.map(({ event }) => event), 'preToolUse', 'x');
    fc.assert(
      fc.property(names, fc.jsonValue(), (event, payload) => {
        for (const { sessionId } of cursor.toEvents(event, payload as Json))
          expect(sessionId).toEqual(expect.any(String));
      }),
    );
  });
});

describe('replies', () => {
  const takesContext = ['sessionStart', 'beforeSubmitPrompt', 'postToolUse', 'postToolUseFailure'];
  const reply = { context: 'remember the port', notice: 'given', block: { reason: 'no' } };
  const permissionEvents = ['preToolUse', 'beforeReadFile', 'beforeShellExecution', 'beforeMCPExecution'];

  test.each([...registeredEvents.map(({ event }) => event), ...permissionEvents])(
    '%s gets context or nothing, but never a decision',
    (event) => {
      const { stdout, stderr, exitCode } = cursor.print(event, reply);
      const isGiven = takesContext.includes(event);
      expect({ stdout, stderr, exitCode }).toEqual({
        stdout: isGiven ? '{"additional_context":"remember the port"}\n' : '',
        stderr: '',
        exitCode: 0,
      });
    },
  );

  test('cuts longer context, which the client would drop', () => {
    const { stdout } = cursor.print('postToolUse', { context: 'x'.repeat(30_000) });
    expect(JSON.parse(stdout).additional_context.length).toBeLessThanOrEqual(10_000);
  });
});
