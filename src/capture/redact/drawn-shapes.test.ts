import { describe, expect, it } from 'vitest';
import { shapeFamilies } from '../../../test/support/secrets/all.ts';
import { drawFrom } from '../../../test/support/secrets/draw.ts';
import { leaks } from '../../../test/support/secrets/leaks.ts';
import { drawnLookAlikes } from '../../../test/support/secrets/look-alikes.ts';
import { cleanPayload } from '../clean.ts';

/** `CAIRN_TEST_DRAWS=1000` measures more precisely. */
const DRAWS = Number(process.env.CAIRN_TEST_DRAWS) || 20;
const MOST_LEAKED = 0.005;

/** How a text gets into a payload; text that JSON escapes is compared in its escaped form. */
const forms: Record<string, { write: (text: string) => string; escapePart: (part: string) => string }> = {
  'plain text': { write: String, escapePart: String },
  'a prompt': { write: (text) => `please look at this:\n${text}\nthanks`, escapePart: String },
  'a patch': { write: (text) => text.replaceAll(/^/gm, '+'), escapePart: String },
  JSON: { write: (text) => JSON.stringify({ output: text, ok: true }), escapePart: escapeOnce },
  'JSON in JSON': {
    write: (text) => JSON.stringify({ body: JSON.stringify({ output: text }) }),
    escapePart: (part) => escapeOnce(escapeOnce(part)),
  },
};

function escapeOnce(part: string): string {
  return JSON.stringify(part).slice(1, -1);
}

describe.each(Object.entries(shapeFamilies))('%s', (_family, shapes) => {
  it.each(Object.entries(forms))('do not leak in %s', (_form, { write, escapePart }) => {
    const leaked = shapes.flatMap(({ name, draw }, number) => {
      let count = 0;
      for (let seed = 0; seed < DRAWS; seed++) {
        const { secret, text } = draw(drawFrom(seed * 7919 + number));
        const whole = write(text);
        const clean = String(cleanPayload(whole));
        if (secret.split('\n').some((line) => leaks(clean, escapePart(line), whole))) count++;
      }
      return count > DRAWS * MOST_LEAKED ? [`${name}: ${count} of ${DRAWS}`] : [];
    });
    expect(leaked).toEqual([]);
  });
});

it('there are enough shapes', () => {
  expect(Object.values(shapeFamilies).flat().length).toBeGreaterThanOrEqual(300);
});

it.each(Object.entries(drawnLookAlikes))('does not change: %s', (_name, draw) => {
  for (let seed = 0; seed < DRAWS; seed++) {
    const text = draw(drawFrom(seed));
    for (const { write } of Object.values(forms)) expect(cleanPayload(write(text))).toBe(write(text));
  }
});
