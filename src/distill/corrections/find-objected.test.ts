import { expect, test } from 'vitest';
import { turnOf } from '../../../test/support/made-up-turn.ts';
import { findCorrector, readCorrections } from './find-corrected.ts';

const ANSWERS = {
  en: [
    'The thumbnails are rendered on upload, one job per picture.',
    'The nightly backup already covers the attachments bucket.',
    'Old avatars stay in the CDN until their URL changes.',
  ],
  de: [
    'Die Vorschaubilder entstehen beim Hochladen.',
    'Die nächtliche Sicherung umfasst auch die Anhänge.',
    'Alte Avatare bleiben im CDN, bis sich ihre Adresse ändert.',
  ],
  fr: [
    "Les vignettes sont créées à l'envoi.",
    'La sauvegarde nocturne couvre aussi les pièces jointes.',
    "Les anciens avatars restent dans le CDN jusqu'au changement d'adresse.",
  ],
  es: [
    'Las miniaturas se generan al subir la imagen.',
    'La copia nocturna ya incluye los adjuntos.',
    'Los avatares viejos siguen en el CDN hasta que cambia su dirección.',
  ],
  ja: [
    'サムネイルはアップロード時に生成されます。',
    '夜間バックアップは添付ファイルも対象です。',
    '古いアバターは URL が変わるまで CDN に残ります。',
  ],
};

type Language = keyof typeof ANSWERS;

/** The sentences of the answer that are taken back. */
function findTakenBack(language: Language, prompt: string, closingWords = ''): string[] {
  const before = turnOf({ closingWords: ANSWERS[language].join('\n\n') });
  const corrections = readCorrections([turnOf({ prompt, closingWords })], [], [before]);
  return ANSWERS[language].filter(
    (text) => findCorrector({ text, files: [], byPerson: false, isJustSaid: true }, corrections) !== null,
  );
}

test.each<[Language, string]>([
  ['en', "One thing is off: the attachments bucket was left out of the backup, so that's not true."],
  ['en', "That can't be right. The attachments bucket is not in the nightly backup, we pay extra for that."],
  ['de', 'Das mit der Sicherung der Anhänge stimmt leider nicht, die laufen getrennt.'],
  ['fr', "Pour la sauvegarde des pièces jointes, ce n'est plus le cas depuis mai."],
  ['es', 'Lo de la copia nocturna de los adjuntos ya no es así: no vale desde mayo.'],
  ['ja', '夜間バックアップの話は違います。添付ファイルは別です。'],
])('a person who objects takes back what they speak of (%s): %s', (language, prompt) => {
  expect(findTakenBack(language, prompt)).toEqual([ANSWERS[language][1]]);
});

test.each<[Language, string]>([
  ['en', "You're right, I had only read the script. The nightly backup skips the attachments bucket."],
  ['en', 'I have to correct myself: the nightly backup skips the attachments bucket.'],
  ['de', 'Du hast recht. Die nächtliche Sicherung lässt die Anhänge aus.'],
  ['fr', 'Tu as raison : la sauvegarde nocturne ignore les pièces jointes.'],
  ['es', 'Tienes razón, la copia nocturna no incluye los adjuntos.'],
  ['ja', 'ご指摘の通りです。夜間バックアップに添付ファイルは含まれません。'],
])('an agent that concedes takes back what it speaks of (%s): %s', (language, words) => {
  expect(findTakenBack(language, 'hm, have a look', words)).toEqual([ANSWERS[language][1]]);
});

test.each<[Language, string, string]>([
  ['en', 'Great. The attachments bucket needs a lifecycle rule as well.', 'Added.'],
  ['en', "That's not a problem for the invoices.", 'Good.'],
  ['de', 'Passt. Die Anhänge brauchen noch eine Regel.', 'Du hast recht, die fehlte.'],
  ['ja', '添付ファイルにルールを追加してください。', '追加しました。'],
])('nothing is taken back (%s): %s', (language, prompt, words) => {
  expect(findTakenBack(language, prompt, words)).toEqual([]);
});

test('a concession that repeats the objection takes back nothing else', () => {
  const prompt = 'The nightly backup of the attachments bucket is wrong: it was left out.';
  const words =
    'You are right about the backup of the attachments. Until their URL changes, old avatars in the CDN are the only copy.';
  expect(findTakenBack('en', prompt, words)).toEqual([ANSWERS.en[1]]);
});

test.each([
  ['the second one is not true, tmpreaper cleans that folder'],
  ['2 is on purpose, the kiosk has no keyboard'],
  ['no 2 is intended'],
  ['der zweite Punkt stimmt nicht'],
  ['第二点不对，那里有防火墙'],
])('an item of a list, by its number: %s', (prompt) => {
  const answer =
    '1. The export escapes nothing.\n2. Sessions never expire.\n3. The route writes no audit record.';
  const corrections = readCorrections([turnOf({ prompt })], [], [turnOf({ closingWords: answer })]);
  const isTakenBack = (text: string) =>
    findCorrector({ text, files: [], byPerson: false, isJustSaid: true }, corrections) !== null;
  expect(isTakenBack('Sessions never expire.')).toBe(true);
  expect(isTakenBack('The route writes no audit record.')).toBe(false);
});

test.each([
  [
    'disagrees',
    'The migration locks the orders table for four minutes.',
    "I don't agree on the migration: it is instant.",
  ],
])('a person who %s', (_name, said, prompt) => {
  const before = turnOf({ closingWords: [said, ...ANSWERS.en].join('\n\n') });
  const corrections = readCorrections([turnOf({ prompt })], [], [before]);
  const sentence = { text: said, files: [], byPerson: false, isJustSaid: true };
  expect(findCorrector(sentence, corrections)).toBe('person');
});

test.each([
  ['The switch is process-wide and would hide the same mistake everywhere else.', 'everything else is fine'],
  ['Its credit field is DISPLAY, the other two have COMP-3.', 'the DISPLAY digits are on purpose'],
])('what a person calls fine may have been described rightly: %s', (said, prompt) => {
  const before = turnOf({ closingWords: [said, ...ANSWERS.en].join('\n\n') });
  const corrections = readCorrections([turnOf({ prompt })], [], [before]);
  expect(findCorrector({ text: said, files: [], byPerson: false, isJustSaid: true }, corrections)).toBeNull();
});

test.each([
  ['no 2 is intended, support may go above it.', [2]],
  ['#1 and #3 are by design.', [1, 3]],
  ['Punkt 3 ist Absicht. Bitte nicht mehr melden.', [3]],
  ['el punto 1 es intencional', [1]],
  ['第2 は仕様です。', [2]],
  ['Fix number 2 first.', []],
])('a person names what they reject by its number: %s', (prompt, rejected) => {
  const items = [
    'The retry makes a new key for each attempt.',
    'Refunds may exceed the captured amount, which looks like a mistake.',
    'The webhook answers before the ledger is booked.',
  ];
  const list = items.map((text, index) => `${index + 1}. ${text}`).join('\n');
  const corrections = readCorrections([turnOf({ prompt })], [], [turnOf({ closingWords: list })]);
  const found = items.flatMap((text, index) =>
    findCorrector({ text, files: [], byPerson: false, isJustSaid: true }, corrections) ? [index + 1] : [],
  );
  expect(found).toEqual(rejected);
});

test.each([
  ['en', 'looks good, but undo the nightly backup, we have snapshots.', 1],
  ['de', 'passt. mach die nächtliche Sicherung rückgängig, wir haben Snapshots.', 1],
  ['es', 'bien, pero deshaz la copia nocturna, ya tenemos snapshots.', 1],
  ['ja', '夜間バックアップは元に戻してください。', 1],
] as const)('what the person has undone no longer holds (%s)', (language, prompt, index) => {
  expect(findTakenBack(language, prompt)).toEqual([ANSWERS[language][index]]);
});
