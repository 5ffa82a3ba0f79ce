import { expect, it } from 'vitest';
import { createBlockPart } from './block-part.ts';
import { applyEdit } from './json-text.ts';

const create = (text: string) =>
  createBlockPart({ kind: 'rules', label: 'rules', path: '/home/u/AGENTS.md', text, isWanted: true });
const part = create('## Memory\n\nSearch it.\n');

it.each([
  ['an empty file', ''],
  ['a text', '# Mine\n\nUse tabs.\n'],
  ['a text without a line end', '# Mine'],
  ['a text that ends with blank lines', '# Mine\n\n\n'],
  ['a text with Windows line endings', '# Mine\r\n\r\nUse tabs.\r\n'],
  ['a byte order mark', '\uFEFF# Mine\n'],
])('adds the block once to %s and removes it again', (_name, before) => {
  const { text, undo } = part.install(before);
  expect(text.startsWith(before)).toBe(true);
  expect(part.inspect(text)).toBe('installed');
  expect(part.install(text)).toMatchObject({ changed: false, wasThere: true });
  expect(undo.reduce(applyEdit, text)).toBe(before);
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  const removed = part.remove(`${text}${eol}More.${eol}`).text;
  expect(part.inspect(removed)).toBe('missing');
  expect(removed).toBe(`${before}${before === '' || before.endsWith(eol) ? '' : eol}${eol}More.${eol}`);
});

it('updates a block of another version in place', () => {
  const text = create('Old.').install('# Mine\n').text;
  expect(part.inspect(`${text}\nMore.\n`)).toBe('outdated');
  const renewed = part.install(`${text}\nMore.\n`);
  expect(renewed.text).toMatch(
    /^# Mine\n\n<!-- cairn: .*\n## Memory\n\nSearch it\.\n<!-- \/cairn -->\n\nMore\.\n$/,
  );
});

it.each(['<!-- /cairn -->\n', '<!-- cairn -->\nmine\n', '<!-- cairn -->\n<!-- cairn -->\n<!-- /cairn -->\n'])(
  'leaves marks unchanged that were edited by hand: %j',
  (text) => {
    expect(part.inspect(text)).toBe('foreign');
    expect([part.install(text).text, part.remove(text).text]).toEqual([text, text]);
    expect(part.explain?.('foreign')).toContain('left unchanged');
  },
);
