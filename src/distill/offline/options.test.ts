import { expect, test } from 'vitest';
import { turnOf } from '../../../test/support/made-up-turn.ts';
import { findPickedOption } from './options.ts';

const NUMBERED =
  'Two ways are open:\n\n1. Start unknown places at 0.\n2. Keep a second list.\n\nTell me which one.';
const TABLE =
  '| Option | Risk |\n|---|---|\n| A. a default | wrong tenant |\n| B. a backfill | slow |\n\nI recommend **B**, because nothing is locked.';

test.each([
  ['a number', NUMBERED, '2', 'Keep a second list.'],
  ['politely', NUMBERED, '1 please', 'Start unknown places at 0.'],
  ['by its word', NUMBERED, "let's do the second one", 'Keep a second list.'],
  ['the last', NUMBERED, 'the last one', 'Keep a second list.'],
  ['a letter', TABLE, 'B please', 'a backfill'],
  ['a letter in small', TABLE, 'option a', 'a default'],
  ['hesitantly', NUMBERED, '2 i guess', 'Keep a second list.'],
  ['in German', TABLE, 'Variante B bitte', 'a backfill'],
  ['none: another letter', TABLE, 'd', undefined],
  ['none: no list', 'I would take a list.', '2', undefined],
  ['none: a number of things', NUMBERED, '2 tests fail now', undefined],
  ['none: a thing', NUMBERED, '1 thing: rename it', undefined],
  ['none: a list of deeds', 'Done:\n\n1. Moved a\n2. Moved b', '2', undefined],
  ['none: an article', TABLE, 'a small thing: rename it', undefined],
])('picks %s', (_name, earlierWords, prompt, expected) => {
  expect(findPickedOption(turnOf({ prompt, earlierWords }), [prompt])?.text).toBe(expected);
});

test('with what was said for it', () => {
  expect(findPickedOption(turnOf({ earlierWords: TABLE }), ['B please'])).toEqual({
    mark: 'B',
    text: 'a backfill',
    advice: ['I recommend B, because nothing is locked.'],
  });
});
