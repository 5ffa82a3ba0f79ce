import { describe, expect, it } from 'vitest';
import { applyEdit } from './json-text.ts';
import { hasText, installText, removeText, type WantedText } from './list-entry.ts';

const rule: WantedText = { list: ['permissions', 'allow'], text: 'mcp__cairn__*' };

describe.each([
  ['an empty file', ''],
  ['an empty object', '{}\n'],
  ['other settings', '{\n  "model": "opus"\n}\n'],
  ['other permissions', '{\n  "permissions": { "deny": ["Bash"] }\n}\n'],
  ["the person's rules", '{\n  "permissions": {\n    "allow": [\n      "Bash(ls:*)"\n    ]\n  }\n}\n'],
  ['an empty list', '{"permissions": {"allow": []}}'],
])('%s', (_name, before) => {
  it('gets the rule once and is undone byte for byte', () => {
    const { text, undo } = installText(before, rule);
    expect(hasText(text, rule)).toBe(true);
    expect(installText(text, rule).changed).toBe(false);
    expect(undo.reduce(applyEdit, text)).toBe(before);
  });

  it('is restored even after the client has rewritten the file', () => {
    const { text, made } = installText(before, rule);
    const rewritten = JSON.stringify(JSON.parse(text), null, 4);
    expect(JSON.parse(removeText(rewritten, rule, made).text)).toEqual(JSON.parse(before || '{}'));
  });
});

it('keeps a rule that the person wrote', () => {
  const theirs = '{"permissions": {"allow": ["mcp__cairn__*"]}}';
  const { changed, made } = installText(theirs, rule);
  expect([changed, removeText(theirs, rule, made).text]).toEqual([false, theirs]);
});

it.each(['{"permissions": []}', '{"permissions": {"allow": "all"}}'])('refuses %s', (text) => {
  expect(() => installText(text, rule)).toThrow(/is not (?:an object|a list)/);
});
