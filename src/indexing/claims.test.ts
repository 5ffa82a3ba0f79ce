import { expect, test } from 'vitest';
import { isSaidBy, listClaims, splitSentences } from './claims.ts';

const EMPTY = { title: '', narrative: '', facts: [], parts: null };

test.each([
  ['One. Two!\nThree?', ['One.', 'Two!', 'Three?']],
  ['Use e.g. Redis at 1.5 s. It breaks `foo`.', ['Use e.g. Redis at 1.5 s.', 'It breaks `foo`.']],
  ['Read src/a.ts first. (It was slow.) Done.', ['Read src/a.ts first.', '(It was slow.)', 'Done.']],
  ['一つ目。二つ目。', ['一つ目。', '二つ目。']],
  ['', []],
])('splits %j into sentences', (text, sentences) => {
  expect(splitSentences(text)).toEqual(sentences);
});

test('the claims of an observation are its title unless a fact repeats it, its facts and its narrative', () => {
  const facts = ['Use pnpm, because the lockfile of npm breaks the cache.'];
  expect(
    listClaims({ ...EMPTY, title: 'Use pnpm', facts, narrative: 'CI runs node 20. CI runs Node 20.' }),
  ).toEqual([
    { position: 1, text: 'Use pnpm, because the lockfile of npm breaks the cache.' },
    { position: 2, text: 'CI runs node 20.' },
  ]);
  expect(listClaims({ ...EMPTY, title: 'Tabs, not spaces', facts })[0]).toEqual({
    position: 1,
    text: 'Tabs, not spaces',
  });
});

test('the claims of a summary are what was learned and is left to do', () => {
  const parts = {
    ...{ request: 'Fix it', investigated: 'Logs', completed: 'Fixed', filesRead: [], filesModified: [] },
    ...{ learned: 'The port is 8080.', notes: 'Ask Priya first.', nextSteps: 'Wait for QA.' },
  };
  expect(listClaims({ ...EMPTY, title: 'Fix it', parts }).map(({ text }) => text)).toEqual([
    'The port is 8080.',
    'Ask Priya first.',
    'Wait for QA.',
  ]);
});

test('a long form says the short one, not the other way round', () => {
  expect(isSaidBy('Use pnpm', ['We use pnpm here'])).toBe(true);
  expect(isSaidBy('We use pnpm here', ['Use pnpm'])).toBe(false);
  expect(isSaidBy('再送は五回', ['再送は五回まで'])).toBe(true);
});

test('a claim with another number is not a repetition', () => {
  const claim = 'The worker of shard 7 must never call the cache before the lock is held';
  expect(isSaidBy(claim, [claim])).toBe(true);
  expect(isSaidBy(claim.replace('7', '8'), [claim])).toBe(false);
});
