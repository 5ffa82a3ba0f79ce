import { expect, test } from 'vitest';
import { shapeFamilies } from '../../../test/support/secrets/all.ts';
import { drawFrom } from '../../../test/support/secrets/draw.ts';
import { stripPart } from '../private.ts';
import { isPlain } from './plain.ts';
import { redactText } from './redact.ts';

test.each([
  '',
  'cwd',
  '/home/anna/my-projects/garden-planner-frontend',
  'src/hooks/run.ts',
  '7c9e6679-7425-40de-944b-e07fc1f90ae7',
])('isPlain accepts %j', (text) => expect(isPlain(text)).toBe(true));

test.each([1, 2, 3, 4, 5])('redaction never changes a plain text (draw %i)', (seed) => {
  const changed = Object.values(shapeFamilies)
    .flat()
    .flatMap(({ draw }, number) => {
      const { text, secret } = draw(drawFrom(number * 7919 + seed));
      const words = [...text.split(/[\s"'`=:,;]+/), text, secret];
      return words.flatMap((word) => [word, `/home/anna/${word}`, `${word}/src`]);
    })
    .filter((text) => isPlain(text) && stripPart(redactText(text)).text !== text);
  expect(changed).toEqual([]);
});
