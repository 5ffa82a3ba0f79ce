import { expect, test } from 'vitest';
import { createProgressLine, formatProgress } from './progress.ts';

test.each<[string, Parameters<typeof formatProgress>[0], number, string]>([
  ['at the start', { done: 0, all: 100, items: 0 }, 0, '0 %  0 events  0/s'],
  ['half way', { done: 50, all: 100, items: 500 }, 10, '50 %  500 events  50/s  10 s left'],
  ['slow', { done: 1, all: 100, items: 1 }, 10, '1 %  1 events  0/s  17 min left'],
  ['very slow', { done: 1, all: 1_000, items: 1 }, 10, '0 %  1 events  0/s  2 h 47 min left'],
  ['at the end', { done: 100, all: 100, items: 7 }, 2, '100 %  7 events  4/s'],
  ['nothing to do', { done: 0, all: 0, items: 0 }, 1, '100 %  0 events  0/s'],
])('%s', (_name, progress, seconds, line) => {
  expect(formatProgress(progress, seconds, 'events')).toBe(line);
});

function shown(isTerminal: boolean, times: number[]): string[] {
  const written: string[] = [];
  let at = 0;
  const line = createProgressLine(
    { isTerminal, width: 60, write: (text) => void written.push(text), now: () => at },
    'events',
  );
  for (const time of times) {
    at = time;
    line.show({ done: time, all: 20_000, items: time });
  }
  line.clear();
  return written;
}

test('on a terminal draws a bar over the previous one, but not too often', () => {
  expect(shown(true, [0, 50, 10_000])).toEqual([
    '\r\u001b[K░░░░░░░░░░░░░░░░░░░░░░░░ 0 %  0 events  0/s',
    '\r\u001b[K████████████░░░░░░░░░░░░ 50 %  10000 events  1000/s  10 s l',
    '\r\u001b[K',
  ]);
});

test('elsewhere prints a plain line every few seconds', () => {
  expect(shown(false, [0, 1_000, 6_000, 7_000])).toEqual(['30 %  6000 events  1000/s  14 s left\n']);
});
