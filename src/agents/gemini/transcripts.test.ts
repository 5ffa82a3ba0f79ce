import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRecording } from '../../../test/support/agent-transcripts.ts';
import type { Json } from '../../model/json.ts';
import { transcripts } from './transcripts.ts';

const path = fileURLToPath(new URL('./payloads/transcripts/session.jsonl', import.meta.url));
const sessionId = '796efbf9-ba0d-44fd-9012-2189eaf0a829';

const { values, readAll } = openRecording(transcripts, path, sessionId);

test('reads a chat, with each call once', () => {
  const events = readAll(values).map(({ event }) => event);
  expect(events).toMatchObject([
    { kind: 'prompt', text: 'please write a file', sessionId },
    { kind: 'tool-end', outcome: 'success', call: { name: 'write_file', does: 'change' } },
    { kind: 'tool-end', outcome: 'failure', call: { name: 'run_shell_command' }, response: 'hello' },
    { kind: 'tool-end', outcome: 'success', call: { name: 'read_file' } },
    { kind: 'tool-end', outcome: 'success', call: { name: 'mcp_tiny_recall' } },
    { kind: 'turn-end', text: 'Done. I wrote a.txt.' },
  ]);
  expect(events.every((event) => !('call' in event) || event.call.id === undefined)).toBe(true);
});

test('a prompt ends the previous turn', () => {
  const say = (type: string, words: string) => ({ type, id: words, content: [{ text: words }] });
  const events = readAll([
    say('user', 'one'),
    say('gemini', 'first'),
    say('user', 'two'),
    say('gemini', 'second'),
  ]);
  expect(events.map(({ event }) => ('text' in event ? event.text : ''))).toEqual([
    'one',
    'first',
    'two',
    'second',
  ]);
});

test('does not throw for any record', () => {
  const record = fc.oneof(
    fc.jsonValue(),
    fc.record({
      type: fc.constantFrom('user', 'gemini', 'info'),
      content: fc.jsonValue(),
      toolCalls: fc.oneof(
        fc.jsonValue(),
        fc.array(fc.record({ status: fc.constant('success'), result: fc.jsonValue() })),
      ),
    }),
  );
  fc.assert(
    fc.property(fc.array(record), (values) => {
      readAll(values as Json[]);
    }),
    { numRuns: 300 },
  );
});
