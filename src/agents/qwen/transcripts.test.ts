import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRecording } from '../../../test/support/agent-transcripts.ts';
import type { Json } from '../../model/json.ts';
import { transcripts } from './transcripts.ts';

const path = fileURLToPath(new URL('./payloads/transcripts/chat.jsonl', import.meta.url));
const sessionId = 'ed9092b0-35c7-438a-ba17-f5f86f498eb0';

const { values, readAll } = openRecording(transcripts, path, sessionId);

test('reads a chat with the ids of the calls', () => {
  expect(readAll(values).map(({ event }) => event)).toMatchObject([
    { kind: 'prompt', text: 'please write a file', cwd: '/home/user/project' },
    { kind: 'tool-end', outcome: 'success', call: { id: 'call_1', name: 'write_file' } },
    {
      kind: 'tool-end',
      outcome: 'failure',
      call: { id: 'call_2', name: 'run_shell_command' },
      response: 'hello',
    },
    { kind: 'tool-end', outcome: 'success', call: { id: 'call_3', name: 'read_file' } },
    { kind: 'tool-end', outcome: 'success', call: { id: 'call_4', name: 'mcp__tiny__recall' } },
    { kind: 'turn-end', text: 'Done. I wrote a.txt.' },
  ]);
  expect(transcripts.readOpening(path)).toEqual({
    at: Date.parse('2026-11-16T10:01:41.155Z'),
    folder: '/home/user/project',
  });
});

test('reads words and calls in order', () => {
  expect(values.flatMap(transcripts.readAnswer).filter((part) => !('prompt' in part))).toEqual([
    { callId: 'call_1' },
    { callId: 'call_2' },
    { callId: 'call_3' },
    { callId: 'call_4' },
    { text: 'Done. I wrote a.txt.' },
  ]);
});

test('does not throw for any record', () => {
  const part = fc.record(
    { text: fc.jsonValue(), functionCall: fc.jsonValue(), functionResponse: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const record = fc.oneof(
    fc.jsonValue(),
    fc.record({
      type: fc.constantFrom('user', 'assistant', 'tool_result'),
      message: fc.oneof(fc.jsonValue(), fc.record({ parts: fc.array(part) })),
      toolCallResult: fc.jsonValue(),
    }),
  );
  fc.assert(
    fc.property(fc.array(record), (values) => {
      readAll(values as Json[]);
    }),
    { numRuns: 300 },
  );
});
