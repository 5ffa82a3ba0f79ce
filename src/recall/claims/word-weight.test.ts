import { expect, test } from 'vitest';
import { readPromptWords } from '../prompt-words.ts';
import { isEveryday, weighTerm } from './word-weight.ts';

const round = (weight: number) => Number(weight.toFixed(2));

test('what is in many claims of a small project tells little', () => {
  expect([1, 3, 10].map((having) => round(weighTerm('gradl', having, 40)))).toEqual([0.9, 0.7, 0.43]);
});

test('what people say about anything tells little even if one claim has it', () => {
  expect(round(weighTerm('todai', 1, 40))).toBeLessThan(round(weighTerm('gradl', 10, 40)));
  expect(round(weighTerm('not a word', 1, 100_000))).toBeGreaterThan(0.9);
});

test.each([
  ['gradle', false],
  ['по', true],
  ['个模', true],
  ['模型', false],
])('%s is an everyday word: %s', (word, isCommon) => {
  expect(readPromptWords(word).every(isEveryday)).toBe(isCommon);
});
