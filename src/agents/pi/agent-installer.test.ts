import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PLACE } from '../../../test/support/install-place.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import type { InstallPlace } from '../install/agent-installer.ts';
import { installParts, removeParts } from '../install/parts.ts';
import { installer } from './agent-installer.ts';

function makeHome(choices: Partial<InstallPlace['choices']> = {}) {
  const userHome = tempFolder();
  const place = { ...PLACE, userHome, choices: { ...PLACE.choices, ...choices } };
  const owner = { agent: 'pi', recordFolder: join(userHome, 'records') };
  const parts = installer.listParts(place);
  const extension = join(userHome, '.pi/agent/extensions/cairn.js');
  expect(parts.map(({ path }) => path)).toEqual([extension]);
  return {
    ...{ extension, parts },
    install: () => installParts(parts, owner),
    remove: () => removeParts(parts, owner),
  };
}

test('writes one file once, and removes it with its folder', () => {
  const home = makeHome();
  home.install();
  expect(readFileSync(home.extension, 'utf8')).toContain('\\"agent\\":\\"pi\\"');
  expect(home.install().some(({ changed }) => changed)).toBe(false);
  home.remove();
  expect(existsSync(dirname(home.extension))).toBe(false);
});

test('keeps a foreign extension', () => {
  const home = makeHome();
  home.install();
  writeFileSync(home.extension, '// mine\n');
  home.install();
  home.remove();
  expect(readFileSync(home.extension, 'utf8')).toBe('// mine\n');
});

test('registers tools only if they are chosen', () => {
  const [withTools] = makeHome().parts;
  const [without] = makeHome({ hasServer: false }).parts;
  expect(withTools?.server).toEqual({ command: '/home/u/.cairn/bin/cairn', args: ['mcp'] });
  expect(without?.server).toBeUndefined();
  expect(without?.install(null).text).toContain('\\"server\\":null');
});

test('commands are templates directly in the prompts folder', () => {
  const { folder, files } = installer.listCommands?.(PLACE) ?? {};
  expect(folder).toBe('/home/u/.pi/agent/prompts');
  expect(files?.map(({ name }) => name)).toEqual(
    ['handoff', 'recall', 'resume', 'tasks', 'work'].map((name) => `cairn-${name}.md`),
  );
});

test('cannot be installed for a single project', () => {
  const project = { folder: '/src/app', repository: '/src/app' };
  expect(installer.listParts({ ...PLACE, project })).toEqual([]);
});
