import { expect, it } from 'vitest';
import { detectTraits } from './traits.ts';

const cases: [string, boolean][] = [
  ['Always give temperatures in Celsius.', true],
  ['From now on, use pnpm.', true],
  ['I prefer tabs over spaces.', true],
  ["I'd rather walk.", true],
  ["Please don't add emojis.", true],
  ['Bitte keine Emojis, und ab jetzt kürzer.', true],
  ['Je préfère le train, désormais.', true],
  ['Prefiero el tren, nunca el avión.', true],
  ['Preferisco il treno.', true],
  ['Я предпочитаю поезд', true],
  ['从现在起请用中文回答', true],
  ['今後は日本語で答えてください', true],
  ['I went to the market on Monday.', false],
  ['Ich war gestern auf dem Markt.', false],
  ['The build fails with exit code 1', false],
];

it.each(cases)('"%s" is an instruction: %s', (text, isInstruction) => {
  expect(detectTraits(text).mentions.split(' ').includes('instruction')).toBe(isInstruction);
});
