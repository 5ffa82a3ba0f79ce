import { expect, test } from 'vitest';
import { classifySentences } from './roles.ts';

test.each([
  ['cause', 'The count was wrong because the cache was never cleared.'],
  ['cause', '**Ursache:** `betrag()` entfernt nur den ersten Punkt.'],
  ['cause', '**原因:** `slice` で切っていました。'],
  ['cause', '**原因:** 比较了秒和毫秒。'],
  ['cause', 'The 413 comes from `accepts()`.'],
  ['cause', '`head` was never wrapped, so after ten pushes it wrote past the end.'],
  ['cause', "I'd recommend B: a plain index would lock the table, because it is big."],
  ['cure', '`total()` now rounds half up.'],
  ['cure', 'Moved `a.ts` to `b.ts`, so the history is kept.'],
  ['cure', 'Ich habe `LIMIT` auf 20 MB gesetzt.'],
  ['cure', '**Fix:** `Math.round` instead of `Math.floor`.'],
  ['cure', '**Lösung:** `replaceAll` statt `replace`.'],
  ['status', 'All 22 tests pass.'],
  ['status', 'Alle Tests sind grün.'],
  ['decision', 'I went with SQLite rather than Postgres, because one file is easy to back up.'],
  ['decision', '**Decision:** a plain object, so that it survives JSON.'],
  ['next', "**What's left:** the importer."],
  ['next', 'You may want to rotate the key.'],
  ['next', 'Next: write a test for the sixth attempt.'],
  ['next', 'The job is still not idempotent.'],
  ['next', '**Offen:** Beträge mit Leerzeichen.'],
  ['next', 'The lockfile is not updated yet.'],
  ['note', 'Note that the old bookings stay as they are.'],
  ['note', '**Caveat:** it only covers UTF-8.'],
  ['note', "I'm fairly sure that this was the reason."],
  ['note', 'I left it alone since you only asked about the list.'],
  ['decision', '**Left out on purpose:** `src/signs.js`.'],
  ['gotcha', '**A bug I ran into:** two tickets got the same number.'],
  ['gotcha', '**A trap on the way:** timestamps have no offset.'],
  ['finding', 'I also noticed a second writer in `src/ledger.js`.'],
  ['check', 'I called all 28 routes without a user.'],
  ['plain', 'The key is the SHA-1 of four parts.'],
])('%s: %s', (role, text) => {
  expect(classifySentences(text).map((statement) => statement.role)).toEqual([role]);
});

test.each([
  "I'll run the tests first.",
  'Let me look at the code.',
  'Now I need to check the callers.',
  "Here's what I did:",
  'Great question!',
  "You're absolutely right!",
  'Let me know if you need anything else.',
  'Happy to help with more.',
  'Done.',
  'Fixed.',
  'Understood.',
  'Understood, plan only.',
  'Applying next if you want.',
  'Enjoy!',
  'I hope this is what you had in mind!',
  'Want me to do that one too?',
  'I changed nothing.',
  'Shall I fix it?',
  'Why would that be?',
  'Ich schaue mir zuerst die Tests an.',
  'Verstanden.',
  'まずテストを実行してみます。',
  '修正しました。',
  '好的',
  '已修复。',
  '今後も日本語で書きます。',
])('says nothing: %s', (text) => {
  expect(classifySentences(text)).toEqual([]);
});

test.each([
  ['an opening', 'Done — the test passes again.', 'The test passes again.'],
  ['a yes', 'Yes: another worker takes it.', 'Another worker takes it.'],
  ['an offer', 'Want me to update the docs as well?', 'Update the docs as well.'],
])('leaves what follows %s', (_name, text, expected) => {
  expect(classifySentences(text).map((statement) => statement.text)).toEqual([expected]);
});

test('a sentence goes on with what its paragraph is about', () => {
  const text = 'Note that old rows stay. They have no zone.\n\nThe rest is new.';
  expect(classifySentences(text).map(({ role }) => role)).toEqual(['note', 'note', 'plain']);
});
