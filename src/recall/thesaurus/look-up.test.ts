import { expect, test } from 'vitest';
import { readPromptWords } from '../prompt-words.ts';
import { guessLanguages } from './guess-languages.ts';
import { createRelatedLookup } from './look-up.ts';

/** Other words for the words of a text, as the index has them. */
function related(text: string): string[] {
  return readPromptWords(text)
    .flatMap(createRelatedLookup(text))
    .map((terms) => terms.join(' '));
}

test.each([
  ['may I throttle the importer?', 'rate limit'],
  ['stoß mal eben eine Sicherung an', 'backup'],
  // Another form of the word that the thesaurus has.
  ['откуда зависимости в проекте?', 'librari'],
  ['¿quién borra los respaldos?', 'backup'],
  // Words without spaces, and loan words for them.
  ['再試行は何回ですか', 'retri'],
  ['リトライは何回ですか', '再試 試行'],
  ['재시도를 몇 번 하나요', 'retri'],
])('%s → %s', (text, word) => {
  expect(related(text)).toContain(word);
});

test.each(['', 'xyzzy plugh', 'the of and', '🙂🙂', '\0 \n'])('%j has no other words', (text) => {
  expect(related(text)).toEqual([]);
});

test('a word is no other word for itself', () => {
  expect(related('backup')).not.toContain('backup');
});

test.each([
  ['why is the importer so slow?', []],
  ['warum ist der Import so langsam?', ['de']],
  ["pourquoi l'import est si lent ?", ['fr']],
  ['¿por qué es tan lenta la importación?', ['es']],
  ['por que a importação não termina?', ['pt']],
  ['perché il job dei solleciti non parte?', ['it']],
  ['waarom is het rapport niet klaar?', ['nl']],
  ['czemu to nie działa na stagingu?', ['pl']],
  ['bu neden bu kadar yavaş?', ['tr']],
  ['почему так медленно?', ['ru', 'uk']],
  ['为什么这么慢', ['zh']],
  ['なぜ遅いのですか', ['ja']],
  ['왜 느려요?', ['ko']],
  ['npm install', []],
])('%s is in %j', (text, languages) => {
  expect(guessLanguages(text)).toEqual(languages);
});
