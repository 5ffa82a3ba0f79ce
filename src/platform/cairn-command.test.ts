import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { configureCairnCommand, findCairnCommand, quoteIfNeeded, withCairnCommand } from './cairn-command.ts';
import { cliProgram, packageRoot } from './installation.ts';

let root: string;
let launcher: string;
beforeEach(() => {
  root = tempFolder();
  launcher = join(root, '.cairn/bin/cairn');
});

const find = (searchPath = '') => findCairnCommand({ searchPath, userHome: root, launcher });

test.each([
  ['bin', 'cairn'],
  ['node_modules/.bin', '~/.cairn/bin/cairn'],
])('with a link to this program in %s on the PATH, the command is %s', (folder, command) => {
  program(launcher);
  mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(cliProgram(), join(root, folder, 'cairn'));
  expect(find(`/nowhere:${join(root, folder)}`)).toBe(command);
});

test('ignores another program called cairn on the PATH', () => {
  program(launcher);
  program(join(root, 'bin/cairn'));
  expect(find(join(root, 'bin'))).toBe('~/.cairn/bin/cairn');
  expect(find(dirname(launcher))).toBe('cairn');
});

test('ignores a launcher whose program no longer exists', () => {
  program(launcher, `cairn_hook='${join(root, 'gone/hook.cjs')}'\n`);
  expect(find()).toBe(`node ${cliProgram()}`);
  program(launcher, `cairn_hook='${cliProgram()}'\n`);
  expect(find()).toBe('~/.cairn/bin/cairn');
});

test('withCairnCommand replaces only commands in a message', () => {
  program(launcher);
  configureCairnCommand({ searchPath: '', userHome: root, launcher });
  expect(withCairnCommand('cairn: Run: cairn import cairn <file>, or /opt/cairn search')).toBe(
    'cairn: Run: ~/.cairn/bin/cairn import cairn <file>, or /opt/cairn search',
  );
});

test('without a launcher, the command runs the program by its path, quoted for a shell if needed', () => {
  expect(find()).toBe(`node ${join(packageRoot(), 'dist/cli.mjs')}`);
  expect(quoteIfNeeded("/o'neil/my cairn")).toBe(String.raw`'/o'\''neil/my cairn'`);
});

function program(path: string, text = ''): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}`, { mode: 0o755 });
}
