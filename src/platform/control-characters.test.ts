import { expect, test } from 'vitest';
import { blankControls, hasControls, showControls, stringifySafely } from './control-characters.ts';

const CONTROLS = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index),
  ...[0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map((code) => String.fromCharCode(code));

test('shows every control character except line break and tab as one visible character', () => {
  for (const control of CONTROLS.filter((character) => character !== '\n' && character !== '\t')) {
    const shown = showControls(`a${control}b`);
    expect(shown).toMatch(/^a[\u2400-\u2421\ufffd]b$/u);
    expect(hasControls(shown)).toBe(false);
  }
});

test('leaves other text unchanged', () => {
  const text = 'über\tZwetschgen\n日本 👩‍🌾 עברית \u200f שלום e\u0301 …';
  expect(showControls(text)).toBe(text);
});

test('shows control pictures for escape sequences, or blanks them', () => {
  expect(showControls('\u001b]52;c;eA==\u0007 \u007f \u009b31m \u202etxt.exe')).toBe(
    '␛]52;c;eA==␇ ␡ \ufffd31m \ufffdtxt.exe',
  );
  expect(showControls('a\r\nb\rc')).toBe('a\nb␍c');
  expect(blankControls('a\r\nb\tc\u001b[1m\u202e')).toBe('a  b c [1m ');
});

test('stringifySafely escapes all control characters and keeps the value', () => {
  const value = { [`key${CONTROLS.join('')}`]: [CONTROLS.join('x')] };
  for (const space of [0, 2]) {
    const json = stringifySafely(value, space);
    expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u);
    expect(JSON.parse(json)).toEqual(value);
  }
});
