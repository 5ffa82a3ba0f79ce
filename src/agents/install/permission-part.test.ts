import { describe, expect, it } from 'vitest';
import { PLACE } from '../../../test/support/install-place.ts';
import { applyEdit } from './json-text.ts';
import { type AllowRule, createPermissionPart } from './permission-part.ts';

const entries: AllowRule[] = ['search', 'get'].map((tool) => ({
  within: ['agent', 'tools'],
  name: `mcp:cairn:${tool}`,
  value: { default: 'allow' },
}));
const texts: AllowRule[] = ['search', 'get'].map((tool) => ({
  list: ['agent', 'allowed'],
  text: `mcp_cairn_${tool}`,
}));

const allowing = { ...PLACE, choices: { ...PLACE.choices, allowsTools: true } };
const build = (rules: AllowRule[], place = allowing) =>
  createPermissionPart({ path: '/s.json', rules, mayHaveComments: true }, place);

describe.each([
  ['entries of an object', entries],
  ['texts in a list', texts],
])('%s', (_form, rules) => {
  const part = build(rules);

  it.each([
    ['an empty file', ''],
    ['an empty object', '{}\n'],
    ['other settings, with a comment', '{\n  // mine\n  "model": "opus"\n}\n'],
    ['other values in the outer object', '{\n  "agent": { "model": "x" }\n}\n'],
    ["the person's rules", '{ "agent": { "tools": { "bash": "ask" }, "allowed": ["bash"] } }'],
    ['empty containers', '{"agent": {"tools": {}, "allowed": []}}'],
  ])('are added once to %s and undone byte for byte', (_name, before) => {
    const { text, undo, made } = part.install(before);
    expect(part.inspect(before)).toBe('missing');
    expect(part.inspect(text)).toBe('installed');
    expect(part.install(text).changed).toBe(false);
    expect(undo.reduce(applyEdit, text)).toBe(before);
    expect(JSON.parse(stripComments(part.remove(text, made).text || '{}'))).toEqual(
      JSON.parse(stripComments(before || '{}')),
    );
  });

  it('are not added unless the person chooses to', () => {
    expect(build(rules, PLACE).install('{}')).toMatchObject({ text: '{}', changed: false });
  });

  it('are kept if the person wrote them', () => {
    const theirs = part.install('{}').text;
    const { changed, made } = part.install(theirs);
    expect([changed, part.remove(theirs, made).text]).toEqual([false, theirs]);
  });
});

it('adds an entry last, and keeps one that the person has changed', () => {
  const part = build([{ within: ['permission'], name: 'cairn_*', value: 'allow' }]);
  const { text, made } = part.install('{"permission":{"*":"ask"}}');
  expect(Object.entries(JSON.parse(text).permission)).toEqual([
    ['*', 'ask'],
    ['cairn_*', 'allow'],
  ]);
  const changed = text.replace('"allow"', '"deny"');
  expect(part.remove(changed, made).text).toBe(changed);
});

it('keeps a single rule for all tools and explains it', () => {
  const part = build([{ within: ['permission'], name: 'cairn_*', value: 'allow' }]);
  expect(part.install('{"permission":"ask"}').changed).toBe(false);
  expect(part.explain?.(part.inspect('{"permission":"ask"}'))).toContain('one rule for all tools');
});

function stripComments(text: string): string {
  return text.replace(/^\s*\/\/.*$/gm, '');
}
