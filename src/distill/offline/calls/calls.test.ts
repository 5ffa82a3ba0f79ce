import { expect, test } from 'vitest';
import { edited, failed, ran, turnOf, wrote } from '../../../../test/support/made-up-turn.ts';
import { readEvidence } from '../evidence.ts';
import { findCommits, headingOf } from './commits.ts';
import { collectEdits } from './edits.ts';
import { kindOfFile } from './paths.ts';
import { collectRuns } from './runs.ts';
import { findError, findFailedTests } from './symptom.ts';

test.each([
  ['npm test', 'test'],
  ['cd app && npm run test -- --bail 2>&1 | tail -20', 'test'],
  ['CI=1 pnpm test:unit', 'test'],
  ['python3 -m unittest -q', 'test'],
  ['node --test test/', 'test'],
  ['timeout 60 cargo test', 'test'],
  ['npm install zod', 'install'],
  ['npx tsc --noEmit', 'build'],
  ['npx eslint .', 'lint'],
  ['git commit -m x', 'git'],
  ['git status --short', 'look'],
  ['ls -la && cat a.txt', 'look'],
  ['node scripts/seed.mjs', 'other'],
])('%s is %s', (command, kind) => {
  expect(collectRuns(turnOf({ calls: [ran(command)] }).calls).map((run) => run.kind)).toEqual([kind]);
});

test.each([
  ['a failed command', failed('npm test'), false],
  ['a failure behind a pipe', ran('npm test | tail -5', 'ℹ pass 3\nℹ fail 1'), false],
  ['a pass', ran('npm test', 'ℹ pass 3\nℹ fail 0'), true],
  ['words about failing in another command', ran('cat log.txt', '3 failed'), true],
])('%s', (_name, call, green) => {
  expect(collectRuns(turnOf({ calls: [call] }).calls).map((run) => run.green)).toEqual([green]);
});

test.each([
  ['node', '✖ seven nights (1.2ms)\n  AssertionError: 6 !== 7', ['seven nights']],
  ['tap', 'not ok 2 - seven nights\n  ---', ['seven nights']],
  ['pytest', 'FAILED tests/test_a.py::test_b - assert 1 == 2', ['tests/test_a.py::test_b']],
  ['unittest', 'FAIL: test_b (tests.A.test_b)', ['test_b']],
  ['go', '--- FAIL: TestB (0.00s)', ['TestB']],
  ['cargo', 'test tests::b ... FAILED', ['tests::b']],
  ['vitest', ' FAIL  src/a.test.ts > adds up', ['adds up']],
])('names of red tests: %s', (_name, output, expected) => {
  const [run] = collectRuns(turnOf({ calls: [failed('npm test', output)] }).calls);
  expect(run && findFailedTests(run)).toEqual(expected);
});

test.each([
  [
    'an error',
    'Error: listen EADDRINUSE: address already in use :::3000',
    'Error: listen EADDRINUSE: address already in use :::3000',
  ],
  ['the folder is left out', 'Error: no /home/ada/shop/a.json here', 'Error: no a.json here'],
  [
    'a compiler',
    'error[E0382]: borrow of moved value: `items`',
    'error[E0382]: borrow of moved value: `items`',
  ],
  ['no assertion', 'AssertionError [ERR_ASSERTION]: 1 !== 2', undefined],
  ['no frame', '    at run (/home/ada/shop/a.js:1:2)', undefined],
])('the line that tells what went wrong: %s', (_name, output, expected) => {
  const [run] = collectRuns(turnOf({ calls: [failed('npm start', output)] }).calls);
  expect(run && findError(run, '/home/ada/shop')).toBe(expected);
});

test('an edit tells lines and function; a file of several edits is one', () => {
  const calls = [
    edited('src/a.ts', 'const x = 1;', '// Why.\nconst x = 2;', ['export function total() {']),
    edited('src/a.ts', 'y', 'z'),
    wrote('src/b.ts', 'export const made = () => 1;'),
  ];
  expect(collectEdits(turnOf({ calls }))).toEqual([
    {
      path: 'src/a.ts',
      place: 0,
      created: false,
      removed: false,
      events: [1, 2],
      before: ['const x = 1;', 'y'],
      after: ['// Why.', 'const x = 2;', 'z'],
      symbols: ['total'],
    },
    {
      path: 'src/b.ts',
      place: 2,
      created: true,
      removed: false,
      events: [3],
      before: [],
      after: ['export const made = () => 1;'],
      symbols: ['made'],
    },
  ]);
});

test.each([
  ['taken back by git', [edited('src/a.ts', 'a', 'b'), ran('git checkout -q -- src/a.ts && git status')], []],
  ['taken back in a folder', [edited('src/a.ts', 'a', 'b'), ran('git restore src/')], []],
  ['stashed', [edited('src/a.ts', 'a', 'b'), ran('git stash')], []],
  [
    'stashed and popped again',
    [edited('src/a.ts', 'a', 'b'), ran('git stash'), ran('npm test'), ran('git stash pop')],
    ['src/a.ts'],
  ],
  [
    'stashed and popped in one line',
    [edited('src/a.ts', 'a', 'b'), ran('git stash; npm test; git stash pop')],
    ['src/a.ts'],
  ],
  [
    'only another file stashed',
    [edited('src/a.ts', 'a', 'b'), ran('git stash push -- src/b.ts')],
    ['src/a.ts'],
  ],
  [
    'taken from the index',
    [edited('src/a.ts', 'a', 'b'), ran('git add -A; git restore --staged src/a.ts')],
    ['src/a.ts'],
  ],
  [
    'taken back there and in the file',
    [edited('src/a.ts', 'a', 'b'), ran('git restore --staged --worktree .')],
    [],
  ],
  [
    'committed before git went back',
    [edited('src/a.ts', 'a', 'b'), ran('git commit -qam "x" && git stash')],
    ['src/a.ts'],
  ],
  [
    'committed, and the commit removed',
    [edited('src/a.ts', 'a', 'b'), ran('git commit -qam "x"'), ran('git reset --hard HEAD~1')],
    [],
  ],
  ['edited again afterwards', [ran('git checkout -- .'), edited('src/a.ts', 'a', 'b')], ['src/a.ts']],
  ['a branch is no file', [edited('src/a.ts', 'a', 'b'), ran('git checkout main')], ['src/a.ts']],
  ['a scratch file', [wrote('try.mjs', 'x'), ran('node try.mjs && rm try.mjs')], []],
  ['outside the project', [wrote('/tmp/try.mjs', 'x')], []],
  ['sed in place', [ran('sed -i "s/a/b/" src/a.ts')], ['src/a.ts']],
  ['moved', [ran('git mv src/a.ts src/b.ts')], ['src/a.ts', 'src/b.ts']],
])('files modified: %s', (_name, calls, expected) => {
  expect(readEvidence(turnOf({ calls })).filesModified).toEqual(expected);
});

test.each([
  [
    '-m',
    ran('git commit -m "fix(cart): round cents"', '[main abc1234] fix(cart): round cents'),
    'Round cents',
    'abc1234',
  ],
  [
    'quiet',
    ran(`git commit -qam 'Close accounts' && git log --oneline -1`, 'abc1234 Close accounts'),
    'Close accounts',
    'abc1234',
  ],
  [
    'a revert',
    ran('git revert --no-edit abc1234', '[main def5678] Revert "Index bookings"\n 1 file changed'),
    'Revert "Index bookings"',
    'def5678',
  ],
  [
    'a here-document',
    ran('git commit -F - <<EOF\nAdd paging\n\nTwenty a page.\nEOF'),
    'Add paging',
    undefined,
  ],
])('a commit: %s', (_name, call, heading, hash) => {
  const commits = findCommits(collectRuns(turnOf({ calls: [call] }).calls));
  expect(commits.map((commit) => [headingOf(commit), commit.hash])).toEqual([[heading, hash]]);
});

test.each([
  [
    'package.json',
    edited('package.json', '"a": "^1.0.0"', '"a": "^1.0.0",\n"@x/b": "^2.1.0"'),
    ['@x/b added ^2.1.0'],
  ],
  ['a new version', edited('package.json', '"a": "^1.0.0"', '"a": "^2.0.0"'), ['a changed ^2.0.0']],
  ['no dependency', edited('package.json', '"test": "x"', '"test": "node --test"'), []],
  ['requirements', edited('requirements.txt', '', 'httpx==0.27.0'), ['httpx added ==0.27.0']],
  ['go.mod', edited('go.mod', '', 'require github.com/a/b v1.2.3'), ['github.com/a/b added v1.2.3']],
  ['npm install', ran('npm install -D zod@3.23.8'), ['zod added 3.23.8']],
  ['options with a value', ran('cargo add serde --features derive'), ['serde added ']],
  ['a failed install', failed('npm install zod'), []],
  ['install of what is there', ran('npm install'), []],
])('packages: %s', (_name, call, expected) => {
  const { packages } = readEvidence(turnOf({ calls: [call] }));
  expect(packages.map(({ name, how, version }) => `${name} ${how} ${version}`)).toEqual(expected);
});

test.each([
  ['src/a.test.ts', 'test'],
  ['tests/test_a.py', 'test'],
  ['README.md', 'docs'],
  ['package.json', 'manifest'],
  ['package-lock.json', 'lock'],
  ['config/production.json', 'config'],
  ['.github/workflows/ci.yml', 'config'],
  ['vite.config.ts', 'config'],
  ['src/a.ts', 'source'],
])('%s is %s', (path, kind) => {
  expect(kindOfFile(path)).toBe(kind);
});

test.each([
  ['a red test', [failed('npm test')], 'npm test'],
  ['a red build', [failed('cargo build')], 'cargo build'],
  ['a build that the tests include', [failed('cargo build'), ran('cargo test')], undefined],
  [
    'types that the tests do not check',
    [failed('npx tsc --noEmit'), ran('npx vitest run')],
    'npx tsc --noEmit',
  ],
  [
    'an attempt that was taken back',
    [edited('src/a.ts', 'a', 'b'), failed('npm test'), ran('git checkout -- src/a.ts')],
    undefined,
  ],
  [
    'red also after it was taken back',
    [edited('src/a.ts', 'a', 'b'), ran('git checkout -- src/a.ts'), failed('npm test')],
    'npm test',
  ],
])('left red: %s', (_name, calls, expected) => {
  expect(readEvidence(turnOf({ calls })).stillRed?.command).toBe(expected);
});
