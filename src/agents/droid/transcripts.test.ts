import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRecording } from '../../../test/support/agent-transcripts.ts';
import type { Json } from '../../model/json.ts';
import { transcripts } from './transcripts.ts';

const path = fileURLToPath(new URL('./payloads/transcripts/session.jsonl', import.meta.url));
const sessionId = 'f4476c98-e796-4058-9983-f6909e13102c';

const { values, readAll } = openRecording(transcripts, path, sessionId);

test('reads a session, with ids only for failed calls, which hooks do not report', () => {
  const events = readAll(values).map(({ event }) => event);
  expect(events).toMatchObject([
    { kind: 'prompt', text: 'please write a file', promptId: '29a6658a-9b44-460e-aab9-380fba3e90e2' },
    { kind: 'tool-end', outcome: 'success', call: { name: 'Create' } },
    { kind: 'tool-end', outcome: 'failure', call: { id: 'call_11', name: 'Execute' } },
    { kind: 'tool-end', outcome: 'success', call: { name: 'Read' } },
    { kind: 'tool-end', outcome: 'success', call: { name: 'tiny___recall' } },
    { kind: 'turn-end', text: 'Done. I wrote a.txt.' },
  ]);
  expect(events.flatMap((event) => ('call' in event ? [event.call.id] : []))).toEqual([
    undefined,
    'call_11',
    undefined,
    undefined,
  ]);
  expect(transcripts.readOpening(path)).toMatchObject({ folder: '/home/user/project' });
  expect(values.flatMap(transcripts.readAnswer).filter((part) => !('prompt' in part))).toEqual([
    { text: 'Done. I wrote a.txt.' },
  ]);
});

test("a subagent's task is not a prompt of the person", () => {
  const messageOf = (text: string) => ({
    type: 'message',
    id: 'm1',
    message: { role: 'user', content: [{ type: 'text', text }] },
  });
  const originOf = (text: string) =>
    readAll([messageOf(text)]).flatMap(({ event }) => (event.kind === 'prompt' ? [event.origin] : []));
  expect(originOf('# Task Tool Invocation\n\nSubagent type: worker')).toEqual(['machine']);
  expect(originOf('Explain "# Task Tool Invocation".')).toEqual(['person']);
});

test('does not throw for any record', () => {
  const block = fc.record({
    type: fc.constantFrom('text', 'tool_use', 'tool_result'),
    text: fc.jsonValue(),
    id: fc.constantFrom('a', 'b'),
    tool_use_id: fc.constantFrom('a', 'b'),
    content: fc.jsonValue(),
  });
  const message = fc.record({
    role: fc.constantFrom('user', 'assistant'),
    content: fc.oneof(fc.jsonValue(), fc.array(block)),
  });
  const record = fc.oneof(fc.jsonValue(), fc.record({ type: fc.constant('message'), message }));
  fc.assert(
    fc.property(fc.array(record), (values) => {
      readAll(values as Json[]);
    }),
    { numRuns: 300 },
  );
});
