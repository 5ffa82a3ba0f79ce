import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSteps, stepsOf } from './plan-steps.ts';

test.each([
  ['a numbered list', '# Plan\n1. Do this\n2. Do that', ['Do this', 'Do that']],
  ['parentheses instead of dots', '1) a b\n2) c d', ['a b', 'c d']],
  [
    'nested items are part of their parent',
    '1. First\n   - detail\n   1. deeper\n2. Second',
    ['First', 'Second'],
  ],
  [
    'code blocks contain no steps',
    '1. First\n```sh\n1. not this\n```\n2. Second\n~~~\n3. nor this\n~~~',
    ['First', 'Second'],
  ],
  ['a longer fence', '````\n```\n1. no\n```\n````\n1. yes', ['yes']],
  [
    'Markdown is removed',
    '1. **Parse** `a.ts` in [src](src/a.ts):\n2. __Test__',
    ['Parse a.ts in src', 'Test'],
  ],
  [
    'the steps section of several sections',
    '## Context\n1. it is slow\n2. it is old\n3. it is ours\n## Steps\n1. measure\n2. mend\n## Risks\n1. none',
    ['measure', 'mend'],
  ],
  ['the longest section if no heading looks like steps', '## Alpha\n1. a\n## Beta\n1. b\n2. c', ['b', 'c']],
  [
    'phases with numbers that start again',
    '## Phase 1: parser\n1. a\n2. b\n## Phase 2: tests\n1. c',
    ['a', 'b', 'c'],
  ],
  ['checkboxes if nothing is numbered', '- [ ] one\n- [x] two\n- plain', ['one', 'two']],
  ['numbered checkboxes', '1. [ ] one\n2. [x] two', ['one', 'two']],
  [
    'bullets below a heading',
    '## Why\n- because\n## Changes\n- a.ts: rename\n- b.ts: remove',
    ['a.ts: rename', 'b.ts: remove'],
  ],
  ['bullets below a bold line', '**Implementation:**\n* one\n* two', ['one', 'two']],
  ['bullets elsewhere are not steps', 'Some thoughts\n- one\n- two', []],
  [
    'headings with step numbers',
    '# Big plan\n## Step 1: parse\ntext\n## Step 2 — print\ntext',
    ['parse', 'print'],
  ],
  ['an indented list', '  1. one\n  2. two\n     - sub', ['one', 'two']],
  ['the same step twice', '1. test\n2. mend\n3. test', ['test', 'mend']],
  ['Windows line ends', '1. one\r\n2. two\r\n', ['one', 'two']],
  ['prose', 'I would rename it and be done.', []],
  ['nothing', '', []],
  ['German', '## Schritte\n- eins machen\n- zwei machen', ['eins machen', 'zwei machen']],
  ['an unclosed fence', '1. one\n```\n2. two', ['one']],
])('%s', (_, plan, steps) => {
  expect(stepsOf(plan)).toEqual(steps);
});

test('a plan may tick off finished steps', () => {
  expect(readSteps('- [x] one\n- [ ] two')).toEqual([
    { text: 'one', isDone: true },
    { text: 'two', isDone: false },
  ]);
});

test('reads at most forty steps', () => {
  const plan = Array.from({ length: 60 }, (_, at) => `${at + 1}. step number ${at}`).join('\n');
  expect(stepsOf(plan)).toHaveLength(40);
});

test('any text has non-empty, single-line steps or none', () => {
  const piece = fc.constantFrom(
    '# ',
    '## Steps',
    '\n',
    '1. ',
    '- [ ] ',
    '* ',
    '```',
    '~~~',
    ' ',
    '**',
    '[',
    '](',
    'word',
    '\t',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      const steps = stepsOf(pieces.join(''));
      return steps.every((step) => step !== '' && !step.includes('\n'));
    }),
    { numRuns: 1_000 },
  );
});
