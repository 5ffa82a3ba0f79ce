import { expect, test } from 'vitest';
import { distillOffline } from '../src/distill/offline/distill.ts';
import type { Turn, TurnCall } from '../src/distill/turn.ts';

/** A long turn of reads, edits, failing and passing tests, with responses of the given size. */
function longTurn(calls: number, responseSize: number): Turn {
  return {
    folder: '/home/ada/shop',
    prompt: 'the totals are wrong in every report, fix them',
    promptOrigin: 'person',
    earlierPrompts: [],
    earlierWords: '',
    changedFiles: [],
    calls: Array.from({ length: calls }, (_, index) => callNumber(index, responseSize)),
    said: [],
    reports: [],
    closingWords: `**Cause:** \`total()\` added strings. ${'It showed in another report. '.repeat(calls)}`,
    closedBy: 'turn-end',
  };
}

function callNumber(index: number, size: number): TurnCall {
  const path = `/home/ada/shop/src/report-${index}.ts`;
  const base = { event: index + 1, priority: 'normal', outcome: 'success' } as const;
  const filler = 'some line of output\n'.repeat(size / 20);
  if (index % 3 === 0) {
    const files = [{ path, how: 'read' as const }];
    const response = { type: 'text', file: { filePath: path, content: filler } };
    return { ...base, tool: 'Read', does: 'read', input: { file_path: path }, response, files };
  }
  if (index % 3 === 1) {
    const files = [{ path, how: 'write' as const }];
    const input = { file_path: path, old_string: `a${index}`, new_string: `b${index}\n${filler}` };
    return { ...base, tool: 'Edit', does: 'change', input, response: { structuredPatch: [] }, files };
  }
  const red = index % 2 === 0;
  const output = `✖ report ${index}\n${filler}\nℹ fail ${red ? 1 : 0}`;
  const command = 'npm test';
  const response = red ? `Exit code 1\n${output}` : { stdout: output, stderr: '' };
  return {
    ...base,
    outcome: red ? 'failure' : 'success',
    tool: 'Bash',
    does: 'command',
    command,
    input: { command },
    response,
    files: [],
  };
}

/** Counts the property reads on the calls of a turn, down to the fields of their inputs and responses. */
function countReads<T extends object>(value: T, count: () => void): T {
  return new Proxy(value, {
    get(target, key, receiver) {
      const found: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'string') count();
      return typeof found === 'object' && found !== null ? countReads(found, count) : found;
    },
  });
}

function countReadsOfCalls(calls: number): number {
  let reads = 0;
  const turn = longTurn(calls, 200);
  distillOffline({ ...turn, calls: turn.calls.map((call) => countReads(call, () => reads++)) });
  return reads;
}

test('reads of the calls grow linearly with the length of the turn', () => {
  const [once, twice, fourTimes] = [100, 200, 400].map(countReadsOfCalls);
  expect(twice).toBeLessThanOrEqual((once ?? 0) * 2.2);
  expect(fourTimes).toBeLessThanOrEqual((once ?? 0) * 4.4);
});

test('only the head and the tail of a long output matter', () => {
  const short = longTurn(60, 20_000);
  const long = longTurn(60, 200_000);
  expect(distillOffline(long)).toEqual(distillOffline(short));
});

test('the result stays small however long the turn is', () => {
  const sizes = [50, 400].map((calls) => {
    const { observations, summary } = distillOffline(longTurn(calls, 200));
    return {
      observations: observations.length,
      short: JSON.stringify(observations).length < 8_000,
      summary: summary !== null,
    };
  });
  expect(sizes).toEqual([
    { observations: 1, short: true, summary: true },
    { observations: 1, short: true, summary: true },
  ]);
});
