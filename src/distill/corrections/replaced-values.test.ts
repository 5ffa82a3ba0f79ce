import { expect, test } from 'vitest';
import { edited, turnOf } from '../../../test/support/made-up-turn.ts';
import { findReplacedValues, isReplaced, type ReplacedValues, type Replacements } from './replaced-values.ts';

const FILE = 'src/wait.cs';
const valuesOf = (before: string, after: string) =>
  findReplacedValues(turnOf({ calls: [edited(FILE, before, after)] }));
const earlierValuesOf = (before: string, after: string) =>
  valuesOf(before, after).map((values) => ({ ...values, turnId: 1 }));
const after = (replaced: ReplacedValues[], rest: Partial<Replacements> = {}): Replacements => ({
  replaced,
  earlier: [],
  deniedWords: new Set(),
  isCorrection: false,
  ...rest,
});

const toLonger = valuesOf('FromSeconds(30)', 'FromSeconds(45)');

test.each<[string, string, string[], boolean]>([
  ['the value that was replaced', 'The wait is capped at 30 seconds now.', [FILE], true],
  ['the value that holds now', '30 s is too short, it is 45 s now.', [FILE], false],
  ['another value', 'A job is given up after 5 attempts now.', [FILE], false],
  ['another file', 'The cache holds 30 entries now.', ['src/cache.cs'], false],
  ['a value that the session only read', 'The report of May has 30 pages.', [FILE], false],
])('a sentence that tells %s', (_name, sentence, files, expected) => {
  expect(isReplaced(sentence, files, after(toLonger))).toBe(expected);
});

test('a name that the session itself had put in, and took out because the person did not want it', () => {
  const earlier = earlierValuesOf('start()', 'start(quantum)');
  const replaced = valuesOf('start(quantum)', 'start(oban)');
  const sentence = 'Quantum runs every Monday.';
  const deniedWords = new Set(['quantum']);
  expect(isReplaced(sentence, [], after(replaced, { earlier, deniedWords }))).toBe(true);
  expect(isReplaced(sentence, [], after(replaced, { deniedWords }))).toBe(false);
  expect(isReplaced(sentence, [], after(replaced, { earlier }))).toBe(false);
});

test('a setting whose value a later turn replaced, also with its reason', () => {
  const earlier = earlierValuesOf('User=shop', 'User=shop;Encrypt=False');
  const replaced = valuesOf('User=shop;Encrypt=False', 'User=shop;Encrypt=True');
  const states = (sentence: string) => isReplaced(sentence, [], after(replaced, { earlier }));
  expect(states('It carries `Encrypt=False`, because the client encrypts by default.')).toBe(true);
  expect(states('It carries `Encrypt=True`, because security reads it.')).toBe(false);
  expect(states('`Encrypt=False` is not allowed here.')).toBe(false);
  expect(isReplaced('It carries `Encrypt=False`.', [], after(replaced))).toBe(false);
});

test('a name that the session had taken out, and put back after a correction', () => {
  const earlier = earlierValuesOf('round_net(x)', 'round(x)');
  const replaced = valuesOf('round(x)', 'round_net(x)');
  const sentence = 'round and round_net are one function.';
  expect(isReplaced(sentence, [], after(replaced, { earlier, isCorrection: true }))).toBe(true);
  expect(isReplaced(sentence, [], after(replaced, { earlier }))).toBe(false);
});

test('an addition that the session took out again after the person objected', () => {
  const earlier = earlierValuesOf('merge(stores)', 'merge(stores).fillna({"region": "unknown"})');
  const replaced = valuesOf('merge(stores).fillna({"region": "unknown"})', 'merge(stores)');
  const sentence = 'Stores that are missing now get region "unknown", so that they are counted.';
  const undone = { earlier, isCorrection: true };
  expect(isReplaced(sentence, [FILE], after(replaced, undone))).toBe(true);
  expect(isReplaced('BI joins on region.', [FILE], after(replaced, undone))).toBe(false);
  // Without an objection it may have moved to another file; what was there before the session is not of its making.
  expect(isReplaced(sentence, [FILE], after(replaced, { earlier }))).toBe(false);
  expect(isReplaced(sentence, [FILE], after(replaced, { isCorrection: true }))).toBe(false);
});
