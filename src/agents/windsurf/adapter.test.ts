import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import { windsurf } from './adapter.ts';
import { registeredEvents } from './events.ts';

const payloads = new URL('./payloads/', import.meta.url);

function documented(file: string): JsonObject {
  return JSON.parse(readFileSync(new URL(file, payloads), 'utf8'));
}

const path = '/home/user/project/a.txt';
const edits = [{ old_string: '', new_string: 'hello' }];

/** The expected events of each payload, without session and turn; an empty list means that Cairn ignores it. */
const meanings: Record<string, object[]> = {
  'pre_user_prompt.json': [{ kind: 'prompt', text: 'please write a file', origin: 'person' }],
  'pre_read_code.json': [],
  'pre_write_code.json': [],
  'pre_run_command.json': [],
  'post_setup_worktree.json': [],
  'post_cascade_response_with_transcript.json': [],
  'post_read_code.json': [
    {
      kind: 'tool-end',
      call: { name: 'read_code', does: 'read', input: { file_path: path }, files: [{ path, how: 'read' }] },
      outcome: 'success',
      response: null,
      reportedBy: 'call',
    },
  ],
  'post_write_code.json': [
    {
      kind: 'tool-end',
      call: {
        name: 'write_code',
        does: 'change',
        input: { file_path: path, edits },
        files: [{ path, how: 'write' }],
      },
      outcome: 'success',
      response: null,
      reportedBy: 'call',
    },
  ],
  'post_run_command.json': [
    {
      kind: 'tool-end',
      call: {
        name: 'run_command',
        does: 'command',
        input: { command: 'cat a.txt' },
        command: 'cat a.txt',
        files: [],
      },
      cwd: '/home/user/project',
      outcome: 'success',
      response: null,
      reportedBy: 'batch',
    },
  ],
  'post_mcp_tool_use.json': [
    {
      kind: 'tool-end',
      call: { name: 'tiny:recall', does: 'other', input: { query: 'x' }, files: [] },
      outcome: 'success',
      response: '...',
      reportedBy: 'call',
    },
  ],
  'post_cascade_response.json': [{ kind: 'turn-end', text: 'Done.', continued: false }],
};

describe('events', () => {
  test('every payload has a row', () => {
    const files = readdirSync(payloads).filter((name) => name.endsWith('.json'));
    expect(Object.keys(meanings).toSorted()).toEqual(files.toSorted());
    // One event is registered only to make the client write a transcript.
    const silent = registeredEvents.filter((event) => meanings[`${event}.json`]?.length !== 1);
    expect(silent).toEqual(['post_cascade_response_with_transcript']);
  });

  test.each(Object.entries(meanings))('%s', (file, expected) => {
    const origin = { sessionId: 'traj-0001', promptId: 'exec-0001' };
    const [event = ''] = file.split('.');
    expect(windsurf.toEvents(event, documented(file))).toEqual(
      expected.map((meaning) => ({ ...origin, ...meaning })),
    );
  });

  test('reads any JSON without throwing, and every event has a kind and a session', () => {
    const fields = fc.constantFrom('agent_action_name', 'trajectory_id', 'execution_id', 'tool_info', 'cwd');
    const info = fc.dictionary(
      fc.constantFrom('user_prompt', 'file_path', 'edits', 'command_line', 'response', 'mcp_tool_name'),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...registeredEvents), info);
    fc.assert(
      fc.property(fc.constantFrom(...registeredEvents), fc.dictionary(fields, value), (name, wire) => {
        for (const event of windsurf.toEvents(name, wire as Json)) {
          expect(event.kind).toMatch(/^[a-z-]+$/);
          expect(event.sessionId.length).toBeGreaterThan(0);
          expect(Object.values(event)).not.toContain(undefined);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("marks a call of Cairn's server as meta", () => {
    const payload = documented('post_mcp_tool_use.json');
    const tool_info = { mcp_server_name: 'cairn', mcp_tool_name: 'search', mcp_tool_arguments: {} };
    expect(windsurf.toEvents('post_mcp_tool_use', { ...payload, tool_info })).toMatchObject([
      { call: { name: 'cairn:search', does: 'meta' } },
    ]);
  });
});

test('never prints a reply or blocks', () => {
  for (const event of registeredEvents)
    expect(windsurf.print(event, { context: 'c', notice: 'n', block: { reason: 'r' } })).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
      leftOut: ['context', 'notice', 'block'].map((part) => `${part}: not supported by this agent`),
    });
});
