import fc from 'fast-check';
import { expect, test } from 'vitest';
import { called, edited, failed, ran, read, turnOf } from '../../../test/support/made-up-turn.ts';
import type { Json } from '../../model/json.ts';
import type { Turn, TurnCall } from '../turn.ts';
import { distillOffline } from './distill.ts';

test.each([
  ['thanks', { prompt: 'thanks!!', closingWords: "You're welcome! Have a nice day." }],
  ['ok', { prompt: 'ok', closingWords: 'Anything else?' }],
  [
    'a greeting',
    { prompt: 'hello, are you there?', closingWords: 'Hello! Yes, I am here. What can I do for you?' },
  ],
  [
    'a mere listing',
    {
      prompt: 'which files are here?',
      calls: [ran('git ls-files', 'a.md')],
      closingWords: 'There is one file: `a.md`.',
    },
  ],
  ['a command for the agent', { prompt: '/compact', reports: ['1. Primary Request and Intent: fix it'] }],
  ['nothing at all', {}],
])('leaves nothing: %s', (_name, parts) => {
  expect(distillOffline(turnOf(parts))).toEqual({ observations: [], summary: null });
});

test.each([
  [
    'cut off',
    { prompt: 'run the backfill', calls: [ran('node backfill.mjs')], closedBy: 'gap' as const },
    'Unfinished: the turn was cut off after `node backfill.mjs`.',
  ],
  [
    'left red',
    {
      prompt: 'add paging',
      calls: [edited('a.ts', 'a', 'b'), failed('npm test', '✖ last page')],
      closingWords: 'Not there yet, sadly.',
    },
    'Not there yet, sadly. `npm test` was still red: last page.',
  ],
  [
    'open tasks',
    {
      prompt: 'add paging',
      calls: [
        edited('a.ts', 'a', 'b'),
        called('TodoWrite', { todos: [{ content: 'Docs', status: 'pending' }] }),
      ],
      closingWords: 'I added `page()` to `a.ts`.',
    },
    'Open task: Docs.',
  ],
  [
    'whose last sentence announces them',
    {
      prompt: 'Throttle the login of the shop: answer 429 after five attempts',
      calls: [edited('login.ts', '401', '429')],
      closingWords:
        'The login answers 429 after five attempts now. Next: write a test for the sixth attempt.',
    },
    'Next: write a test for the sixth attempt.',
  ],
])('next steps of a turn %s', (_name, parts, expected) => {
  expect(distillOffline(turnOf(parts)).summary?.nextSteps).toBe(expected);
});

test('the sections of a compaction stand for the closing words that were cut', () => {
  const turn = turnOf({
    prompt: 'make the importer stream',
    calls: [edited('src/import.ts', 'readFile(path)', 'createReadStream(path)')],
    reports: [
      '1. Primary Request and Intent:\n   make it stream\n\n5. Problem Solving:\n   `readFile` fails above 2 GB because buffers end there\n\n7. Pending Tasks:\n   - test with a large file',
    ],
    closedBy: 'compaction',
  });
  expect(distillOffline(turn).summary).toEqual({
    request: 'make the importer stream',
    investigated: '',
    learned: 'readFile fails above 2 GB because buffers end there.',
    completed: 'src/import.ts: `readFile(path)` became `createReadStream(path)`.',
    nextSteps: 'test with a large file.',
    notes: '',
    filesRead: [],
    filesModified: ['src/import.ts'],
  });
});

test('no mark of something removed becomes a title', () => {
  const turn = turnOf({
    prompt: '[redacted:api-key] [private]',
    calls: [read('a.ts'), edited('a.ts', 'x', 'y')],
    closingWords: '[redacted:api-key]',
  });
  const titles = distillOffline(turn).observations.map(({ title }) => title);
  expect(titles.filter((title) => /\[(redacted|private)/.test(title))).toEqual([]);
});

const json = fc.jsonValue() as fc.Arbitrary<Json>;
const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          'I fixed `a.ts`',
          '**Cause:**',
          'because',
          '\n\n',
          '- ',
          '## ',
          '`',
          '**',
          '|',
          '```\n',
          '。',
          '? ',
          '. ',
          ':',
          '<system-reminder>',
        ],
        ...[
          'always use',
          'no, ',
          'rather than',
          "What's left:",
          '原因',
          'Ursache',
          '[private]',
          '1. ',
          '(',
          '__',
          'git commit -m "',
          "'",
          '\\',
        ],
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join('')),
);
const call: fc.Arbitrary<TurnCall> = fc.record(
  {
    event: fc.nat(),
    tool: fc.oneof(fc.constantFrom('Bash', 'Edit', 'Write', 'AskUserQuestion', 'TodoWrite'), fc.string()),
    does: fc.constantFrom('change', 'command', 'read', 'search', 'delegate', 'web', 'meta', 'other'),
    outcome: fc.constantFrom('success', 'failure', 'refused'),
    priority: fc.constantFrom('high', 'normal', 'low'),
    input: fc.oneof(
      json,
      fc.record({ old_string: words, new_string: words }),
      fc.record({ content: words }),
      fc.record({ edits: fc.array(json), todos: fc.array(json), answers: json }),
    ),
    response: fc.oneof(json, words, fc.record({ stdout: words }), fc.record({ structuredPatch: json })),
    files: fc.array(fc.record({ path: fc.string(), how: fc.constantFrom('read', 'write') }), {
      maxLength: 3,
    }),
    command: fc.oneof(
      words,
      fc.constantFrom('npm test', 'npm install a', 'git checkout -- .', 'git commit -m "a"'),
    ),
  },
  { requiredKeys: ['event', 'tool', 'does', 'outcome', 'priority', 'input', 'response', 'files'] },
) as fc.Arbitrary<TurnCall>;
const anyTurn: fc.Arbitrary<Turn> = fc.record({
  folder: fc.constantFrom('', '/', '/home/ada/shop'),
  prompt: words,
  promptOrigin: fc.constantFrom('person', 'machine'),
  earlierPrompts: fc.array(words, { maxLength: 3 }),
  earlierWords: words,
  calls: fc.array(call, { maxLength: 12 }),
  said: fc.array(fc.record({ text: words, place: fc.nat(12) }), { maxLength: 4 }),
  changedFiles: fc.array(words, { maxLength: 3 }),
  reports: fc.array(words, { maxLength: 3 }),
  closingWords: words,
  closedBy: fc.constantFrom('turn-end', 'prompt', 'compaction', 'session-end', 'gap'),
}) as fc.Arbitrary<Turn>;

test('whatever the turn is: it does not throw, is repeatable, stays short and leaves the turn as it was', () => {
  fc.assert(
    fc.property(anyTurn, (turn) => {
      const before = JSON.stringify(turn);
      const first = distillOffline(turn);
      expect(distillOffline(structuredClone(turn))).toEqual(first);
      expect(JSON.stringify(turn)).toBe(before);
      expect(first.observations.length).toBeLessThanOrEqual(9);
      for (const { title, facts } of first.observations) {
        expect(title.trim()).not.toBe('');
        expect(title.length).toBeLessThanOrEqual(200);
        expect(facts.length).toBeLessThanOrEqual(7);
      }
    }),
    { numRuns: 400 },
  );
});

test.each([' ', '\n', '[', '__a ', '**a ', '`', '|', '。', '<<A\n', 'PORT=1 ', '<system-reminder>', 'I '])(
  'a text of nothing but %j comes to an end',
  (mark) => {
    const text = `${mark.repeat(40_000)}x`;
    const calls = [
      failed(`npm test ${text}`, text),
      edited('package.json', 'a', text),
      ran(`git commit ${text}`, text),
    ];
    const turn = turnOf({ prompt: text, earlierWords: text, reports: [text], closingWords: text, calls });
    expect(distillOffline(turn).observations.length).toBeLessThanOrEqual(9);
  },
);
