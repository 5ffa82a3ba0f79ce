import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { InstallPart } from './agent-installer.ts';
import { createOwnFilePart } from './own-file-part.ts';
import { OWN_MARK } from './own-mark.ts';
import { installParts, removeParts } from './parts.ts';

let root: string;
let path: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cairn-own-file-'));
  path = join(root, 'agent/plugins/cairn.js');
  mkdirSync(join(root, 'agent'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const owner = () => ({ agent: 'any', recordFolder: join(root, 'records') });
const part = (body: string, isWanted = true): InstallPart =>
  createOwnFilePart({
    kind: 'hooks',
    label: 'the plugin',
    path,
    text: `// ${OWN_MARK}\n${body}\n`,
    isWanted,
  });
const install = (body: string) => installParts([part(body)], owner());
const remove = () => removeParts([part('one')], owner());
const read = () => readFileSync(path, 'utf8');

it('is written, updated and removed with the folders that were made for it', () => {
  install('one');
  expect(read()).toMatch(/^\/\/ Written by Cairn, .*: [0-9a-f]{16}\none\n$/);
  expect(part('one').inspect(read())).toBe('installed');
  expect(install('one')).toMatchObject([{ changed: false, wasThere: true }]);
  expect(part('two').inspect(read())).toBe('outdated');
  install('two');
  expect(read()).toContain('\ntwo\n');
  remove();
  expect(existsSync(dirname(path))).toBe(false);
  expect(existsSync(join(root, 'agent'))).toBe(true);
});

it('is removed without a record, and when it is no longer wanted', () => {
  install('one');
  rmSync(join(root, 'records'), { recursive: true });
  remove();
  expect(existsSync(path)).toBe(false);
  install('one');
  installParts([part('one', false)], owner());
  expect(existsSync(path)).toBe(false);
});

it.each([
  ['foreign', () => 'export default {};\n'],
  ['edited', () => `${read()}// mine\n`],
])('a %s file is left unchanged', (_, change) => {
  install('one');
  const text = change();
  writeFileSync(path, text);
  expect(install('two')).toMatchObject([{ changed: false }]);
  expect(part('two').inspect(read())).toBe('foreign');
  expect(part('two').explain?.('foreign')).toContain('left unchanged');
  remove();
  expect(read()).toBe(text);
});

it('an existing empty file is filled, and is empty again after removal', () => {
  mkdirSync(dirname(path));
  writeFileSync(path, '');
  install('one');
  expect(read()).toContain('one');
  remove();
  expect(read()).toBe('');
});
