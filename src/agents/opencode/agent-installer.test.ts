import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PLACE } from '../../../test/support/install-place.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { installParts, removeParts } from '../install/parts.ts';
import { installer as kiloInstaller } from '../kilo/agent-installer.ts';
import { installer as opencodeInstaller } from './agent-installer.ts';

const SETTINGS =
  '{\n  // mine\n  "theme": "dark",\n  "mcp": {\n    "other": { "type": "remote", "url": "https://x.invalid" },\n  },\n}\n';

function makeHome(installer: typeof opencodeInstaller, settings?: string) {
  const userHome = tempFolder();
  const place = { ...PLACE, userHome };
  const folder = installer.configFolder(place);
  mkdirSync(folder, { recursive: true });
  if (settings !== undefined) writeFileSync(join(folder, settings), SETTINGS);
  const owner = { agent: installer.id, recordFolder: join(userHome, 'records') };
  const parts = () => installer.listParts(place);
  return {
    folder,
    install: () => installParts(parts(), owner),
    remove: () => removeParts(parts(), owner),
    paths: () => [...new Set(parts().map(({ path }) => path.slice(folder.length + 1)))],
  };
}

test.each([
  { installer: opencodeInstaller, settings: 'opencode.jsonc' },
  { installer: opencodeInstaller, settings: 'opencode.json' },
  { installer: kiloInstaller, settings: 'kilo.json' },
  { installer: kiloInstaller, settings: 'kilo.jsonc' },
])('$installer.id adds a plugin and a server to $settings, and removes both', ({ installer, settings }) => {
  const home = makeHome(installer, settings);
  expect(home.paths()).toEqual(['plugins/cairn.js', settings]);
  home.install();
  const text = readFileSync(join(home.folder, settings), 'utf8');
  expect(text).toContain('// mine');
  expect(text.replaceAll(/\s+/g, '')).toContain(
    '"cairn":{"type":"local","command":["/home/u/.cairn/bin/cairn","mcp"],"enabled":true}',
  );
  expect(readFileSync(join(home.folder, 'plugins/cairn.js'), 'utf8')).toContain(
    `\\"agent\\":\\"${installer.id}\\"`,
  );
  expect(home.install().some(({ changed }) => changed)).toBe(false);
  home.remove();
  expect(readFileSync(join(home.folder, settings), 'utf8')).toBe(SETTINGS);
  expect(existsSync(join(home.folder, 'plugins'))).toBe(false);
});

test('commands have a description and the path of the installed program', () => {
  const { folder, files } = opencodeInstaller.listCommands?.({ ...PLACE, userHome: '/home/u' }) ?? {};
  expect(folder).toBe('/home/u/.config/opencode/commands/cairn');
  expect(files?.map(({ name }) => name)).toEqual([
    'handoff.md',
    'recall.md',
    'resume.md',
    'tasks.md',
    'work.md',
  ]);
  for (const { text } of files ?? []) expect(text).toMatch(/^---\ndescription: "[^"]+"\n---\n\n\S/);
  expect(files?.[0]?.text).toContain("'/home/u/.cairn/bin/cairn' handoff save -");
});

test('creates a missing settings file and deletes it again', () => {
  const home = makeHome(kiloInstaller);
  home.install();
  expect(home.paths()).toEqual(['plugins/cairn.js', 'kilo.jsonc']);
  expect(existsSync(join(home.folder, 'kilo.jsonc'))).toBe(true);
  home.remove();
  expect(existsSync(join(home.folder, 'kilo.jsonc'))).toBe(false);
});

test('refuses unreadable settings and keeps a foreign plugin', () => {
  const home = makeHome(opencodeInstaller);
  const plugin = join(home.folder, 'plugins/cairn.js');
  mkdirSync(dirname(plugin));
  writeFileSync(plugin, '// mine\n');
  home.install();
  expect(readFileSync(plugin, 'utf8')).toBe('// mine\n');
  writeFileSync(join(home.folder, 'opencode.json'), '{ "mcp": ');
  expect(() => home.install()).toThrow(/opencode\.json:1:\d+: .*Nothing was changed/);
});
