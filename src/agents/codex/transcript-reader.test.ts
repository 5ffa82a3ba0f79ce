import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { transcripts } from './transcripts.ts';
import { readLastUsage } from './usage.ts';

const folder = fileURLToPath(new URL('./payloads/transcripts/', import.meta.url));
const path = `${folder}rollout.jsonl`;
const sessionId = '01a1e06e-1628-75b3-a79b-45741f101f68';
const turnId = '01a1e06e-1697-7210-92de-5a2dba8c166f';

function readAll(records: { value: Json; start: number; end: number }[]) {
  const reader = transcripts.createReader({ sessionId, path });
  return [...records.flatMap((record) => reader.read(record.value, record)), ...reader.finish(true)];
}

test('reads from a rollout the events that hooks reported, with exit codes', () => {
  const records = [...transcripts.readRecords(path, 0)].flatMap((record) =>
    'value' in record ? [record] : [],
  );
  const events = readAll(records).map(({ event }) => event);
  const origin = { sessionId, cwd: '/home/user/project', transcriptPath: path };
  expect(events.map(({ kind }) => kind)).toEqual([
    'session-start',
    'prompt',
    'tool-end',
    'tool-end',
    'tool-end',
    'turn-end',
  ]);
  expect(events[0]).toEqual({ kind: 'session-start', ...origin, source: 'unknown', model: 'gpt-5.5' });
  expect(events[1]).toMatchObject({ text: 'please write a file', promptId: turnId });
  expect(events[2]).toMatchObject({
    call: { id: 'call_1', name: 'Bash', command: 'echo hello > a.txt; cat a.txt; exit 3' },
    outcome: 'failure',
    response: 'hello\n',
  });
  expect(events[3]).toMatchObject({
    call: { id: 'call_2', name: 'apply_patch', files: [{ path: '/home/user/project/b.txt' }, {}] },
    outcome: 'success',
  });
  expect(events[4]).toMatchObject({ call: { id: 'call_3', name: 'mcp__tiny__recall' } });
  expect(events[5]).toMatchObject({ text: 'Done. I wrote a.txt and b.txt.', promptId: turnId });
});

test('a call without a result at the session end counts as cut off', () => {
  const call = { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"sleep 9"}', call_id: 'c' };
  const records = [{ value: { type: 'response_item', payload: call }, start: 0, end: 9 }];
  expect(readAll(records)).toMatchObject([{ event: { outcome: 'failure', reportedBy: 'batch' } }]);
});

test('does not throw for any record', () => {
  const type = fc.constantFrom('session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted');
  const inner = fc.constantFrom('function_call', 'function_call_output', 'item_completed', 'task_complete');
  const record = fc.oneof(
    fc.jsonValue(),
    fc.record({
      type,
      payload: fc.oneof(
        fc.jsonValue(),
        fc.record({
          type: inner,
          call_id: fc.constantFrom('a', 'b'),
          item: fc.jsonValue(),
          output: fc.jsonValue(),
        }),
      ),
    }),
  );
  fc.assert(
    fc.property(fc.array(record), (values) => {
      readAll(values.map((value, at) => ({ value: value as Json, start: at, end: at + 1 })));
    }),
    { numRuns: 300 },
  );
});

test('reads the opening, the answer and the usage', () => {
  expect(transcripts.readOpening(path)).toEqual({
    at: Date.parse('2026-11-15T18:17:53.626Z'),
    folder: '/home/user/project',
  });
  const records = [...transcripts.readRecords(path, 0)];
  const parts = records.flatMap((record) => ('value' in record ? transcripts.readAnswer(record.value) : []));
  expect(parts).toEqual([
    { callId: 'call_1' },
    { callId: 'call_2' },
    { callId: 'call_3' },
    { text: 'Done. I wrote a.txt and b.txt.' },
  ]);
  const text = readFileSync(path, 'utf8');
  expect(readLastUsage(text)).toEqual({ tokens: 110, window: 258_400, model: 'gpt-5.5' });
  expect(readLastUsage(`${text}\n{"type":"compacted","payload":{}}`)).toBeNull();
  expect(readLastUsage('')).toBeNull();
});
