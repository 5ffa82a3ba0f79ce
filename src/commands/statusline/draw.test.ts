import { expect, test } from 'vitest';
import { widthOf } from '../support/columns.ts';
import { drawLine, type StatusFacts } from './draw.ts';

const known: StatusFacts = {
  model: 'Opus 5.5',
  left: 62,
  work: { name: 'orchard-irrigation-valves', done: 3, tasks: 7 },
  memory: { count: 1234 },
};

test.each([
  {
    columns: 100,
    line: 'Opus 5.5 · ████░░░░░░ 62% left · orchard-irrigation-valves 3/7 · cairn 1,234, see: cairn open',
  },
  { columns: 70, line: 'Opus 5.5 · 62% left · orchard-irrigation-valves 3/7 · cairn 1,234' },
  { columns: 60, line: 'Opus 5.5 · 62% left · orchard-irrigat… 3/7 · cairn 1,234' },
  { columns: 50, line: '62% left · orchard-irrigat… 3/7 · cairn 1,234' },
  { columns: 30, line: '62% left · cairn 1,234' },
  { columns: 10, line: '62% left …' },
])('$columns columns', ({ columns, line }) => {
  expect(drawLine(known, columns, false)).toBe(line);
  expect(widthOf(line)).toBeLessThanOrEqual(columns);
});

test.each([
  { name: 'nothing is known', known: { memory: 'unknown' as const }, line: 'cairn' },
  { name: 'paused', known: { ...known, memory: 'paused' as const }, line: /· cairn paused$/ },
  { name: 'trouble', known: { memory: 'trouble' as const }, line: 'cairn: problem, run cairn doctor' },
  {
    name: 'a work without tasks',
    known: { work: { name: 'pruning', done: 0, tasks: 0 }, memory: { count: 0 } },
    line: 'pruning · cairn 0',
  },
  { name: 'a full window', known: { left: 0, memory: { count: 1 } }, line: '██████████ 0% left · cairn 1' },
  {
    name: 'a name with control characters',
    known: { model: 'x\u001b[31m\ny', memory: 'unknown' as const },
    line: 'x [31m y · cairn',
  },
])('$name', ({ known: what, line }) => expect(drawLine(what, 100, false)).toMatch(line));

test.each([
  { left: 62, colour: 32 },
  { left: 30, colour: 33 },
  { left: 10, colour: 31 },
])('colours $left% left', ({ left, colour }) => {
  expect(drawLine({ ...known, left }, 100, true)).toContain(`\u001b[${colour}m`);
});
