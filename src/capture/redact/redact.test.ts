import { describe, expect, it } from 'vitest';
import { lookAlikes, secretShapes } from '../../../test/support/secrets.ts';
import { redactText } from './redact.ts';

describe('redactText', () => {
  it.each(secretShapes)('replaces $name', ({ secret, text }) => {
    const clean = redactText(text);
    expect(clean).not.toContain(secret);
    expect(clean).toMatch(/\[redacted:[a-z-]+\]/);
    expect(redactText(clean)).toBe(clean);
  });

  it.each(lookAlikes)('keeps $name', ({ text }) => {
    expect(redactText(text)).toBe(text);
  });
});

it.each([
  'sshpass -p 1 ssh anna@host',
  "sshpass -p '1' ssh anna@host",
  '["sshpass", "-p", "1"]',
  'curl -u anna:1 host',
])('redacting a command twice changes nothing: %s', (command) => {
  const clean = redactText(command.replace('1', 'kX7pQ2mVb9'));
  expect(clean).toBe(command.replace('1', '[redacted:password]'));
  expect(redactText(clean)).toBe(clean);
});
