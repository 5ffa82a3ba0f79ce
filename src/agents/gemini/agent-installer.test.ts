import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import type { InstallPlace } from '../install/agent-installer.ts';
import { installer } from './agent-installer.ts';

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
const manifestFor = (more: Partial<InstallPlace['choices']> = {}) => {
  const [manifest] = installer.listParts({ ...place, choices: { ...place.choices, ...more } });
  if (!manifest) throw new Error('no manifest');
  return manifest;
};

it('uses an extension for all projects and the settings for one', () => {
  expect(installer.listParts(place).map(({ path }) => path)).toEqual([
    '/home/u/.gemini/extensions/cairn/gemini-extension.json',
    '/home/u/.gemini/extensions/cairn/hooks/hooks.json',
  ]);
  const parts = installer.listParts({ ...place, project: { folder: '/p', repository: '/p' } });
  expect(parts.map(({ kind, path }) => [kind, path])).toEqual([
    ['hooks', '/p/.gemini/settings.json'],
    ['mcp server', '/p/.gemini/settings.json'],
  ]);
});

it('the manifest has the server unless it is not wanted, and keeps tools allowed', () => {
  const { text } = manifestFor().install('');
  expect(JSON.parse(text)).toMatchObject({
    name: 'cairn',
    mcpServers: { cairn: { command: '/home/u/.cairn/bin/cairn', args: ['mcp'] } },
  });
  expect(JSON.parse(manifestFor({ hasServer: false }).install(text).text)).not.toHaveProperty('mcpServers');
  const allowed = manifestFor({ allowsTools: true }).install(text).text;
  expect(allowed).toContain('"trust": true');
  expect(manifestFor().inspect(allowed)).toBe('installed');
  expect(manifestFor().install(allowed)).toMatchObject({ text: allowed, changed: false });
  expect(manifestFor().remove(allowed)).toMatchObject({ text: '', wasThere: true });
});

it('commands are valid TOML', () => {
  const files = installer.listCommands?.(place).files ?? [];
  expect(files.map(({ name }) => name)).toContain('handoff.toml');
  for (const { name, text } of files) {
    const { description, prompt } = parse(text);
    expect([name, typeof description, typeof prompt]).toEqual([name, 'string', 'string']);
    expect(prompt).not.toMatch(/ARGUMENTS|CLAUDE/);
  }
});
