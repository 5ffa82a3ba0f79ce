import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import type { TranscriptEvent } from '../agent.ts';
import { transcripts } from './transcripts.ts';

const folder = join(import.meta.dirname, 'payloads/transcripts');

test('reads from a recorded session the events that hooks reported, and the answer', () => {
  const [session] = transcripts.findAll(folder);
  const [file] = session?.files ?? [];
  if (!session || !file) throw new Error('no transcript');
  const reader = transcripts.createReader({ sessionId: session.sessionId, path: file.path });
  const events: TranscriptEvent[] = [];
  for (const record of transcripts.readRecords(file.path, 0))
    if ('value' in record) events.push(...reader.read(record.value, record));
  expect(events.map(({ event }) => describeEvent(event))).toEqual([
    'session-start fake-model',
    'prompt please write a file',
    'tool-end create success',
    'tool-end bash failure',
    'tool-end view success',
    'turn-end Done. I wrote a.txt.',
  ]);
  expect(new Set(events.map(({ key }) => key)).size).toBe(events.length);
  expect(events.every(({ event, branch }) => event.cwd === '/home/user/project' && branch === 'master')).toBe(
    true,
  );
  expect(reader.settledOffset()).toBe(file.size);
  expect(reader.finish(true)).toEqual([]);
});

test('finds a session by its path, with its folder and time', () => {
  const [session] = transcripts.findAll(folder);
  const path = session?.files[0]?.path ?? '';
  expect(transcripts.findSession(path, session?.sessionId ?? '')).toEqual(session);
  expect(transcripts.readOpening(path)).toEqual({
    at: Date.parse('2026-11-15T18:27:56.593Z'),
    folder: '/home/user/project',
  });
  expect(transcripts.findProjectFolders(folder)).toEqual(['/home/user/project']);
});

test('reads words of the agent, but not of its subagents', () => {
  const answerIn = (data: Json) => transcripts.readAnswer({ type: 'assistant.message', data });
  expect(answerIn({ content: 'Done.', toolRequests: [] })).toEqual([{ text: 'Done.' }]);
  expect(answerIn({ content: 'Looked.', parentToolCallId: 'call_1' })).toEqual([]);
  expect(answerIn({ content: '' })).toEqual([]);
});

test('reads the calls of a subagent in the same file, but not its prompt and words', () => {
  const recordOf = (agentId: string | undefined, type: string, data: Json) => ({
    ...{ type, data, id: `${type}${agentId}`, timestamp: '2026-11-18T07:10:36Z' },
    ...(agentId && { agentId }),
  });
  const call = { toolCallId: 'call_2', toolName: 'bash', arguments: { command: 'ls' } };
  const reader = transcripts.createReader({ sessionId: 's', path: '/t' });
  const records = [
    recordOf(undefined, 'user.message', { content: 'How many trees?' }),
    recordOf('counter', 'user.message', { content: 'Count the trees.' }),
    recordOf('counter', 'tool.execution_start', call),
    recordOf('counter', 'tool.execution_complete', { ...call, success: true, result: { content: 'apple' } }),
    recordOf('counter', 'assistant.message', { content: 'I counted one.' }),
    recordOf(undefined, 'assistant.message', { content: 'One.' }),
  ];
  const events = records.flatMap((record, at) => reader.read(record, { start: at, end: at + 1 }));
  expect([...events, ...reader.finish(true)].map(({ event }) => describeEvent(event))).toEqual([
    'prompt How many trees?',
    'tool-end bash success',
    'turn-end One.',
  ]);
});

test('does not throw for any JSON', () => {
  const kinds = fc.constantFrom(
    'session.start',
    'user.message',
    'assistant.message',
    'tool.execution_complete',
  );
  fc.assert(
    fc.property(kinds, fc.jsonValue(), (type, data) => {
      const reader = transcripts.createReader({ sessionId: 's', path: '/t' });
      const record = { type, data: data as Json };
      expect(() => reader.read(record, { start: 0, end: 1 })).not.toThrow();
      expect(() => transcripts.readAnswer(record)).not.toThrow();
    }),
  );
});

function describeEvent(event: TranscriptEvent['event']): string {
  switch (event.kind) {
    case 'session-start':
      return `session-start ${event.model}`;
    case 'tool-end':
      return `tool-end ${event.call.name} ${event.outcome}`;
    case 'prompt':
    case 'turn-end':
      return `${event.kind} ${event.text}`;
    default:
      return event.kind;
  }
}
