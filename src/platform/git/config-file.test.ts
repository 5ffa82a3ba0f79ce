import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { formatSection, parseConfig } from './config-file.ts';

describe('parseConfig', () => {
  it.each([
    ['nothing', ''],
    ['comments', '# a\n; b \\\n[core] # c\n\tbare = false ; d\n'],
    [
      'quotes and escapes',
      '[a "b \\"c\\" \\\\d"]\n\tkey = "x ; y" z # w\n\tother = "  in  " \n\ttab = a\\tb\n',
    ],
    ['a value on several lines', '[a]\n\tkey = one \\\n  two\\\n three\n'],
    ['sections and keys on one line', '[core] bare = true\n[a.b] key = c\n'],
    ['keys without a value', '[a]\n\tkey\n\tother\n'],
    ['letters of any case, and several values', '[Remote "Origin"]\n\tFetch = a\n\tfetch = b\n'],
    ['Windows line endings', '[a]\r\n\tkey = value\r\n'],
    ['a key before any section', 'key = value\n'],
    ['an empty value', '[safe]\n\tdirectory =\n\tdirectory = *\n'],
  ])('parses %s as git does', (_name, text) => {
    expect(
      parseConfig(text)?.map(({ section, subsection, key, value }) => [
        [section, subsection, key].filter((part) => part !== '').join('.'),
        value,
      ]),
    ).toEqual(asGitReads(text));
  });

  it.each(['torn [', '[a\nb = 1\n', '[a]\n\t= value\n', '[a]\n\t1key = value\n'])(
    'returns null for input that git refuses: %j',
    (text) => {
      expect(parseConfig(text)).toBeNull();
      expect(() => asGitReads(text)).toThrow();
    },
  );
});

it('parseConfig and git read the output of formatSection alike', () => {
  const text = formatSection('branch', 'a "b" \\c #d', [
    ['remote', ' x ; "y" \\z '],
    ['merge', 'refs/heads/größe'],
  ]);
  expect(parseConfig(text)?.map(({ value }) => value)).toEqual([' x ; "y" \\z ', 'refs/heads/größe']);
  expect(asGitReads(text).map(([, value]) => value)).toEqual([' x ; "y" \\z ', 'refs/heads/größe']);
});

function asGitReads(text: string): [string, string][] {
  const file = join(tempFolder(), 'config');
  writeFileSync(file, text);
  const output = execFileSync('git', ['config', '--file', file, '--list', '-z'], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return output
    .split('\0')
    .filter(Boolean)
    .map((entry) => {
      const [name = '', ...value] = entry.split('\n');
      return [name, value.length === 0 ? 'true' : value.join('\n')];
    });
}
