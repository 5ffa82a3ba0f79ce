import { expect, test } from 'vitest';
import { called, edited, failed, ran, read, turnOf, wrote } from '../../../../test/support/made-up-turn.ts';
import { distillOffline } from '../distill.ts';

type Parts = Parameters<typeof turnOf>[0];

const redThenGreen = [
  failed('npm test', '✖ seven nights (1ms)\n  AssertionError: 6 !== 7\n    at run (a.js:1:2)'),
  read('src/nights.js'),
  edited('src/nights.js', 'return Math.floor(days);', 'return Math.round(days);', ['function nights() {']),
  ran('npm test', 'ℹ fail 0'),
];

const cases: [name: string, turn: Parts, expected: string[]][] = [
  [
    'red, edit, green is a bugfix',
    {
      prompt: 'why is the test red?',
      calls: redThenGreen,
      closingWords: '**Fix:** `Math.round` instead of `Math.floor` in `nights()`.',
    },
    ['bugfix: Math.round instead of Math.floor in nights()'],
  ],
  [
    'the same with no words at all',
    { prompt: 'tests', calls: redThenGreen },
    ['bugfix: Red test fixed: seven nights'],
  ],
  [
    'red on the way to a feature is none',
    {
      prompt: 'add rounding',
      calls: [
        wrote('test/a.test.js', 'x'),
        failed('npm test'),
        edited('src/a.js', 'a', 'b'),
        ran('npm test'),
      ],
      closingWords: 'I added rounding to `total()` in `src/a.js`.',
    },
    ['feature: Added rounding to total() in src/a.js'],
  ],
  [
    'many related edits are one refactoring',
    {
      prompt: 'rename getUser to findUser everywhere',
      calls: ['a', 'b', 'c', 'd'].map((name) => edited(`src/${name}.ts`, 'getUser', 'findUser')),
      closingWords: 'Renamed `getUser` to `findUser` in four files.',
    },
    ['refactor: Renamed getUser to findUser in four files'],
  ],
  [
    'a commit completes the work of its turn',
    {
      prompt: 'fix the rounding and commit',
      calls: [...redThenGreen, ran('git commit -am "fix: round nights"', '[main abc1234] fix: round nights')],
      closingWords: 'Fixed and committed.',
    },
    ['bugfix: Round nights'],
  ],
  [
    'a commit alone is a change',
    {
      prompt: 'commit it',
      calls: [ran('git commit -m "Add paging"', '[main abc1234] Add paging')],
      closingWords: 'Committed.',
    },
    ['change: Add paging'],
  ],
  [
    'an install',
    { prompt: 'we need zod', calls: [ran('pnpm add zod')], closingWords: 'Done.' },
    ['change: Installed zod'],
  ],
  [
    'a config',
    {
      prompt: 'raise the timeout to 120 s',
      calls: [edited('config/production.json', '"timeoutMs": 30000', '"timeoutMs": 120000')],
      closingWords: '`timeoutMs` in `config/production.json` is 120000 now.',
    },
    ['change: timeoutMs in config/production.json is 120000 now'],
  ],
  [
    'a decision beside a feature',
    {
      prompt: 'add a cache',
      calls: [wrote('src/cache.ts', 'export class Cache {}')],
      closingWords:
        'I added `Cache` in `src/cache.ts`.\n\nI went with an LRU rather than a TTL, because entries never expire here.',
    },
    [
      'feature: Added Cache in src/cache.ts',
      'decision: LRU rather than a TTL, because entries never expire here',
    ],
  ],
  [
    'the person decides',
    { prompt: 'we go with sqlite. nobody here wants to run a server', closingWords: 'Understood.' },
    ['decision: We go with sqlite'],
  ],
  [
    'the person answers a question',
    { prompt: 'add auth', calls: [called('AskUserQuestion', {}, { answers: { 'Which method?': 'JWT' } })] },
    ['decision: JWT (Which method?)'],
  ],
  [
    'a named trap',
    {
      prompt: 'add a config',
      calls: [wrote('site.config.cjs', 'x'), edited('src/b.js', 'a', 'b')],
      closingWords:
        'The build reads `site.config.cjs`.\n\n**Gotcha:** the config must end in `.cjs`, the package is a module.',
    },
    [
      'feature: The build reads site.config.cjs',
      'gotcha: The config must end in .cjs, the package is a module',
    ],
  ],
  [
    'a command that only works in another form',
    {
      prompt: 'start the server',
      calls: [failed('npm run dev', 'Error: listen EADDRINUSE :::3000'), ran('PORT=3001 npm run dev', 'ok')],
      closingWords:
        'Port 3000 is taken, so `npm run dev` fails with EADDRINUSE; use `PORT=3001 npm run dev`.',
    },
    ['gotcha: Port 3000 is taken'],
  ],
  [
    'a failed command nobody speaks of',
    {
      prompt: 'start the server',
      calls: [failed('npm run dev'), ran('npm run dev -- --host', 'ok')],
      closingWords: 'It runs.',
    },
    [],
  ],
  [
    'a dead end',
    {
      prompt: 'can we use structuredClone?',
      calls: [
        edited('src/a.js', 'a', 'b'),
        failed('npm test', 'Error: could not be cloned'),
        ran('git checkout -- src/a.js'),
      ],
      closingWords:
        'No, so I put everything back. `structuredClone` throws on functions, and every rule in `src/a.js` has one.',
    },
    ['gotcha: structuredClone throws on functions, and every rule in src/a.js has one'],
  ],
  [
    'a commit taken back, with the reason',
    {
      prompt: 'the index locked the table, revert that commit',
      calls: [ran('git revert --no-edit abc1234', '[main def5678] Revert "Index bookings"')],
      closingWords:
        'Reverted in `def5678`. The reason for the lock: a plain `CREATE INDEX` blocks all writes until it is built.',
    },
    ['gotcha: A plain CREATE INDEX blocks all writes until it is built'],
  ],
  [
    'a commit taken back without a word',
    {
      prompt: 'revert that commit',
      calls: [ran('git revert --no-edit abc1234', '[main def5678] Revert "Index bookings"')],
      closingWords: 'Reverted.',
    },
    ['change: Revert "Index bookings"'],
  ],
  [
    'the person changes their mind',
    {
      prompt: "I don't want sync.Once after all, it can't be reset. use a plain mutex instead",
      calls: [edited('config/load.go', 'once.Do(', 'mu.Lock()')],
      closingWords: '`Load` holds a mutex now.',
    },
    ['change: Load holds a mutex now (config/load.go)', 'decision: Use a plain mutex instead of sync.Once'],
  ],
  [
    'the person picks an option',
    {
      prompt: '2 please',
      earlierWords:
        'Two ways:\n\n1. Keep one list\n2. Keep a second list for places that are no stations\n\nI would take 2, since riders see the first.',
      closingWords: 'Understood.',
    },
    ['decision: Keep a second list for places that are no stations'],
  ],
  [
    'what the agent left alone is no decision',
    {
      prompt: 'fix the list',
      calls: [edited('src/list.js', 'a', 'b')],
      closingWords:
        '`list()` is sorted now.\n\nThe export has the same fault. I left it alone since you only asked about the list.',
    },
    ['bugfix: list() is sorted now (src/list.js)'],
  ],
  [
    'no item of a long list is the title of the whole',
    {
      prompt: 'Please move the Money type to packages/core',
      calls: ['a', 'b', 'c'].map((name) => edited(`src/${name}.ts`, 'old', 'new')),
      closingWords:
        'The move is complete:\n\n1. Moved `a.ts` to core.\n2. Exported it from `b.ts`.\n3. Replaced the import in `c.ts`.',
    },
    ['refactor: Move the Money type to packages/core (src/a.ts)'],
  ],
  [
    'a typo',
    {
      prompt: 'there is a typo in the readme. fix that',
      calls: [edited('README.md', 'Recieves', 'Receives')],
      closingWords: 'Fixed.',
    },
    ['change: README.md: `Recieves` became `Receives`'],
  ],
  [
    'a question answered by reading',
    {
      prompt: 'how long does a worker hold a job?',
      calls: [read('src/claim.js')],
      closingWords: '`claim()` gives a lease of 90 seconds. `renew()` extends it every 30 seconds.',
    },
    ['how-it-works: How long does a worker hold a job? claim() gives a lease of 90 seconds'],
  ],
  [
    'an investigation with a negative result',
    {
      prompt: 'check whether src/bus.js leaks',
      calls: [read('src/bus.js'), ran('node rounds.mjs', '0 left')],
      closingWords: 'The leak is not in `src/bus.js`: after 2000 rounds 0 listeners are left.',
    },
    ['discovery: The leak is not in src/bus.js: after 2000 rounds 0 listeners are left'],
  ],
  [
    'a finding beside the work',
    {
      prompt: 'fix the export',
      calls: [edited('src/csv.js', 'a', 'b')],
      closingWords:
        '`csv()` doubles quotes now.\n\nI noticed a second writer, `ledgerCsv()` in `src/ledger.js`. It quotes nothing.',
    },
    [
      'bugfix: csv() doubles quotes now (src/csv.js)',
      'discovery: Noticed a second writer, ledgerCsv() in src/ledger.js',
    ],
  ],
  [
    'a subagent’s report when the turn was cut off',
    {
      prompt: 'find what writes csv',
      calls: [read('src/csv.js')],
      reports: ['`csv()` in `src/csv.js` does not double quotes, because it uses `join`.'],
      closedBy: 'gap',
    },
    ['discovery: csv() in src/csv.js does not double quotes, because it uses join'],
  ],
];

test.each(cases)('%s', (_name, turn, expected) => {
  const { observations } = distillOffline(turnOf(turn));
  expect(observations.map(({ type, title }) => `${type}: ${title}`)).toEqual(expected);
});

test.each([
  ['no, always use pnpm', 'Always use pnpm'],
  ['please never touch src/generated', 'Never touch src/generated'],
  ["don't use default exports again", "Don't use default exports again"],
  ['from now on run only the tests of the package', 'From now on run only the tests of the package'],
  ['I prefer small commits', 'I prefer small commits'],
  ['no, we use tabs here', 'We use tabs here'],
  [
    'please use workspace:* for our own packages, not file: paths',
    'Use workspace:* for our own packages, not file: paths',
  ],
  ["and don't put build output into git", "Don't put build output into git"],
  ['Und ab jetzt bitte Grenzwerte nie fest im Code', 'Ab jetzt bitte Grenzwerte nie fest im Code'],
  ['Nein, schreib Kommentare immer auf Deutsch.', 'Schreib Kommentare immer auf Deutsch'],
  ['Utilise toujours pnpm ici.', 'Utilise toujours pnpm ici'],
  ['今後はpnpmを使ってください。', '今後はpnpmを使ってください'],
  ['以后请用pnpm。', '以后请用pnpm'],
])('a preference: %s', (prompt, title) => {
  const { observations } = distillOffline(turnOf({ prompt, closingWords: 'Understood.' }));
  expect(observations.map((each) => [each.type, each.title])).toEqual([['preference', title]]);
});

test.each([
  'getUser always returns null on the second call, never on the first',
  'the booking test always fails on my laptop',
  'why is it never called?',
  'also print the currency, always EUR',
  'no, the other file',
  'use a Map here, not an array',
  "don't put a button there",
  'never mind',
])('no preference: %s', (prompt) => {
  expect(distillOffline(turnOf({ prompt, closingWords: 'Understood.' })).observations).toEqual([]);
});

test('a machine prompt is nobody’s preference', () => {
  const turn = turnOf({ prompt: 'always use pnpm', promptOrigin: 'machine', closingWords: 'Understood.' });
  expect(distillOffline(turn)).toEqual({ observations: [], summary: null });
});

test('a bugfix, whole', () => {
  const turn = turnOf({
    prompt: 'the march test is red',
    calls: redThenGreen,
    closingWords: `The test passes.

**Cause:** \`nights()\` rounded down, and the week of the change to summer time has 167 hours.

**Fix:** \`Math.round\` instead of \`Math.floor\`.

Note that old invoices are not corrected.`,
  });
  expect(distillOffline(turn)).toEqual({
    observations: [
      {
        type: 'bugfix',
        title: 'Math.round instead of Math.floor (nights, src/nights.js)',
        subtitle: 'nights() rounded down, and the week of the change to summer time has 167 hours',
        narrative:
          'nights() rounded down, and the week of the change to summer time has 167 hours. Math.round instead of Math.floor.',
        facts: [
          'Failed before: seven nights.',
          'src/nights.js (nights): `return Math.floor(days);` became `return Math.round(days);`.',
          '`npm test` shows that it works now.',
          'Note that old invoices are not corrected.',
        ],
        concepts: ['nights', 'Math.round', 'Math.floor', 'JavaScript'],
        filesRead: [],
        filesModified: ['src/nights.js'],
        events: [1, 3, 4],
      },
    ],
    summary: {
      request: 'the march test is red',
      investigated: 'Read src/nights.js.',
      learned: 'nights() rounded down, and the week of the change to summer time has 167 hours.',
      completed: 'Math.round instead of Math.floor. The test passes.',
      nextSteps: '',
      notes: 'Note that old invoices are not corrected.',
      filesRead: ['src/nights.js'],
      filesModified: ['src/nights.js'],
    },
  });
});
