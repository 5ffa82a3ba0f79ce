import { describe, expect, it, test } from 'vitest';
import type { StoredMemory } from '../store/types/memory.ts';
import { formatForm, parseForm } from './edit-form.ts';

const memory = {
  title: 'Round half to even',
  type: 'decision',
  scope: 'project',
  aliases: ['banker', 'rounding mode'],
  subtitle: '',
  narrative: 'Banks do so.\n\n## Why\n\nBecause: fair.',
  facts: ['`round()` is in src/money.ts', 'two lines\nof one fact'],
  parts: null,
} as unknown as StoredMemory;

const summary = {
  ...memory,
  type: null,
  narrative: '',
  facts: [],
  parts: {
    request: 'round it',
    investigated: '',
    learned: 'Banks round to even.',
    completed: '',
    nextSteps: '',
    notes: '',
    filesRead: ['a'],
    filesModified: [],
  },
} as unknown as StoredMemory;

describe('the form', () => {
  it('reads like a page', () => {
    expect(
      formatForm(memory),
    ).toBe(`<!-- Change what you like, save and close. The title is the line with #; headings stay as they are. -->

# Round half to even

type: decision
scope: project
aliases: banker, rounding mode

## Subtitle

## Text

Banks do so.

## Why

Because: fair.

## Facts

- \`round()\` is in src/money.ts
- two lines
  of one fact
`);
  });

  const withHeadings = 'Before.\n\n## Notes\n- keep this\n\n## Facts\n\n\\## Facts\nAfter.';
  it.each([
    ['an observation', memory],
    ['a summary', summary],
    ['a text with headings of the form', { ...memory, narrative: withHeadings }],
    [
      'a summary with headings of the form',
      { ...summary, parts: { ...summary.parts, learned: withHeadings } } as StoredMemory,
    ],
  ])('of %s, read back, changes nothing', (_, each) => {
    const { title, type, scope, aliases, subtitle, narrative, facts, parts } = each;
    const expected = parts
      ? { title, scope, aliases, parts }
      : { title, type, scope, aliases, subtitle, narrative, facts };
    expect(parseForm(formatForm(each), each)).toEqual(expected);
    expect(parseForm(formatForm(each).replaceAll('\n', '\r\n'), each)).toEqual(expected);
  });
});

test.each([
  ['a title', '# Round half to even', '# Round up', { title: 'Round up' }],
  ['no type', 'type: decision', 'type:', { type: null }],
  ['a type', 'type: decision', 'type: gotcha', { type: 'gotcha' }],
  ['a scope', 'scope: project', 'scope: global', { scope: 'global' }],
  ['no aliases', 'aliases: banker, rounding mode', '', { aliases: [] }],
  ['a text', 'Banks do so.', 'They do.', { narrative: 'They do.\n\n## Why\n\nBecause: fair.' }],
  ['facts without dashes', /## Facts[\s\S]*/, '## Facts\n\nonly this', { facts: ['only this'] }],
  ['a section taken out', /## Facts[\s\S]*/, '', { facts: [] }],
])('takes %s', (_, from, to, expected) => {
  expect(parseForm(formatForm(memory).replace(from, to), memory)).toMatchObject(expected);
});

test.each([
  ['no title', '# Round half to even', 'Round', 'The title is missing: a line that begins with "# ".'],
  ['an unknown type', 'type: decision', 'type: rule', /^There is no type rule\. Types: none, preference, /],
  ['an unknown scope', 'scope: project', 'scope: all', 'The scope is project or global, not all.'],
])('explains %s', (_, from, to, problem) => {
  const expected = problem instanceof RegExp ? expect.stringMatching(problem) : problem;
  expect(parseForm(formatForm(memory).replace(from, to), memory)).toEqual({ problem: expected });
});
