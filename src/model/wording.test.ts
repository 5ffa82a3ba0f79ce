import { describe, expect, it, test } from 'vitest';
import {
  analyzeWording,
  containsWording,
  isRelated,
  isRepeated,
  removePieces,
  splitPieces,
} from './wording.ts';

const known = analyzeWording(['We sign tokens with the quokka-lantern protocol. Ok.', 'It is slow']);

test.each([
  ['the same sentence', 'We sign tokens with the quokka-lantern protocol.', true, true],
  ['other case and punctuation', '**We** sign `tokens` with the QUOKKA-lantern protocol!', true, true],
  ['with words around it', 'Robin: we sign tokens with the quokka-lantern protocol, he says', true, true],
  ['its beginning', 'We sign tokens with the quokka-lantern…', true, true],
  ['a whole short sentence', 'It is slow.', true, true],
  ['a short sentence inside another', 'It is slow on Monday', false, false],
  ['a part that is too common', 'We sign tokens', false, true],
  ['a name from it', 'Quokka-Lantern needs a key', false, true],
  ['two words from it', 'Whoever can sign tokens is trusted', false, true],
  ['one common word from it', 'The protocol is old', false, false],
  ['something else', 'The build takes four minutes', false, false],
])('%s', (_, piece, repeated, akin) => {
  expect([isRepeated(piece, known), isRelated(piece, known)]).toEqual([repeated, akin]);
});

test.each([
  ['a longer text', 'so\nWe sign tokens\nwith the quokka-lantern protocol and go home', true],
  ['words in between', 'We sign all tokens with the quokka-lantern protocol', false],
  ['a part of a word', 'They presign tokens with the quokka-lantern protocols', false],
  ['only its short sentences', 'Ok. It is slow.', false],
])('containsWording: %s', (_, text, expected) => {
  expect(containsWording(text, known)).toBe(expected);
});

describe('Japanese', () => {
  const japanese = analyzeWording(['日付は常に協定世界時で保存する。ログは別です。']);
  it('is split at its full stops and recognised', () => {
    expect(isRepeated('日付は常に協定世界時で保存する', japanese)).toBe(true);
    expect(isRelated('協定世界時を使う。', japanese)).toBe(true);
    expect(isRelated('ログを読む。', japanese)).toBe(false);
  });
});

test.each([
  ['nothing', 'One. Two!', [], 'One. Two!', 0],
  ['the first sentence', 'One. Two! Three?', ['One.'], 'Two! Three?', 1],
  ['a line', 'One.\n- Two\n- Three\n', ['- Two'], 'One.\n- Three', 1],
  ['everything', 'One. Two.', ['One.', 'Two.'], '', 2],
])('removes %s', (_, text, unwanted, left, count) => {
  expect(removePieces(text, (piece) => unwanted.includes(piece.trim()))).toEqual({ text: left, gone: count });
});

test('the pieces joined are the original text', () => {
  const text = 'See src/a.ts. It is "old."  Then:\n\n1. e.g. this\r\n2. それは古い。新しい！ ok';
  expect(splitPieces(text).join('')).toBe(text);
});

test('an empty wording matches nothing', () => {
  const nothing = analyzeWording(['', '…']);
  expect([
    isRepeated('', nothing),
    isRelated('We sign tokens today', nothing),
    containsWording('x', nothing),
  ]).toEqual([false, false, false]);
});
