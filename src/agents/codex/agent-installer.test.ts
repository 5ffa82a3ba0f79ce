import { expect, it } from 'vitest';
import type { InstallPlace } from '../install/agent-installer.ts';
import { installer } from './agent-installer.ts';
import { registeredEvents } from './events.ts';

const place: InstallPlace = {
  userHome: '/home/u',
  variable: () => undefined,
  platform: 'linux',
  captureScript: '/home/u/.cairn/capture.sh',
  launcher: '/home/u/.cairn/bin/cairn',
  interpreter: '/usr/bin/node',
  hookProgram: '/opt/cairn/hook.cjs',
  cairn: ['/home/u/.cairn/bin/cairn'],
  folder: '/src/app',
  project: null,
  choices: { hasServer: true, allowsTools: false, programs: [] },
};

const [hooks] = installer.listParts(place);
const installed = hooks?.install('{}').text ?? '';
const path = '/home/u/.codex/hooks.json';

const findObstacles = (config: string | null) =>
  installer.findObstacles?.(place, (file) => (file === path ? installed : config)) ?? [];

it('hooks go to hooks.json, the server to config.toml, also in a moved folder', () => {
  expect(installer.listParts(place).map((part) => part.path)).toEqual([path, '/home/u/.codex/config.toml']);
  const moved = { ...place, variable: () => '/x' };
  expect(installer.listParts(moved).map((part) => part.path)).toEqual(['/x/hooks.json', '/x/config.toml']);
});

it('reports how many hooks are not trusted or disabled', () => {
  const count = registeredEvents.length;
  expect(findObstacles(null)).toMatchObject([{ isEverywhere: true }]);
  expect(findObstacles(null)[0]?.message).toContain(`${count} of Cairn's`);
  // The hash that Codex 0.166.0 stores for this hook.
  const trusted = (hash: string, more = '') =>
    `[hooks.state."${path}:stop:0:0"]\ntrusted_hash = "${hash}"\n${more}`;
  expect(findObstacles(trusted('sha256:other'))[0]?.message).toContain(`${count} of`);
  const stop = 'sha256:edd8e0a8793a143a8ef9eb987b6a392e8676438a96f06513404971cd1fc520a8';
  expect(findObstacles(trusted(stop))[0]?.message).toContain(`${count - 1} of`);
  expect(findObstacles(trusted(stop, 'enabled = false\n'))[0]?.message).toContain(`${count} of`);
});

it('skills are written for Codex, without Claude Code syntax', () => {
  const commands = installer.listCommands?.(place);
  expect(commands?.folder).toBe('/home/u/.codex/skills/cairn');
  expect(commands?.files.map(({ name }) => name)).toEqual(
    ['handoff', 'recall', 'resume', 'tasks', 'work'].map((name) => `${name}/SKILL.md`),
  );
  for (const { text } of commands?.files ?? []) expect(text).not.toMatch(/ARGUMENTS|CLAUDE|^!`/m);
});
