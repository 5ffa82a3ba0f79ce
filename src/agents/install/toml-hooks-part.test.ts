import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { PLACE } from '../../../test/support/install-place.ts';
import { createTomlHooksPart } from './toml-hooks-part.ts';

const entries = [
  { event: 'SessionStart', timeout: 5 },
  { event: 'Stop', timeout: 5 },
];
const part = createTomlHooksPart({ agent: 'kimi', path: '/c.toml', entries }, PLACE);

const THEIRS = [
  '# mine',
  'model = "m" # the best',
  '',
  '[[hooks]]',
  'event = "Stop"',
  'command = "say done"',
  '# a comment',
  '',
  '[mcp]',
  'x = 1',
  '',
].join('\n');

const TEXTS: [string, string][] = [
  ['an empty file', ''],
  ['settings with hooks', THEIRS],
  ['settings that end without a line break', THEIRS.trimEnd()],
  ['settings with Windows line endings', THEIRS.replaceAll('\n', '\r\n')],
  ['only a comment', '# mine\n'],
];

test.each(TEXTS)('adds hooks once to %s and removes them byte for byte', (_, before) => {
  const added = part.install(before);
  expect(added.text.startsWith(before)).toBe(true);
  const { hooks } = parse(added.text);
  expect(hooks).toHaveLength(entries.length + (before.includes('say done') ? 1 : 0));
  expect(part.inspect(added.text)).toBe('installed');
  expect(part.install(added.text)).toMatchObject({ changed: false, wasThere: true });
  const removed = part.remove(added.text).text;
  // A missing line break at the end of the file cannot be restored.
  expect(removed === before || removed === `${before}\n`).toBe(true);
  const undone = added.undo.reduce(
    (text, { offset, removed, inserted }) =>
      text.slice(0, offset) + inserted + text.slice(offset + removed.length),
    added.text,
  );
  expect(undone).toBe(before);
});

test('keeps later additions and updates an older version in place', () => {
  const old = createTomlHooksPart(
    { agent: 'kimi', path: '/c.toml', entries },
    { ...PLACE, captureScript: '/old/capture.sh' },
  );
  const text = `${old.install(THEIRS).text}\n[[hooks]]\nevent = "Stop"\ncommand = "echo later"\n`;
  expect(part.inspect(text)).toBe('outdated');
  const renewed = part.install(text).text;
  expect(part.inspect(renewed)).toBe('installed');
  expect(renewed).not.toContain('/old/');
  expect(part.remove(renewed).text).toBe(`${THEIRS}\n[[hooks]]\nevent = "Stop"\ncommand = "echo later"\n`);
});

test('finds hooks after the client has rewritten the file', () => {
  const rewritten = part
    .install(THEIRS)
    .text.split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n');
  expect(part.inspect(rewritten)).toBe('installed');
  expect(parse(part.remove(rewritten).text)).toEqual(parse(THEIRS));
});

test.each([
  ['another form of hooks', 'hooks = [{ event = "Stop", command = "x" }]\n', 'write the hooks as tables'],
  ['a file that is not TOML', 'model = \n', 'invalid value'],
])('refuses %s', (_, text, message) => {
  expect(() => part.install(text)).toThrow(message);
});

test('writes only keys that the client accepts', () => {
  const { hooks } = parse(part.install('').text) as unknown as { hooks: object[] };
  expect(hooks.map((hook) => Object.keys(hook))).toEqual(entries.map(() => ['event', 'command', 'timeout']));
});
