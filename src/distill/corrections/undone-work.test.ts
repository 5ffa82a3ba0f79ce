import { expect, test } from 'vitest';
import { edited, type MadeUpCall, ran, turnOf, wrote } from '../../../test/support/made-up-turn.ts';
import { findReplacedValues } from './replaced-values.ts';
import { findUndoneFiles, isUndone, namesGoneFile, namesUndoneFile } from './undone-work.ts';

const WORK = 7;
const FILES = ['cmd/root.go', 'cmd/profile.go'];

const done = turnOf({
  calls: [
    wrote('cmd/profile.go', 'func newProfileUse() *cobra.Command'),
    edited('cmd/root.go', 'add(newLogs())', 'add(newLogs(), newProfileUse())'),
  ],
});
const earlier = findReplacedValues(done).map((edit) => ({ ...edit, turnId: WORK, isCommitted: false }));
const isUndoneBy = (...calls: MadeUpCall[]) =>
  isUndone(WORK, FILES, findUndoneFiles([turnOf({ calls })], earlier));

const back = edited('cmd/root.go', 'add(newLogs(), newProfileUse())', 'add(newLogs())');

test.each([
  ['a removed file and an edit back', [ran('rm cmd/profile.go'), back], true],
  ['git restore', [ran('git restore cmd/root.go cmd/profile.go')], true],
  ['git checkout of files', [ran('git checkout -- cmd/root.go && rm cmd/profile.go')], true],
  ['git reset --hard', [ran('git reset --hard')], true],
  ['one of two files', [back], false],
  ['another branch', [ran('git checkout main')], false],
  ['taking files from the index', [ran('git restore --staged cmd/root.go cmd/profile.go')], false],
  [
    'another value',
    [ran('rm cmd/profile.go'), edited('cmd/root.go', 'newProfileUse()', 'newSwitch()')],
    false,
  ],
])('%s', (_name, calls, expected) => {
  expect(isUndoneBy(...calls)).toBe(expected);
});

test('git does not undo what was committed before it restored the files', () => {
  const restore = ran('git restore cmd/root.go cmd/profile.go');
  const committed = earlier.map((edit) => ({ ...edit, isCommitted: true }));
  expect(isUndone(WORK, FILES, findUndoneFiles([turnOf({ calls: [restore] })], committed))).toBe(false);
  expect(isUndoneBy(ran('git commit -qam "feat: profiles"'), restore)).toBe(false);
});

test.each([
  ['Added cmd/profile.go for the new command', true],
  ['profile.go has the new command', true],
  ['The commands are in cmd/', false],
  ['root.go registers it', false],
])('a sentence about a file that was removed again: %s', (sentence, expected) => {
  const undone = findUndoneFiles([turnOf({ calls: [ran('rm cmd/profile.go')] })], earlier);
  expect(namesUndoneFile(sentence, WORK, undone)).toBe(expected);
  expect(namesUndoneFile(sentence, WORK + 1, undone)).toBe(false);
});

test('a folder stands for the only file that was made in it', () => {
  const patch = findReplacedValues(turnOf({ calls: [wrote('patches/core+0.76.3.patch', 'diff')] }));
  const undone = findUndoneFiles(
    [turnOf({ calls: [ran('rm patches/core+0.76.3.patch')] })],
    patch.map((edit) => ({ ...edit, turnId: WORK, isCommitted: false })),
  );
  expect(namesUndoneFile('I also wrote a patch in patches/', WORK, undone)).toBe(true);
});

test('work of another turn in the same file is not undone with it', () => {
  const both = [
    ...earlier,
    ...earlier.map((edit) => ({ ...edit, turnId: 3, after: new Set(['newProfiles']) })),
  ];
  const undone = findUndoneFiles([turnOf({ calls: [back] })], both);
  expect(undone.map(({ turnId, path }) => [turnId, path])).toEqual([[WORK, 'cmd/root.go']]);
});

test('a file that was made and removed again is named by its number too', () => {
  const made = turnOf({ calls: [wrote('db/V42__article_seq.sql', 'create sequence article_seq;')] });
  const edits = findReplacedValues(made).map((edit) => ({ ...edit, turnId: WORK, isCommitted: true }));
  const undone = findUndoneFiles([turnOf({ calls: [ran('rm db/V42__article_seq.sql')] })], edits);
  expect(namesGoneFile('There is migration V42 for it.', undone)).toBe(true);
  expect(namesGoneFile('Migrations run at start.', undone)).toBe(false);
});
