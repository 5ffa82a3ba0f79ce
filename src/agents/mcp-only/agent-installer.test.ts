import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { install, root, run, uninstall, useHome } from '../../../test/support/install-home.ts';
import { PLACE } from '../../../test/support/install-place.ts';
import { isObject } from '../../model/json.ts';
import { installer as continueInstaller } from '../continue/agent-installer.ts';
import { mcpOnlyInstallers } from './agent-installer.ts';

useHome();

/** Possible earlier contents of an agent's files, by the end of the path. */
const THEIRS: Record<string, string> = {
  '.md': '# Mine\n\nUse tabs.\n',
  '.goosehints': 'Use tabs.\n',
  '.json': '{\n  "theme":  "dark",\n  "mcpServers": { "other": { "command": "o" } }\n}\n',
  '.yaml': '# mine\nGOOSE_MODE: auto # here\nmcpServers:\n  - name: other\n    command: o\n',
};

const clients = [...mcpOnlyInstallers, continueInstaller];

describe.each(clients.map((installer) => [installer.id, installer] as const))('%s', (id, installer) => {
  const parts = () => installer.listParts({ ...PLACE, userHome: join(root, 'user') });

  test('gets the server and the rules in new files, which uninstall removes', async () => {
    if (id === 'continue') {
      await expect(run(install(), [id], { yes: true })).rejects.toThrow('Create it with Continue');
      return;
    }
    const before = listFiles();
    const { code, out } = await run(install(), [id], { yes: true });
    expect(code).toBe(0);
    expect(out.join('\n')).toContain(`Nothing of ${installer.name} is captured`);
    if (installer.verifiedWith === null) expect(out.join('\n')).toContain('has not been tested with');
    for (const { path } of parts()) expect(existsSync(path), path).toBe(true);
    expect(serverIn(parts()[0]?.path ?? '')).toEqual([join(root, 'user/.cairn/bin/cairn'), 'mcp']);
    expect((await run(install(), [id], { yes: true })).out.join('\n')).toContain('already installed');
    await run(uninstall(), [id], { yes: true });
    expect(listFiles().filter((path) => !path.startsWith('user/.cairn'))).toEqual(before);
  });

  test('restores existing files byte for byte', async () => {
    const own = parts().filter(({ path }) => !path.endsWith('cairn.md'));
    for (const { path } of own) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, theirs(path));
    }
    expect((await run(install(), [id], { yes: true })).code).toBe(0);
    for (const { path } of own) expect(readFileSync(path, 'utf8')).not.toBe(theirs(path));
    await run(uninstall(), [id], { yes: true });
    for (const { path } of own) expect(readFileSync(path, 'utf8')).toBe(theirs(path));
  });

  test('cannot be installed without the server', async () => {
    await expect(run(install(), [id], { yes: true, 'no-mcp': true })).rejects.toThrow('Leave out --no-mcp');
  });
});

describe('--allow-tools', () => {
  test.each([
    ['crush', '.config/crush/crush.json', '"mcp_cairn_search"'],
    ['zed', '.config/zed/settings.json', '"mcp:cairn:search": {'],
    ['kiro', '.kiro/settings/mcp.json', '"autoApprove"'],
  ])('%s may use the tools, and uninstall restores its file', async (id, name, rule) => {
    const path = join(root, 'user', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, theirs(path));
    await run(install(), [id], { yes: true });
    expect(readFileSync(path, 'utf8')).not.toContain(rule);
    const { out } = await run(install(), [id], { yes: true, 'allow-tools': true });
    expect(readFileSync(path, 'utf8')).toContain(rule);
    expect(out.join('\n')).not.toContain('--allow-tools');
    await run(install(), [id], { yes: true });
    expect(readFileSync(path, 'utf8')).toContain(rule);
    await run(uninstall(), [id], { yes: true });
    expect(readFileSync(path, 'utf8')).toBe(theirs(path));
  });

  test('has a message if the agent ignores permissions in a project', async () => {
    const options = { yes: true, project: true, 'allow-tools': true };
    process.chdir(root);
    const { out } = await run(install(), ['zed'], options);
    expect(out.join('\n')).toContain('--allow-tools changes nothing for Zed');
  });
});

test('an agent that reads Markdown commands gets them, and uninstall removes them', async () => {
  const folder = join(root, 'user/.augment/commands');
  await run(install(), ['auggie'], { yes: true });
  expect(readdirSync(folder).sort()).toEqual(
    ['handoff', 'recall', 'resume', 'tasks', 'work'].map((name) => `cairn-${name}.md`),
  );
  // Auggie replaces names in braces by arguments.
  for (const name of readdirSync(folder))
    expect(readFileSync(join(folder, name), 'utf8')).not.toMatch(/\{\w+\}/);
  await run(uninstall(), ['auggie'], { yes: true });
  expect(existsSync(folder)).toBe(false);
});

test('writes project files for agents that read them', async () => {
  const place = { ...PLACE, project: { folder: '/src/app', repository: '/src/app' } };
  const files = clients.map((installer) => [
    installer.id,
    [...new Set(installer.listParts(place).map(({ path }) => relative('/src/app', path)))],
  ]);
  expect(Object.fromEntries(files)).toEqual({
    amp: ['.amp/settings.json'],
    auggie: ['.augment/settings.json', '.augment/rules/cairn.md'],
    continue: [],
    crush: ['crush.json'],
    goose: [],
    zed: ['.zed/settings.json'],
    kiro: ['.kiro/settings/mcp.json', '.kiro/steering/cairn.md'],
    antigravity: ['.agents/mcp_config.json'],
    junie: ['.junie/mcp/mcp.json', '.junie/AGENTS.md'],
  });
});

function theirs(path: string): string {
  return Object.entries(THEIRS).find(([end]) => path.endsWith(end))?.[1] ?? '';
}

function listFiles(): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
}

/** The command line of Cairn's server, wherever it is in the file. */
function serverIn(path: string): string[] | undefined {
  const text = readFileSync(path, 'utf8');
  const find = (value: unknown): string[] | undefined => {
    if (Array.isArray(value)) return value.map(find).find(Boolean);
    if (!isObject(value)) return undefined;
    const { args } = value;
    if (Array.isArray(args)) return [value.command ?? value.cmd, ...args].map(String);
    return Object.values(value).map(find).find(Boolean);
  };
  return find(path.endsWith('.yaml') ? parse(text) : JSON.parse(text));
}
