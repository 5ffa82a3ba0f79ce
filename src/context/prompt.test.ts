import { expect, test } from 'vitest';
import { isWorthLookingUp } from './prompt.ts';

test.each([
  ['why do we retry three times?', true],
  ['fix the flaky test', true],
  ['キャッシュが消えない理由を調べて', true],
  ['redis?', true],
  ['JobPump', true],
  ['go on', false],
  ['do it', false],
  ['yes, please', false],
  ['/review the payment client again', false],
  ['  /init with everything there is', false],
  ['............................', false],
  ['', false],
])('%j is worth looking up: %s', (prompt, isWorth) => {
  expect(isWorthLookingUp(prompt)).toBe(isWorth);
});
