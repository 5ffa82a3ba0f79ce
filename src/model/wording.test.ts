import { describe, expect, it, test } from 'vitest';
import {
  analyzeWording,
  containsWording,
  isRelated,
  isRepeated,
  removePieces,
  splitPieces,
} from './wording.ts';

const told = analyzeWording(['We sign tokens with the quokka-lantern protocol. Ok.', 'It is slow']);

test.each([
  ['the same', 'We sign tokens with the quokka-lantern protocol.', true, true],
  ['other case and marks', '**We** sign `tokens` with the QUOKKA-lantern protocol!', true, true],
  ['more around it', 'Robin: we sign tokens with the quokka-lantern protocol, he says', true, true],
  ['the beginning of it', 'We sign tokens with the quokka-lantern…', true, true],
  ['a short one, whole', 'It is slow.', true, true],
  ['a short one, in another', 'It is slow on Monday', false, false],
  ['a part that says little', 'We sign tokens', false, true],
  ['a name of it', 'Quokka-Lantern needs a key', false, true],
  ['two words of it', 'Whoever can sign tokens is trusted', false, true],
  ['one ordinary word of it', 'The protocol is old', false, false],
  ['nothing of it', 'The build takes four minutes', false, false],
])('%s', (_, piece, repeated, akin) => {
  expect([isRepeated(piece, told), isRelated(piece, told)]).toEqual([repeated, akin]);
});

test.each([
  ['a longer text', 'so\nWe sign tokens\nwith the quokka-lantern protocol and go home', true],
  ['words in between', 'We sign all tokens with the quokka-lantern protocol', false],
  ['a part of a word', 'They presign tokens with the quokka-lantern protocols', false],
  ['only short sentences of it', 'Ok. It is slow.', false],
])('holds: %s', (_, text, expected) => {
  expect(containsWording(text, told)).toBe(expected);
});

describe('Japanese', () => {
  const japanese = analyzeWording(['日付は常に協定世界時で保存する。ログは別です。']);
  it('is taken apart by its full stops and found again', () => {
    expect(isRepeated('日付は常に協定世界時で保存する', japanese)).toBe(true);
    expect(isRelated('協定世界時を使う。', japanese)).toBe(true);
    expect(isRelated('ログを読む。', japanese)).toBe(false);
  });
});

test.each([
  ['nothing', 'One. Two!', [], 'One. Two!', 0],
  ['the first', 'One. Two! Three?', ['One.'], 'Two! Three?', 1],
  ['a line', 'One.\n- Two\n- Three\n', ['- Two'], 'One.\n- Three', 1],
  ['all of it', 'One. Two.', ['One.', 'Two.'], '', 2],
])('without %s', (_, text, gone, left, count) => {
  expect(removePieces(text, (piece) => gone.includes(piece.trim()))).toEqual({ text: left, gone: count });
});

test('pieces put together are the text', () => {
  const text = 'See src/a.ts. It is "old."  Then:\n\n1. e.g. this\r\n2. それは古い。新しい！ ok';
  expect(splitPieces(text).join('')).toBe(text);
});

test('nobody repeats nothing', () => {
  const nothing = analyzeWording(['', '…']);
  expect([
    isRepeated('', nothing),
    isRelated('We sign tokens today', nothing),
    containsWording('x', nothing),
  ]).toEqual([false, false, false]);
});
