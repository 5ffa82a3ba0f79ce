import { expect, test } from 'vitest';
import { isNearForm } from './near-forms.ts';
import { asksSomething, readPromptWords } from './prompt-words.ts';

test.each([
  ['please fix the retries in src/cache.ts', ['fix', 'retries', 'src/cache.ts']],
  ['können wir bitte die Rundung ändern?', ['Rundung', 'ändern']],
  ['在庫データを見て', ['在庫', 'データ']],
  ['the of and', []],
])('%j is about %j', (prompt, words) => {
  expect(readPromptWords(prompt).map(({ written }) => written)).toEqual(words);
});

test('names of code, files and errors are told from words', () => {
  const names = readPromptWords('why does JobPump hang in app/db.py with E1234 twice').filter(
    ({ isName }) => isName,
  );
  expect(names.map(({ written }) => written)).toEqual(['JobPump', 'app/db.py', 'E1234']);
});

test.each([
  ['rundungslogik', 'rundung', true],
  ['netzgebiet', 'gebiet', true],
  ['заказов', 'заказы', true],
  ['production', 'product', true],
  ['contract', 'contain', false],
  ['queue', 'query', false],
  ['log', 'login', false],
])('%s and %s are forms of one word: %s', (term, token, isNear) => {
  expect(isNearForm(term, token)).toBe(isNear);
});

test.each([
  ['ok?', true],
  ['これでいい？', true],
  ['γιατί όχι;', true],
  ['npm test; npm run build;', false],
  ['do it', false],
])('%j asks: %s', (prompt, asks) => {
  expect(asksSomething(prompt)).toBe(asks);
});

test.each([
  ['Gradle에서 느린 테스트', ['Gradle', '느린', '테스트']],
  ['с OrderMailer', ['OrderMailer']],
])('%j: particles behind a name and single letters are no words', (prompt, words) => {
  expect(readPromptWords(prompt).map(({ written }) => written)).toEqual(words);
});
