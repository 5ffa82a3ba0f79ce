import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PLACE } from '../../../test/support/install-place.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { buildHookCommand } from '../install/hook-command.ts';
import { installParts, removeParts } from '../install/parts.ts';
import { installer } from './agent-installer.ts';
import { registeredEvents } from './events.ts';

const SERVERS = '{\n  "mcpServers": {\n    "other": {"type": "local", "command": "x", "args": []}\n  }\n}\n';

function makeHome() {
  const userHome = tempFolder();
  const owner = { agent: 'copilot', recordFolder: join(userHome, 'records') };
  const parts = installer.listParts({ ...PLACE, userHome });
  const [hooks, server] = parts.map(({ path }) => path);
  if (!hooks || !server) throw new Error('no parts');
  mkdirSync(dirname(server), { recursive: true });
  writeFileSync(server, SERVERS);
  return {
    ...{ hooks, server },
    install: () => installParts(parts, owner),
    remove: () => removeParts(parts, owner),
    states: () => parts.map((part) => part.inspect(readFileSync(part.path, 'utf8'))),
  };
}

test('writes its hooks file and a server entry once, and removes both', () => {
  const home = makeHome();
  home.install();
  const file = JSON.parse(readFileSync(home.hooks, 'utf8'));
  const command = buildHookCommand('copilot', PLACE);
  expect({ ...file, description: '' }).toEqual({
    version: 1,
    description: '',
    hooks: Object.fromEntries(
      registeredEvents.map(({ event }) => [
        event,
        [{ type: 'command', bash: command(event), timeoutSec: 5 }],
      ]),
    ),
  });
  expect(JSON.parse(readFileSync(home.server, 'utf8')).mcpServers.cairn).toEqual({
    type: 'local',
    command: '/home/u/.cairn/bin/cairn',
    args: ['mcp'],
    env: {},
    tools: ['*'],
  });
  expect(home.states()).toEqual(['installed', 'installed']);
  expect(home.install().some(({ changed }) => changed)).toBe(false);
  home.remove();
  expect(existsSync(dirname(home.hooks))).toBe(false);
  expect(readFileSync(home.server, 'utf8')).toBe(SERVERS);
});

test('refuses an unreadable servers file', () => {
  const home = makeHome();
  writeFileSync(home.server, '{ "mcpServers": ');
  expect(() => home.install()).toThrow(/mcp-config\.json:1:\d+: .*Nothing was changed/);
});

test('uses PowerShell on Windows', () => {
  const [hooks] = installer.listParts({ ...PLACE, platform: 'win32', interpreter: 'C:\\node.exe' });
  const { text } = hooks?.install(null) ?? { text: '{}' };
  expect(JSON.parse(text).hooks.agentStop).toEqual([
    {
      type: 'command',
      powershell: '& "C:/node.exe" "/opt/cairn/hook.cjs" copilot agentStop settings',
      timeoutSec: 5,
    },
  ]);
});

test('cannot be installed for a single project', () => {
  const project = { folder: '/src/app', repository: '/src/app' };
  expect(installer.listParts({ ...PLACE, project })).toEqual([]);
});
