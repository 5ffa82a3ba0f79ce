import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import type { TranscriptEvent } from '../agent.ts';
import { CUT_OFF, INTERRUPTED } from './transcript-calls.ts';
import { findTranscripts } from './transcript-files.ts';
import { createTranscriptReader } from './transcript-reader.ts';

const payloads = join(import.meta.dirname, 'payloads/transcripts');

/** A recorded session, by its folder. */
function recorded(folder: string) {
  const session = findTranscripts(payloads).find(({ files }) => files[0]?.path.includes(`/${folder}/`));
  if (!session) throw new Error(`no transcript in ${folder}`);
  return session;
}

interface Reading {
  isOver?: boolean;
  /** The index of the session's file. */
  file?: number;
  /** The maximum number of lines to read. */
  lines?: number;
}

function readRecorded(folder: string, { isOver = true, file: index = 0, lines = 1_000 }: Reading = {}) {
  const { sessionId, files } = recorded(folder);
  const file = files[index];
  const path = files[0]?.path ?? '';
  if (!file) throw new Error(`no file ${index} in ${folder}`);
  const reader = createTranscriptReader({
    sessionId,
    path,
    ...(file.subagent && { subagent: { ...file.subagent, path: file.path } }),
  });
  const events: TranscriptEvent[] = [];
  let start = 0;
  for (const line of readFileSync(file.path, 'utf8').split('\n').slice(0, -1).slice(0, lines)) {
    const end = start + Buffer.byteLength(line) + 1;
    events.push(...reader.read(JSON.parse(line), { start, end }));
    start = end;
  }
  events.push(...reader.finish(isOver));
  return { events, settled: reader.settledOffset(), end: start };
}

function readLines(lines: Json[], isOver = true): TranscriptEvent[] {
  const reader = createTranscriptReader({ sessionId: 's', path: '/t/s.jsonl' });
  const events = lines.flatMap((line, at) => reader.read(line, { start: at, end: at + 1 }));
  return [...events, ...reader.finish(isOver)];
}

/** One line about an event. */
function gist({ event }: TranscriptEvent): string {
  switch (event.kind) {
    case 'prompt':
      return `${event.origin}: ${event.text.split('\n')[0]}`;
    case 'tool-end':
      return `${event.call.name} ${event.call.id?.replace(/_[0-9a-f]{8}$/, '')} ${event.outcome} ${event.reportedBy}`;
    case 'turn-end':
      return `end: ${event.error ?? event.text}`;
    case 'subagent-end':
      return `report: ${event.text}`;
    case 'compact-end':
      return `compacted (${event.trigger}): ${event.summary}`;
    case 'session-start':
      return `start: ${event.model}`;
    default:
      return event.kind;
  }
}

describe('recorded sessions', () => {
  test('reads a complete session', () => {
    expect(readRecorded('whole').events.map(gist)).toEqual([
      'person: FIRST-PROMPT: plant a second apple tree',
      'start: claude-opus-5-5',
      'Bash toolu_bash success call',
      'Write toolu_write success call',
      'Read toolu_read success call',
      'Edit toolu_edit success call',
      'Bash toolu_parallel_a success call',
      'Bash toolu_parallel_b success call',
      'Bash toolu_failing failure call',
      'Edit toolu_edit_misses refused call',
      'PlantTree toolu_unknown_tool refused call',
      'Bash toolu_denied refused call',
      'Agent toolu_agent success call',
      'Bash toolu_background success call',
      'end: FIRST-ANSWER: the orchard has two apple trees now.',
      'person: SECOND-PROMPT: check the count',
      'Bash toolu_after success call',
      'end: SECOND-ANSWER: the orchard is counted, nothing is left to do.',
      'machine: <task-notification>',
      'end: NOTIFICATION-ANSWER: the background task has ended.',
    ]);
  });

  test('reads its subagent', () => {
    const { events } = readRecorded('whole', { file: 1 });
    expect(events.map(gist)).toEqual([
      'Bash toolu_sub_bash success call',
      'Write toolu_sub_write success call',
      'report: SUBAGENT-ANSWER: I counted two trees.',
    ]);
    const { path } = recorded('whole').files[1] ?? {};
    expect(events.at(-1)?.event).toEqual({
      kind: 'subagent-end',
      sessionId: '9292fbe5-81e1-4ee8-9fc3-b64e3b6ecf90',
      cwd: '/home/user/project',
      transcriptPath: recorded('whole').files[0]?.path,
      promptId: 'd31bad8d-33b8-4032-a05b-93b821a3813d',
      subagent: { id: 'a8f5261720d185159', type: 'general-purpose' },
      text: 'SUBAGENT-ANSWER: I counted two trees.',
      transcriptOfSubagent: path,
    });
  });

  test('reads a session that was killed during a call', () => {
    const { events, settled, end } = readRecorded('killed');
    expect(events.map(gist)).toEqual([
      'person: PROMPT: run the long one',
      'start: claude-opus-5-5',
      'Bash toolu_looked success call',
      'Bash toolu_long failure batch',
    ]);
    expect(events.at(-1)?.event).toMatchObject({ response: CUT_OFF });
    expect(settled).toBeLessThan(end);
  });

  test('leaves the call open while that session is active', () => {
    const { events, settled, end } = readRecorded('killed', { isOver: false });
    expect(events.map(gist).at(-1)).toBe('Bash toolu_looked success call');
    expect(settled).toBeLessThan(end);
  });

  test('reads an interactive session with interruption, refusal, queued prompt, shell mode and compaction', () => {
    const { events, settled, end } = readRecorded('on-screen');
    expect(events.map(gist)).toEqual([
      'person: P1 wait for me',
      'start: claude-opus-5-5',
      'Bash toolu_interrupted failure call',
      'end: interrupted',
      'person: P2 write it down',
      'Write toolu_refused refused call',
      'end: interrupted',
      'person: P3 wait a bit',
      'Bash toolu_wait success call',
      'person: P4 and also this, typed meanwhile',
      'end: THIRD-END',
      'machine: <bash-input>echo from-bash-mode</bash-input>',
      'end: FOURTH-END',
      'person: P5 last',
      'end: FIFTH-END',
      'compacted (manual): SCRIPTED COMPACT SUMMARY',
      'person: P6 after compact',
      'end: The script has no more turns.',
    ]);
    expect(events[2]?.event).toMatchObject({ response: INTERRUPTED });
    expect(settled).toBe(end);
  });

  test('reads a session that was compacted during a turn', () => {
    expect(readRecorded('compacted').events.map(gist)).toEqual([
      'person: go autoc PROMPT',
      'start: claude-sonnet-4-6',
      'Bash toolu_fake000001 success call',
      'compacted (auto): FAKE COMPACT SUMMARY: user ran the scripted scenario.',
      'end: final',
    ]);
  });

  test('gives copied lines of a fork the same keys as in the original', () => {
    const origin = readRecorded('whole').events.filter(({ event }) => event.kind === 'tool-end');
    const keys = new Set(readRecorded('forked').events.map(({ key }) => key));
    expect(origin.filter(({ key }) => !keys.has(key))).toEqual([]);
  });

  test('reads all fields of a call', () => {
    const call = readRecorded('whole').events.find(
      ({ event }) => 'call' in event && event.call.name === 'Write',
    );
    expect(call).toEqual({
      key: 'c344a2c5-c174-4dde-a65d-cb9a0a13fc1a.toolu_write_4b9875ab',
      at: Date.parse('2026-11-15T20:53:23.108Z'),
      branch: 'main',
      event: {
        kind: 'tool-end',
        sessionId: '9292fbe5-81e1-4ee8-9fc3-b64e3b6ecf90',
        cwd: '/home/user/project',
        transcriptPath: recorded('whole').files[0]?.path,
        promptId: 'd31bad8d-33b8-4032-a05b-93b821a3813d',
        call: {
          id: 'toolu_write_4b9875ab',
          name: 'Write',
          does: 'change',
          input: {
            file_path: '/home/user/project/trees-4b9875ab.txt',
            content: 'one apple tree WRITE-MARK\n',
          },
          files: [{ path: '/home/user/project/trees-4b9875ab.txt', how: 'write' }],
        },
        outcome: 'success',
        response: {
          type: 'create',
          filePath: '/home/user/project/trees-4b9875ab.txt',
          content: 'one apple tree WRITE-MARK\n',
          structuredPatch: [],
          originalFile: null,
          userModified: false,
        },
        reportedBy: 'call',
      },
    });
  });

  test('returns the same events when it continues from the settled offset of any line', () => {
    const { sessionId, files } = recorded('on-screen');
    const path = files[0]?.path ?? '';
    const all = readRecorded('on-screen').events;
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    for (let first = 1; first < lines.length; first++) {
      const before = readRecorded('on-screen', { isOver: false, lines: first });
      const reader = createTranscriptReader({ sessionId, path });
      const events = [...before.events];
      let start = 0;
      for (const line of lines) {
        const end = start + Buffer.byteLength(line) + 1;
        if (start >= before.settled) events.push(...reader.read(JSON.parse(line), { start, end }));
        start = end;
      }
      events.push(...reader.finish(true));
      expect(new Set(events.map(({ key }) => key)), `from line ${first}`).toEqual(
        new Set(all.map(({ key }) => key)),
      );
    }
  });
});

describe('records of older and other clients', () => {
  const user = (content: Json, more: JsonObject = {}): JsonObject => ({
    type: 'user',
    uuid: `u${number++}`,
    message: { content },
    ...more,
  });
  const says = (...content: Json[]): JsonObject => ({
    type: 'assistant',
    uuid: `a${number++}`,
    message: { id: `m${number}`, model: 'm', content },
  });
  const words = (text: string) => ({ type: 'text', text });
  const use = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } });
  const result = (id: string, more: JsonObject = {}) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: 'out',
    ...more,
  });
  let number = 0;

  test.each<[string, Json[], string[]]>([
    [
      'no prompt ids',
      [user('one'), says(words('done')), user('two')],
      ['person: one', 'start: m', 'end: done', 'person: two'],
    ],
    ['meta lines', [user('Caveat', { isMeta: true }), user('one')], ['person: one']],
    [
      'a command without an answer',
      [user('<command-name>/model</command-name>'), user('one')],
      ['person: one'],
    ],
    [
      'a command that is answered',
      [user('<command-name>/init</command-name>\n<command-args>all of it</command-args>'), says(words('ok'))],
      ['start: m', 'person: /init all of it', 'end: ok'],
    ],
    [
      'reminders next to the words',
      [user([words('<system-reminder>x</system-reminder>'), words('one')])],
      ['person: one'],
    ],
    [
      'a subagent among the lines of its session',
      [
        user('one'),
        { ...user('look around'), isSidechain: true },
        { ...says(words('found it'), use('t1')), isSidechain: true },
        { ...user([result('t1')]), isSidechain: true },
        { ...says(words('report')), isSidechain: true },
        says(words('done')),
      ],
      ['person: one', 'Bash t1 success call', 'start: m', 'end: done'],
    ],
    [
      'several calls and results in one line',
      [user('one'), says(use('t1'), use('t2')), user([result('t2'), result('t1', { is_error: true })])],
      ['person: one', 'start: m', 'Bash t2 success call', 'Bash t1 failure call'],
    ],
    [
      'a call without a result before the next prompt',
      [user('one'), says(words('I go'), use('t1')), user('two')],
      ['person: one', 'start: m', 'Bash t1 failure batch', 'person: two'],
    ],
    ['a result of a missing call', [user([result('t9')]), says(words('done'))], ['start: m', 'end: done']],
    [
      'an error of the API',
      [user('one'), { ...says(words('API Error: 429')), isApiErrorMessage: true, error: 'rate_limit' }],
      ['person: one', 'start: m', 'end: rate_limit'],
    ],
    [
      'a refusal that is answered',
      [
        user('one'),
        says(use('t1')),
        user([
          result('t1', { is_error: true, content: "The user doesn't want to proceed with this tool use." }),
        ]),
        says(words('ok')),
      ],
      ['person: one', 'start: m', 'Bash t1 refused call', 'end: ok'],
    ],
    ['unknown kinds', [{ type: 'summary', summary: 's' }, { type: 7 }, null, [], 'x', 3], []],
  ])('%s', (_name, lines, expected) => {
    expect(readLines(lines).map(gist)).toEqual(expected);
  });

  test('reading any lines never throws', () => {
    const kind = fc.constantFrom('user', 'assistant', 'system', 'attachment', 'other');
    const block = fc.record({
      type: fc.constantFrom('text', 'tool_use', 'tool_result'),
      id: fc.jsonValue(),
      tool_use_id: fc.jsonValue(),
      text: fc.jsonValue(),
      content: fc.jsonValue(),
      name: fc.jsonValue(),
      input: fc.jsonValue(),
    });
    const line = fc.oneof(
      fc.jsonValue(),
      fc.record({
        type: kind,
        uuid: fc.jsonValue(),
        timestamp: fc.jsonValue(),
        attachment: fc.jsonValue(),
        message: fc.oneof(fc.jsonValue(), fc.record({ content: fc.oneof(fc.jsonValue(), fc.array(block)) })),
      }),
    );
    fc.assert(fc.property(fc.array(line), (lines) => void readLines(lines as Json[])));
  });
});
