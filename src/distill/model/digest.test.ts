import { describe, expect, test } from 'vitest';
import {
  command,
  edit,
  eightSmallEdits,
  longTurn,
  read,
  turnWith,
  write,
} from '../../../test/support/turns.ts';
import type { Turn, TurnCall } from '../turn.ts';
import { ANSWER_SCHEMA } from './answer.ts';
import { digestTurn, LONGEST_DIGEST } from './digest.ts';
import { readFindings } from './findings.ts';
import { loadInstructions } from './instructions.ts';

const digest = (turn: Turn) => digestTurn(turn, readFindings(turn));
const digestOf = (...calls: TurnCall[]) => digest(turnWith({ prompt: 'Go on', closingWords: '', calls }));
const PROMPT = '## The person asks\nGo on';
const WORK = `${PROMPT}\n\n## What the agent did\n`;

describe('what was done', () => {
  const refused = { ...edit(1, 'src/a.ts', 'a', 'b'), outcome: 'refused' as const, response: 'not now' };
  const commit = command(
    1,
    'git commit -qm "fix(tax): round once" && git log --oneline -1',
    'abc1234 fix(tax): round once',
  );

  test.each<[string, TurnCall[], string]>([
    ['a small edit', [edit(1, 'src/a.ts', 'old', 'new')], 'changed src/a.ts: `old` → `new`'],
    [
      'several edits of a file are one line, with the names in it',
      [edit(1, 'src/a.ts', 'a\nb', 'function round() {\nc'), edit(2, 'src/a.ts', 'd\ne', 'f\ng')],
      'changed src/a.ts: round',
    ],
    ['a new file', [write(1, 'src/a.ts', 'one\ntwo')], 'created src/a.ts'],
    ['a refused edit', [refused], 'refused by the person: src/a.ts: not now'],
    ['reads are one line', [read(1, 'a.ts'), read(2, 'b.ts'), read(3, 'a.ts')], 'read a.ts, b.ts'],
    [
      'a failed command with what went wrong',
      [command(1, 'npm run build', 'src/a.ts\nError: Cannot find module x\n  at y', 'failure')],
      'ran npm run build → failed: Error: Cannot find module x',
    ],
    [
      'of several failures of the same thing the last',
      [
        command(1, 'npm run build', 'Error: no a here', 'failure'),
        command(2, 'npm run build', 'Error: no b here', 'failure'),
      ],
      'ran npm run build → failed: Error: no b here',
    ],
    ['a commit', [commit], 'committed abc1234: fix(tax): round once'],
  ])('%s', (_name, calls, expected) => {
    expect(digestOf(...calls)).toBe(WORK + expected);
  });

  test('files that only git saw change', () => {
    const turn = turnWith({
      prompt: 'Go on',
      closingWords: '',
      changedFiles: ['package.json', 'package-lock.json'],
    });
    expect(digest(turn)).toBe(`${WORK}also changed package.json, package-lock.json`);
  });

  test('what only looks, and housekeeping of the agent, leaves nothing', () => {
    const todo: TurnCall = {
      ...command(1, '', ''),
      tool: 'TodoWrite',
      does: 'meta',
      response: { newTodos: [] },
    };
    expect(digestOf(todo, command(2, 'ls', 'a b'))).toBe(PROMPT);
  });
});

test('an error that the person pastes is shown', () => {
  const prompt = 'Why this?\n```\nTypeError: x is not a function\n  at a.ts:3\n```\nFix it.';
  expect(digest(turnWith({ prompt, closingWords: '' }))).toBe(
    '## The person asks\nWhy this?\n\nFix it.\n\nTypeError: x is not a function\n  at a.ts:3',
  );
});

test('claims have their score and source; what says too little is left out', () => {
  const cause = '`total()` lost the cents because the discount came off after the tax was rounded.';
  const trap = 'Never round in `line()`: it runs once per item, so 3 items are 1 cent off.';
  const text = digest(turnWith({ closingWords: `${cause} ${trap} Let me know if I should go on!` }));
  const claims = /## Claims\n([\s\S]+)$/.exec(text)?.[1] ?? '';
  expect(claims.split('\n')).toEqual([
    expect.stringMatching(/^\d\.\d closing: total\(\) lost the cents/),
    expect.stringMatching(/^\d\.\d closing: Never round in line\(\):/),
  ]);
});

test('everything a turn can hold, in its order', () => {
  const turn = turnWith({
    earlierPrompts: ['one', 'two', 'three'],
    earlierWords: 'Shall I?',
    prompt: 'Yes. <system-reminder>noise</system-reminder>',
    calls: [read(1, 'a.ts')],
    closingWords: 'Done.',
    closedBy: 'session-end',
  });
  expect(digest(turn)).toBe(
    [
      '## The person asked before\ntwo\nthree',
      '## The agent had last said\nShall I?',
      '## The person asks\nYes.',
      '## What the agent did\nread a.ts',
      "## The agent's closing words\nDone.",
      '## How the turn ended\ncut off by the end of the session',
    ].join('\n\n'),
  );
});

describe('size', () => {
  const { system } = loadInstructions('/nowhere', { mode: 'code', language: '' });
  /** Four characters are taken for a token. */
  const promptTokens = (turn: Turn) =>
    Math.ceil((system.length + JSON.stringify(ANSWER_SCHEMA).length + digest(turn).length) / 4);

  test('one prompt, eight small edits, end', () => {
    expect(promptTokens(eightSmallEdits())).toBeLessThan(1_700);
  });

  const long = 'many words and 漢字 '.repeat(40_000);
  test.each<[string, Turn, number]>([
    ['an ordinary turn', longTurn(30), 6_000],
    ['a turn of 10,000 calls', longTurn(10_000), 6_000],
    ['a long prompt', turnWith({ prompt: long }), 6_000],
    ['a file of a megabyte', turnWith({ calls: [write(1, 'a.ts', long)] }), 6_000],
    ['one endless line', turnWith({ calls: [command(1, 'x'.repeat(1e6), 'y'.repeat(1e6))] }), 6_000],
    ['a hundred reports', turnWith({ reports: Array<string>(100).fill(long) }), LONGEST_DIGEST],
    [
      'everything long at once',
      { ...longTurn(2_000), prompt: long, closingWords: long, reports: [long], earlierPrompts: [long, long] },
      LONGEST_DIGEST,
    ],
  ])('%s', (_name, turn, most) => {
    expect(digest(turn).length).toBeLessThanOrEqual(most);
  });

  test('in a long turn what failed and what changed is kept', () => {
    const calls = Array.from({ length: 2_000 }, (_, at) => command(at, `echo number ${at}`, 'x'));
    calls[777] = command(777, 'npm run build', 'Error: TS2322 no', 'failure');
    calls[1_500] = edit(1_500, 'src/a.ts', 'old', 'new');
    expect(digestOf(...calls)).toBe(
      `${WORK}ran npm run build → failed: Error: TS2322 no\nchanged src/a.ts: \`old\` → \`new\``,
    );
  });

  test('the same turn gives the same digest', () => {
    expect(digest(longTurn(333))).toBe(digest(longTurn(333)));
  });
});
