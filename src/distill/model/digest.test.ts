import { describe, expect, test } from 'vitest';
import {
  command,
  edit,
  eightSmallEdits,
  longTurn,
  NOTHING_FOUND,
  read,
  turnWith,
  write,
} from '../../../test/support/turns.ts';
import type { Turn, TurnCall } from '../turn.ts';
import { ANSWER_SCHEMA } from './answer.ts';
import { DIGEST_LIMITS, digestTurn } from './digest.ts';
import { loadInstructions } from './instructions.ts';

const digest = (turn: Turn) => digestTurn(turn, NOTHING_FOUND);
const digestOf = (...calls: TurnCall[]) => digest(turnWith({ prompt: 'Go on', closingWords: '', calls }));
const PROMPT = '## The person asks\nGo on\n\n## What the agent did\n';

describe('one call', () => {
  const refused = { ...edit(1, 'src/a.ts', 'a', 'b'), outcome: 'refused' as const, response: 'not now' };
  const asked: TurnCall = {
    ...command(1, '', ''),
    tool: 'AskUserQuestion',
    does: 'meta',
    response: { questions: [], answers: { 'Which database?': 'SQLite' } },
  };
  const patched: TurnCall = {
    ...write(1, 'src/a.ts', 'a whole file'),
    response: { structuredPatch: [{ lines: [' far', ' near', '-old', '+new', ' near', ' far'] }] },
  };
  const without = (call: TurnCall): TurnCall => ({ ...call, response: null });

  test.each<[string, TurnCall, string]>([
    ['an edit is a diff', edit(1, 'src/a.ts', 'old', 'new'), 'changed src/a.ts\n {\n-old\n+new\n }'],
    [
      'an edit of which only its input is known',
      without(edit(1, 'src/a.ts', 'far\nsame\nold\nend', 'far\nsame\nnew\nend')),
      'changed src/a.ts\n same\n-old\n+new\n end',
    ],
    ['a rewritten file is a diff too', patched, 'changed src/a.ts\n near\n-old\n+new\n near'],
    ['a new file', write(1, 'src/a.ts', 'one\ntwo'), 'changed src/a.ts\n+one\n+two'],
    ['a refused edit', refused, 'changed src/a.ts → refused by the person\nnot now'],
    ['a read is only a name', read(1, 'src/a.ts'), 'read src/a.ts'],
    ['a command with its output', command(1, 'ls', 'a b'), 'ran ls\na b'],
    [
      'a failed command',
      command(1, 'cat /home/robin/orchard/x', 'Exit code 1\nno x', 'failure'),
      'ran cat x → failed\nExit code 1\nno x',
    ],
    ["the person's answer", asked, 'AskUserQuestion\nWhich database? → SQLite'],
    ["a subagent's call", { ...command(1, 'ls', 'a'), subagent: 'Explore' }, 'ran ls (subagent Explore)\na'],
  ])('%s', (_name, call, expected) => {
    expect(digestOf(call)).toBe(PROMPT + expected);
  });
});

test('an error that the person pastes is shown', () => {
  const prompt = 'Why this?\n```\nTypeError: x is not a function\n  at a.ts:3\n```\nFix it.';
  expect(digest(turnWith({ prompt, closingWords: '' }))).toBe(
    '## The person asks\nWhy this?\n\nFix it.\n\nTypeError: x is not a function\n  at a.ts:3',
  );
});

test('reads that follow each other stand in one line', () => {
  const calls = [read(1, 'a.ts'), read(2, 'b.ts'), read(3, 'a.ts'), command(4, 'ls', ''), read(5, 'c.ts')];
  expect(digestOf(...calls)).toBe(`${PROMPT}read a.ts, b.ts\nran ls\nread c.ts`);
});

test('housekeeping of the agent leaves nothing', () => {
  const todo: TurnCall = {
    ...command(1, '', ''),
    tool: 'TodoWrite',
    does: 'meta',
    response: { newTodos: [] },
  };
  expect(digestOf(todo)).toBe('## The person asks\nGo on');
});

test('everything a turn can hold, in its order', () => {
  const turn = turnWith({
    earlierPrompts: ['one', 'two', 'three', 'four'],
    earlierWords: 'Shall I?',
    prompt: 'Yes. <system-reminder>noise</system-reminder>',
    calls: [command(1, 'ls', '')],
    reports: ['The subagent found it.'],
    closingWords: 'Done.',
    closedBy: 'session-end',
  });
  const observation = {
    type: 'bugfix' as const,
    title: 'Tax',
    subtitle: 'in cents',
    narrative: '',
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    events: [],
  };
  expect(digestTurn(turn, { observations: [observation], summary: null })).toBe(
    [
      '## The person asked before\ntwo\nthree\nfour',
      '## The agent had last said\nShall I?',
      '## The person asks\nYes.',
      '## What the agent did\nran ls',
      '## Reports of subagents, summaries\nThe subagent found it.',
      "## The agent's closing words\nDone.",
      '## How the turn ended\ncut off by the end of the session',
      '## Draft\nbugfix: Tax (in cents)',
    ].join('\n\n'),
  );
});

describe('size', () => {
  const { system } = loadInstructions('/nowhere', { mode: 'code', language: '' });
  /** Four characters are taken for a token. */
  const promptTokens = (turn: Turn) =>
    Math.ceil((system.length + JSON.stringify(ANSWER_SCHEMA).length + digest(turn).length) / 4);

  test('one prompt, eight small edits, end: at most 4,000 tokens', () => {
    expect(promptTokens(eightSmallEdits())).toBeLessThan(2_000);
  });

  test('grows with the turn no faster than the turn, up to a limit', () => {
    const [fifty = 0, hundred = 0, twoHundred = 0, fourHundred = 0] = [50, 100, 200, 400].map(
      (calls) => digest(longTurn(calls)).length,
    );
    expect(hundred).toBeGreaterThan(fifty);
    expect(twoHundred).toBeGreaterThan(hundred);
    expect(hundred / fifty).toBeLessThanOrEqual(2);
    expect(twoHundred / hundred).toBeLessThanOrEqual(2);
    expect(fourHundred / twoHundred).toBeLessThanOrEqual(2);
    expect(fourHundred).toBeLessThanOrEqual(DIGEST_LIMITS.most);
    for (const calls of [300, 600, 1_000, 3_000]) {
      expect(digest(longTurn(calls)).length / fourHundred).toBeGreaterThan(0.9);
    }
  });

  const long = 'many words and 漢字 '.repeat(40_000);
  test.each<[string, Turn, number]>([
    ['an ordinary turn', longTurn(30), DIGEST_LIMITS.ordinary],
    ['a turn of 10,000 calls', longTurn(10_000), DIGEST_LIMITS.most],
    ['a long prompt', turnWith({ prompt: long }), DIGEST_LIMITS.ordinary],
    ['a file of a megabyte', turnWith({ calls: [write(1, 'a.ts', long)] }), DIGEST_LIMITS.ordinary],
    [
      'one endless line',
      turnWith({ calls: [command(1, 'x'.repeat(1e6), 'y'.repeat(1e6))] }),
      DIGEST_LIMITS.ordinary,
    ],
    ['a hundred reports', turnWith({ reports: Array<string>(100).fill(long) }), DIGEST_LIMITS.ordinary],
    [
      'everything long at once',
      {
        ...longTurn(2_000),
        prompt: long,
        closingWords: long,
        reports: [long],
        earlierWords: long,
        earlierPrompts: [long, long],
      },
      DIGEST_LIMITS.most,
    ],
  ])('%s', (_name, turn, most) => {
    expect(digest(turn).length).toBeLessThanOrEqual(most);
  });

  test('in a long turn what failed and what changed is kept, the rest thinned out over its whole length', () => {
    const calls = Array.from({ length: 2_000 }, (_, at) => command(at, `echo number ${at}`, 'x'));
    calls[777] = command(777, 'npm run build', 'error TS2322: no', 'failure');
    calls[1_500] = edit(1_500, 'src/a.ts', 'old', 'new');
    const text = digestOf(...calls);
    expect(text).toContain('ran npm run build → failed\nerror TS2322: no');
    expect(text).toContain('changed src/a.ts\n {\n-old\n+new\n }');
    const shown = [...text.matchAll(/number (\d+)/g)].map(([, number]) => Number(number));
    expect(shown.length).toBeGreaterThan(300);
    const perQuarter = [0, 500, 1_000, 1_500].map(
      (from) => shown.filter((at) => at >= from && at < from + 500).length,
    );
    expect(Math.max(...perQuarter) - Math.min(...perQuarter)).toBeLessThanOrEqual(2);
  });

  test('the same turn gives the same digest', () => {
    expect(digest(longTurn(333))).toBe(digest(longTurn(333)));
  });
});
