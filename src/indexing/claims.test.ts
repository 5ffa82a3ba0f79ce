import { expect, test } from 'vitest';
import { isSaidBy, listClaims, splitSentences } from './claims.ts';

const EMPTY = { title: '', narrative: '', facts: [], parts: null };

test.each([
  ['One. Two!\nThree?', ['One.', 'Two!', 'Three?']],
  ['Use e.g. Redis at 1.5 s. It breaks `foo`.', ['Use e.g. Redis at 1.5 s.', 'It breaks `foo`.']],
  ['Read src/a.ts first. (It was slow.) Done.', ['Read src/a.ts first.', '(It was slow.)', 'Done.']],
  ['一つ目。二つ目。', ['一つ目。', '二つ目。']],
  ['', []],
])('%j has its sentences', (text, sentences) => {
  expect(splitSentences(text)).toEqual(sentences);
});

test('the claims of an observation are its facts, its narrative and a title that no fact repeats', () => {
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

test('a short form is said by the long one, not the other way round', () => {
  expect(isSaidBy('Use pnpm', ['We use pnpm here'])).toBe(true);
  expect(isSaidBy('We use pnpm here', ['Use pnpm'])).toBe(false);
  expect(isSaidBy('再送は五回', ['再送は五回まで'])).toBe(true);
});

test('a claim with another number is another claim', () => {
  const told = 'The worker of shard 7 must never call the cache before the lock is held';
  expect(isSaidBy(told, [told])).toBe(true);
  expect(isSaidBy(told.replace('7', '8'), [told])).toBe(false);
});
