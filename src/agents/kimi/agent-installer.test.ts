import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { PLACE } from '../../../test/support/install-place.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { installParts, removeParts } from '../install/parts.ts';
import { installer } from './agent-installer.ts';
import { registeredEvents } from './events.ts';

const SETTINGS = '# mine\nmodel = "m"\n\n[[hooks]]\nevent = "Stop"\ncommand = "say done"';

function makeHome(settings?: string) {
  const userHome = tempFolder();
  const owner = { agent: 'kimi', recordFolder: join(userHome, 'records') };
  const parts = installer.listParts({ ...PLACE, userHome });
  const config = join(userHome, '.kimi-code/config.toml');
  const servers = join(userHome, '.kimi-code/mcp.json');
  expect(parts.map(({ path }) => path)).toEqual([config, servers]);
  mkdirSync(dirname(config));
  if (settings !== undefined) writeFileSync(config, settings);
  return {
    ...{ config, servers },
    install: () => installParts(parts, owner),
    remove: () => removeParts(parts, owner),
  };
}

test('adds hooks and a server once, and removes both byte for byte', () => {
  const home = makeHome(SETTINGS);
  home.install();
  const text = readFileSync(home.config, 'utf8');
  expect(text.startsWith(SETTINGS)).toBe(true);
  expect(parse(text).hooks).toMatchObject([
    { event: 'Stop', command: 'say done' },
    ...registeredEvents.map(({ event }) => ({ event, command: expect.stringContaining(`kimi ${event} `) })),
  ]);
  expect(JSON.parse(readFileSync(home.servers, 'utf8')).mcpServers.cairn).toEqual({
    command: '/home/u/.cairn/bin/cairn',
    args: ['mcp'],
    env: {},
  });
  expect(home.install().some(({ changed }) => changed)).toBe(false);
  home.remove();
  expect(readFileSync(home.config, 'utf8')).toBe(SETTINGS);
  expect(existsSync(home.servers)).toBe(false);
});

test("keeps the person's later additions", () => {
  const home = makeHome(SETTINGS);
  home.install();
  writeFileSync(home.config, `${readFileSync(home.config, 'utf8')}\n[mcp]\nx = 1\n`);
  home.remove();
  expect(readFileSync(home.config, 'utf8')).toBe(`${SETTINGS}\n\n[mcp]\nx = 1\n`);
});

test('refuses settings that are not TOML', () => {
  const home = makeHome('model = \n');
  expect(() => home.install()).toThrow(/config\.toml:1:\d+: .*Nothing was changed/);
  expect(readFileSync(home.config, 'utf8')).toBe('model = \n');
});

test('commands are skills in separate folders', () => {
  const { folder, files } = installer.listCommands?.(PLACE) ?? {};
  expect(folder).toBe('/home/u/.kimi-code/skills');
  expect(files?.[0]?.name).toBe('cairn-handoff/SKILL.md');
  expect(files?.map(({ text }) => text).join()).toContain('after /skill:cairn-recall)');
});

test('cannot be installed for a single project', () => {
  const project = { folder: '/src/app', repository: '/src/app' };
  expect(installer.listParts({ ...PLACE, project })).toEqual([]);
});
