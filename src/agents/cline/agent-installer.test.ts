import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PLACE } from '../../../test/support/install-place.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { installParts, removeParts } from '../install/parts.ts';
import { installer } from './agent-installer.ts';

const SERVERS = '{\n  "mcpServers": {\n    "other": {"transport": {"type": "sse", "url": "x"}}\n  }\n}\n';

function makeHome() {
  const userHome = tempFolder();
  const owner = { agent: 'cline', recordFolder: join(userHome, 'records') };
  const parts = installer.listParts({ ...PLACE, userHome });
  const plugin = join(userHome, '.cline/plugins/cairn.js');
  const servers = join(userHome, '.cline/data/settings/cline_mcp_settings.json');
  expect(parts.map(({ path }) => path)).toEqual([plugin, servers]);
  mkdirSync(dirname(servers), { recursive: true });
  writeFileSync(servers, SERVERS);
  return {
    ...{ plugin, servers },
    install: () => installParts(parts, owner),
    remove: () => removeParts(parts, owner),
    states: () => parts.map((part) => part.inspect(readFileSync(part.path, 'utf8'))),
  };
}

test('writes a plugin and a server entry once, and removes both', () => {
  const home = makeHome();
  home.install();
  expect(readFileSync(home.plugin, 'utf8')).toContain('\\"agent\\":\\"cline\\"');
  expect(JSON.parse(readFileSync(home.servers, 'utf8')).mcpServers.cairn).toEqual({
    transport: { type: 'stdio', command: '/home/u/.cairn/bin/cairn', args: ['mcp'], env: {} },
  });
  expect(home.states()).toEqual(['installed', 'installed']);
  expect(home.install().some(({ changed }) => changed)).toBe(false);
  home.remove();
  expect(existsSync(dirname(home.plugin))).toBe(false);
  expect(readFileSync(home.servers, 'utf8')).toBe(SERVERS);
});

test('commands are workflows without $ARGUMENTS', () => {
  const { folder, files } = installer.listCommands?.(PLACE) ?? {};
  expect(folder).toBe('/home/u/.cline/workflows');
  expect(files?.map(({ name }) => name)).toEqual(
    ['handoff', 'recall', 'resume', 'tasks', 'work'].map((name) => `cairn-${name}.md`),
  );
  expect(files?.map(({ text }) => text).join()).not.toContain('$ARGUMENTS');
});

test('cannot be installed for a single project', () => {
  const project = { folder: '/src/app', repository: '/src/app' };
  expect(installer.listParts({ ...PLACE, project })).toEqual([]);
});
