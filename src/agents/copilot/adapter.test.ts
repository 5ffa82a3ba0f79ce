import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import { claudeCode } from '../claude-code/adapter.ts';
import { copilot } from './adapter.ts';
import { registeredEvents } from './events.ts';

const payloads = new URL('./payloads/events/', import.meta.url);

function recorded(file: string): JsonObject {
  return JSON.parse(readFileSync(new URL(file, payloads), 'utf8'));
}

const project = '/home/user/project';
const state = '/home/user/.copilot/session-state';

/** The expected events of each recording, without session and folder; an empty list means that Cairn ignores it. */
const meanings: Record<string, object[]> = {
  'permissionRequest.bash.json': [],
  'permissionRequest.create.json': [],
  'preToolUse.bash.json': [],
  'preToolUse.create.json': [],
  'preToolUse.mcp.json': [],
  'preToolUse.view.json': [],
  'sessionStart.json': [{ kind: 'session-start', source: 'startup' }],
  'userPromptSubmitted.json': [{ kind: 'prompt', text: 'please write a file', origin: 'person' }],
  'userPromptTransformed.json': [{ kind: 'prompt', text: 'please write a file', origin: 'person' }],
  'postToolUse.create.json': [
    {
      kind: 'tool-end',
      call: {
        name: 'create',
        does: 'change',
        input: { file_path: `${project}/a.txt`, content: 'hello\n' },
        files: [{ path: `${project}/a.txt`, how: 'write' }],
      },
      outcome: 'success',
      response: `Created file ${project}/a.txt with 6 characters`,
      reportedBy: 'call',
    },
  ],
  'postToolUse.bash.json': [
    {
      kind: 'tool-end',
      call: {
        name: 'bash',
        does: 'command',
        input: { command: 'cat a.txt; exit 3', description: 'print file' },
        command: 'cat a.txt; exit 3',
        files: [],
      },
      outcome: 'failure',
      response: 'hello\n<shellId: 0 completed with exit code 3>',
      reportedBy: 'call',
    },
  ],
  'postToolUse.view.json': [
    {
      kind: 'tool-end',
      call: {
        name: 'view',
        does: 'read',
        input: { path: `${project}/a.txt` },
        files: [{ path: `${project}/a.txt`, how: 'read' }],
      },
      outcome: 'success',
      response: 'hello\n',
      reportedBy: 'call',
    },
  ],
  'postToolUse.mcp.json': [
    {
      kind: 'tool-end',
      call: { name: 'tiny-recall', does: 'other', input: { query: 'what' }, files: [] },
      outcome: 'success',
      response: 'memory: {"query":"what"}',
      reportedBy: 'call',
    },
  ],
  'postToolUseFailure.json': [
    {
      kind: 'tool-end',
      call: {
        name: 'view',
        does: 'read',
        input: { path: `${project}/nope.txt` },
        files: [{ path: `${project}/nope.txt`, how: 'read' }],
      },
      outcome: 'failure',
      response: 'Path does not exist',
      reportedBy: 'call',
    },
  ],
  'preCompact.json': [
    {
      kind: 'compact-start',
      trigger: 'auto',
      transcriptPath: `${state}/e2782050-9c0d-4c15-a1ce-ca57999ab7d0/events.jsonl`,
    },
  ],
  'agentStop.json': [
    {
      kind: 'turn-end',
      text: '',
      continued: false,
      transcriptPath: `${state}/58a7a517-ba1b-4bc8-94c3-88e957b069ae/events.jsonl`,
    },
  ],
  'sessionEnd.json': [{ kind: 'session-end', reason: 'complete' }],
};

describe('events', () => {
  test('every recording has a row', () => {
    expect(Object.keys(meanings).toSorted()).toEqual(readdirSync(payloads).toSorted());
  });

  test.each(Object.entries(meanings))('%s', (file, expected) => {
    const wire = recorded(file);
    const origin = { sessionId: wire.sessionId, cwd: wire.cwd };
    const [event = ''] = file.split('.');
    expect(copilot.toEvents(event, wire)).toEqual(expected.map((meaning) => ({ ...origin, ...meaning })));
  });

  test.each([
    ['success', undefined, 'no exit code', 'success'],
    ['success', 'bash', '<shellId: 1 completed with exit code 0>', 'success'],
    ['success', 'view', '<shellId: 1 completed with exit code 3>', 'success'],
    ['failure', 'bash', '', 'failure'],
    ['denied', 'bash', '', 'refused'],
    ['rejected', 'bash', '', 'refused'],
  ])(
    'a result %s of %s with %j has the outcome %s',
    (resultType, toolName = 'bash', textResultForLlm, outcome) => {
      const payload = {
        sessionId: 's',
        toolName,
        toolArgs: {},
        toolResult: { resultType, textResultForLlm },
      };
      expect(copilot.toEvents('postToolUse', payload)).toMatchObject([{ outcome }]);
    },
  );

  test("converts an edit to the common field names and marks Cairn's tools as meta", () => {
    const edit = { toolName: 'edit', toolArgs: { path: '/p/a', old_str: 'x', new_str: 'y' } };
    const own = { toolName: 'cairn-search', toolArgs: { query: 'x' } };
    expect(copilot.toEvents('postToolUse', edit)).toMatchObject([
      { call: { input: { file_path: '/p/a', old_string: 'x', new_string: 'y' } } },
    ]);
    expect(copilot.toEvents('postToolUse', own)).toMatchObject([{ call: { does: 'meta' } }]);
  });

  test('reads any JSON under any event name without throwing', () => {
    const names = fc.constantFrom(...registeredEvents.map(({ event }) => event), 'preToolUse', 'x');
    fc.assert(
      fc.property(names, fc.jsonValue(), (event, payload) => {
        for (const { sessionId } of copilot.toEvents(event, payload as Json))
          expect(sessionId).toEqual(expect.any(String));
      }),
    );
  });
});

describe('replies', () => {
  const reply = { context: 'remember the port', notice: 'given', block: { reason: 'no' } };
  const leftOut = ['notice: not supported by this agent', 'block: not supported by this agent'];
  const payload = recorded('userPromptTransformed.json');
  const allowed: Record<string, object> = {
    sessionStart: { additionalContext: 'remember the port' },
    postToolUse: { additionalContext: 'remember the port' },
    userPromptTransformed: {
      modifiedTransformedPrompt: `${payload.transformedPrompt}\n\nremember the port`,
    },
  };

  test.each([...registeredEvents.map(({ event }) => event), 'preToolUse', 'permissionRequest'])(
    '%s gets only fields that it supports',
    (event) => {
      const printed = copilot.print(event, reply, payload);
      const expected = allowed[event];
      expect(printed).toEqual({
        stdout: expected ? `${JSON.stringify(expected)}\n` : '',
        stderr: '',
        exitCode: 0,
        leftOut: expected ? leftOut : [...leftOut, `context: not supported on ${event}`],
      });
    },
  );

  test('does not replace a prompt whose text is missing', () => {
    expect(copilot.print('userPromptTransformed', reply, { prompt: 'x' }).stdout).toBe('');
    expect(copilot.print('userPromptTransformed', reply).stdout).toBe('');
  });

  test("cuts context to the client's limit", () => {
    const { stdout } = copilot.print('sessionStart', { context: 'x'.repeat(30_000) });
    expect(JSON.parse(stdout).additionalContext.length).toBeLessThanOrEqual(10_000);
  });
});

/**
 * In a trusted repository the client also runs hooks of `.claude/settings.json`, with the names and fields of Claude
 * Code. capture.sh ignores such calls; these are the payloads that it would pass on otherwise.
 */
test('ignores payloads that this client sends to hooks of Claude Code', () => {
  const folder = new URL('./payloads/to-claude-hooks/', import.meta.url);
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const [event = ''] = file.split('.');
    const wire: JsonObject = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    expect(copilot.toEvents(event, wire)).toEqual([]);
    for (const { sessionId } of claudeCode.toEvents(event, wire)) expect(sessionId).toBe(wire.session_id);
  }
});
