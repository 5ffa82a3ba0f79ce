import { describe, expect, it } from 'vitest';
import { lookAlikes, secretShapes } from '../../../test/support/secrets.ts';
import { redactText } from './redact.ts';

describe('redactText', () => {
  it.each(secretShapes)('replaces: $name', ({ secret, text }) => {
    const clean = redactText(text);
    expect(clean).not.toContain(secret);
    expect(clean).toMatch(/\[redacted:[a-z-]+\]/);
    expect(redactText(clean)).toBe(clean);
  });

  it.each(lookAlikes)('keeps: $name', ({ text }) => {
    expect(redactText(text)).toBe(text);
  });
});
