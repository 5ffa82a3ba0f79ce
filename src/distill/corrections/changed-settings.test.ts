import { expect, test } from 'vitest';
import { edited, turnOf } from '../../../test/support/made-up-turn.ts';
import { findChangedSettings, statesOldValue } from './changed-settings.ts';

const settingsOf = (before: string, after: string) =>
  findChangedSettings(turnOf({ calls: [edited('app/tasks.py', before, after)] }));

test.each([
  ['max_retries=4,', 'max_retries=8,', { name: 'max_retries', before: '4', after: '8' }],
  ['timeout: 30s', 'timeout: 45s', { name: 'timeout', before: '30s', after: '45s' }],
  ['"node": "18.19"', '"node": "20.11"', { name: 'node', before: '18.19', after: '20.11' }],
  ["channel = 'beta'", "channel = 'stable'", { name: 'channel', before: 'beta', after: 'stable' }],
])('%s, now %s', (before, after, expected) => {
  expect(settingsOf(before, after)).toEqual([{ path: 'app/tasks.py', ...expected }]);
});

test('other edits change no setting', () => {
  expect(settingsOf('retry(4)', 'retry(4, jitter)')).toEqual([]);
  expect(settingsOf('const limit = 4;', 'const most = 8;')).toEqual([]);
});

const settings = settingsOf('max_retries=4,', 'max_retries=8,');

test.each([
  'Set visibility_timeout to 3900 s (65 minutes) and max_retries to 4.',
  '`max_retries=4` is enough.',
  'max_retries ist 4, mehr lässt der Anbieter nicht zu',
])('the old value: %s', (sentence) => {
  expect(statesOldValue(sentence, settings)).toBe(true);
});

test.each([
  'max_retries went from 4 to 8.',
  'max_retries is 8.',
  'Set max_retries to 40.',
  'max_retries is read in 3 places and 4 tests.',
  'The other max_retries_total is 4.',
])('not the old value: %s', (sentence) => {
  expect(statesOldValue(sentence, settings)).toBe(false);
});
