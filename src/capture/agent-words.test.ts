import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import type { JsonObject } from '../model/json.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import type { StoredTurn } from '../store/types/memory.ts';
import { readTurnWords } from './agent-words.ts';
import { pause, unpause } from './pauses.ts';

const START = Date.UTC(2026, 10, 16, 12);
let paths: Paths;
let transcript: string;

beforeEach(() => {
  paths = pathsOf(tempFolder());
  transcript = join(tempFolder(), 'session.jsonl');
});

test('returns the words before each call and after the last one', () => {
  write(
    answer(1, [text('The pipe hides the exit code.'), call('a')]),
    answer(2, [text('Green now.'), call('b'), call('c')]),
    answer(3, [text('Done.')]),
  );
  const { words, calls } = readTurnWords(paths, turn());
  expect(words).toEqual([
    { text: 'The pipe hides the exit code.', nextCall: 'a' },
    { text: 'Green now.', nextCall: 'b' },
    { text: 'Done.', nextCall: null },
  ]);
  expect([...calls]).toEqual(['a', 'b', 'c']);
});

test('leaves out other turns, subagents and API errors', () => {
  write(
    answer(-60, [text('An earlier turn.')]),
    answer(1, [text('This turn.'), call('a')]),
    { ...answer(2, [text('A subagent.')]), isSidechain: true },
    { ...answer(3, [text('API Error')]), isApiErrorMessage: true },
    answer(70, [text('A later turn.')]),
  );
  expect(textsIn(turn({ nextOpenedAt: START + 60_000 }))).toEqual(['This turn.']);
});

test('removes secrets and private parts', () => {
  write(
    answer(1, [
      text('The key is sk_live_a1B2c3D4e5F6g7H8i9J0kLmN. <private>our salary</private>'),
      call('a'),
    ]),
  );
  const words = textsIn(turn()).join();
  expect(words).toContain('[redacted:');
  expect(words).not.toMatch(/sk_live|salary/);
});

test('leaves out words from a pause', () => {
  pause(paths, { all: true }, START + 2_000);
  unpause(paths, { all: true }, START + 4_000);
  write(
    answer(1, [text('Before.'), call('a')]),
    answer(3, [text('Meanwhile.'), call('b')]),
    answer(5, [text('After.'), call('c')]),
  );
  expect(textsIn(turn())).toEqual(['Before.', 'After.']);
});

test('finds the words at the end of a long transcript', () => {
  const filler = answer(-3_600, [text('x'.repeat(100_000))]);
  write(...Array.from({ length: 40 }, () => filler), answer(1, [text('At the end.'), call('a')]));
  expect(textsIn(turn())).toEqual(['At the end.']);
});

/** Turns of a person, or a script, that types the next prompt at once. */
const QUICK_TURNS = [
  prompt(-0.3, 'p1'),
  answer(-0.25, [text('I look.'), call('a')]),
  answer(-0.2, [text('The port is 5433.')]),
  prompt(-0.15, 'p2'),
  answer(-0.1, [text('Two before.')]),
  prompt(-0.05, 'p3'),
  answer(0.01, [text('I read it.'), call('b')]),
  answer(0.02, [text('The end of three.')]),
  prompt(0.03, 'p4'),
  answer(0.04, [text('A later turn.'), call('c')]),
];

test('assigns the words of quick turns by the prompts between them', () => {
  write(...QUICK_TURNS);
  expect(readTurnWords(paths, turn({ promptIds: ['p3'] }))).toEqual({
    words: [
      { text: 'I read it.', nextCall: 'b' },
      { text: 'The end of three.', nextCall: null },
    ],
    calls: new Set(['b']),
  });
  expect(textsIn(turn({ promptIds: ['p1'], openedAt: START - 290, nextOpenedAt: START - 140 }))).toEqual([
    'I look.',
    'The port is 5433.',
  ]);
  // A turn of two prompts.
  expect(textsIn(turn({ promptIds: ['p2', 'p3'], openedAt: START - 140 }))).toEqual([
    'Two before.',
    'I read it.',
    'The end of three.',
  ]);
});

test('assigns the words of quick turns by time if prompts have no ids', () => {
  write(...QUICK_TURNS.map(({ promptId: _, ...line }) => line));
  expect(readTurnWords(paths, turn({ nextOpenedAt: START + 35 })).words).toEqual([
    { text: 'I read it.', nextCall: 'b' },
    { text: 'The end of three.', nextCall: null },
  ]);
});

test('finds the words of a turn whose hook was slow', () => {
  write(prompt(-5, 'p1'), answer(-4, [text('I read it.'), call('a')]), answer(1, [text('Done.')]));
  expect(textsIn(turn({ promptIds: ['p1'] }))).toEqual(['I read it.', 'Done.']);
});

test('a prompt sent while the agent works does not part words from their call', () => {
  const queued = {
    type: 'attachment',
    timestamp: timeAt(2),
    attachment: { type: 'queued_command', prompt: 'and b' },
  };
  write(prompt(-0.1, 'p1'), answer(1, [text('I read it.')]), queued, answer(3, [call('a')]));
  expect(readTurnWords(paths, turn({ promptIds: ['p1'] })).words).toEqual([
    { text: 'I read it.', nextCall: 'a' },
  ]);
});

test('without prompts in the transcript, leaves out the closing words of the turn before', () => {
  write(answer(0.1, [text('The port is 5433.')]), answer(1, [text('I read it.'), call('a')]));
  expect(textsIn(turn({ earlierWords: 'Found it. The port is 5433.' }))).toEqual(['I read it.']);
});

test.each<[string, Partial<StoredTurn>]>([
  ['no transcript', { transcript: null }],
  ['a missing transcript', { transcript: '/nowhere/session.jsonl' }],
  ['a transcript that is a folder', { transcript: '/' }],
  ['a transcript that is a device', { transcript: '/dev/null' }],
  ['a transcript path with a NUL', { transcript: '/nowhere/a\0b.jsonl' }],
  ['an agent without transcripts', { agent: 'raw' }],
])('returns no words for %s', (_name, parts) => {
  expect(readTurnWords(paths, turn(parts))).toEqual({ words: [], calls: new Set() });
});

function textsIn(storedTurn: StoredTurn): string[] {
  return readTurnWords(paths, storedTurn).words.map((words) => words.text);
}

function turn(parts: Partial<StoredTurn> = {}): StoredTurn {
  return {
    ...{ id: 1, sessionId: 1, agent: 'claude-code', agentSession: 'session', transcript, project: 'shop' },
    ...{
      folder: null,
      branch: null,
      closedBy: 'turn-end',
      hasClosingWords: true,
      nextOpenedAt: null,
      openedAt: START,
      lastAt: START,
    },
    ...{ prompts: [], promptIds: [], earlierPrompts: [], earlierWords: '' },
    ...parts,
  };
}

function write(...lines: JsonObject[]): void {
  writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function answer(seconds: number, content: JsonObject[]): JsonObject {
  return { type: 'assistant', timestamp: timeAt(seconds), message: { content } };
}

function prompt(seconds: number, promptId: string): JsonObject {
  return { type: 'user', timestamp: timeAt(seconds), promptId, message: { content: `prompt ${promptId}` } };
}

function timeAt(seconds: number): string {
  return new Date(START + seconds * 1_000).toISOString();
}

function text(words: string): JsonObject {
  return { type: 'text', text: words };
}

function call(id: string): JsonObject {
  return { type: 'tool_use', id, name: 'Bash', input: {} };
}
