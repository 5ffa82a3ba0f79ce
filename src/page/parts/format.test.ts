import { expect, test } from 'vitest';
import { firstLetter, formatLogTime, formatSpan } from './format.ts';

const at = (hours: number, minutes: number, seconds = 0) =>
  new Date(2026, 10, 18, hours, minutes, seconds).getTime();

test.each([
  { name: 'a span', from: at(9, 10), to: at(11, 2), text: '09:10 – 11:02' },
  { name: 'within a minute', from: at(9, 10, 1), to: at(9, 10, 59), text: '09:10' },
  { name: 'a whole day later', from: at(9, 10), to: at(33, 10), text: '09:10 – 09:10' },
])('$name', ({ from, to, text }) => {
  expect(formatSpan(from, to)).toBe(text);
});

test('a time in the log includes seconds', () => {
  expect(formatLogTime(at(9, 10, 7), at(12, 0))).toBe('today 09:10:07');
});

test.each([
  ['cairn', 'c'],
  ['👩‍🌾 farm', '👩'],
  [' ', ''],
])('the first letter of %o', (name, letter) => {
  expect(firstLetter(name)).toBe(letter);
});
