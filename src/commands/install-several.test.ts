import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { install, noModel, root, run, uninstall, useHome } from '../../test/support/install-home.ts';
import { installers } from '../agents/install/installers.ts';
import { createInstallCommand } from './install.ts';
import { UsageError } from './support/command.ts';

useHome();

/** No client of this machine may matter. */
const NO_PROGRAMS = { PATH: '/nowhere' };

/** Settings as people have them: comments, BOM, CRLF, odd spaces, no line break at the end. */
const SETTINGS: Record<string, string> = {
  '.claude/settings.json': '{\r\n  "model": "opus",\r\n  "hooks": {}\r\n}\r\n',
  '.codex/config.toml': 'model = "x" # mine\r\n\r\n[mcp_servers.other]\r\ncommand = "true"\r\n',
  '.codex/hooks.json': '\ufeff{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}',
  '.gemini/settings.json': '{}',
  '.qwen/settings.json': '{ // mine\n "a": 1,\n}\n',
  '.factory/settings.json': '{"hooks":{"Stop":[ {"hooks":[]} ]} }',
  '.copilot/config.json': '{}',
  '.cursor/hooks.json': '{"version":1,"hooks":{"stop":[{"command":"./a.sh"}]}}',
  '.codeium/windsurf/memories/global_rules.md': 'Use tabs.',
  '.config/opencode/opencode.jsonc': '{\n  // mine\n  "mcp": {},\n}\n',
  '.config/kilo/kilo.jsonc': '{}\n',
  '.pi/agent/settings.json': '{}',
  '.cline/data/settings/cline_mcp_settings.json': '{ "mcpServers" : { } }',
  '.kimi-code/config.toml': '# mine\n[[hooks]]\nevent = "Stop"\ncommand = "true"',
  '.continue/config.yaml': 'name: mine # c\nmcpServers:\n  - name: x\n    command: y\n',
  '.config/zed/settings.json': '// mine\n{ "theme": "x", "context_servers": {} }\n',
};

function writeFiles(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, 'user', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Every folder, link and file below the person's home but Cairn's own. */
function readHome(): Record<string, string> {
  const user = join(root, 'user');
  const found = readdirSync(user, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.split('/')[0] !== '.cairn',
  );
  return Object.fromEntries(found.sort().map((name) => [name, describeEntry(join(user, name))]));
}

function describeEntry(path: string): string {
  const kind = lstatSync(path);
  if (kind.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  return kind.isDirectory() ? 'a folder' : readFileSync(path, 'base64');
}

it('connects every agent at once, and uninstall leaves every file, link and folder as it was', async () => {
  writeFiles(SETTINGS);
  writeFiles({ 'dotfiles/copilot.json': '{"mcpServers":{}}' });
  const link = join(root, 'user/.copilot/mcp-config.json');
  symlinkSync(relative(dirname(link), join(root, 'user/dotfiles/copilot.json')), link);
  const before = readHome();

  const { code, out } = await run(install(), [], { all: true, yes: true, link: true }, false, NO_PROGRAMS);
  expect(code).toBe(0);
  const connected = out.filter((line) => line.startsWith('Cairn is installed for'));
  expect(connected).toHaveLength(15);
  expect(out.join('\n')).not.toContain('left out');
  const after = readHome();
  expect(after['.copilot/mcp-config.json']).toBe(before['.copilot/mcp-config.json']);
  expect(after['dotfiles/copilot.json']).not.toBe(before['dotfiles/copilot.json']);

  await run(uninstall(), [], { yes: true }, false, NO_PROGRAMS);
  expect(readHome()).toEqual(before);
});

it.each(installers.map(({ id }) => id))(
  '%s: what did not exist before is gone after uninstall',
  async (id) => {
    // Continue makes this file itself, and without it Cairn refuses.
    writeFiles({ '.continue/config.yaml': 'name: mine\n' });
    const before = readHome();
    await run(install(), [id], { yes: true, link: true }, false, NO_PROGRAMS);
    expect(readHome()).not.toEqual(before);
    await run(uninstall(), [id], { yes: true }, false, NO_PROGRAMS);
    expect(readHome()).toEqual(before);
  },
);

it('shows one diff of all files and asks once', async () => {
  writeFiles({ '.codex/config.toml': 'model = "x"\n', '.config/zed/settings.json': '{ broken' });
  const before = readHome();
  const questions: string[] = [];
  const command = createInstallCommand(async (question) => questions.push(question) === 0, noModel);
  const { code, out } = await run(command, [], {}, true, NO_PROGRAMS);
  expect(code).toBe(1);
  expect(questions).toEqual([expect.stringMatching(/^Write 14 hooks to .+ and .+\?$/)]);
  const [diff = '', ...rest] = out;
  for (const name of ['.claude/settings.json', '.claude.json', '.codex/hooks.json', '.codex/config.toml'])
    expect(diff).toContain(`+++ ${join(root, 'user', name)}`);
  expect(rest).toEqual([expect.stringContaining('Zed was left out.'), 'Nothing was changed.']);
  expect(readHome()).toEqual(before);
});

it('a read-only file stops named agents before any file is changed, and is left out otherwise', async () => {
  writeFiles({ '.cursor/hooks.json': '{"version":1,"hooks":{}}' });
  chmodSync(join(root, 'user/.cursor/hooks.json'), 0o444);
  const before = readHome();
  const named = run(install(), ['claude-code', 'cursor'], { yes: true }, false, NO_PROGRAMS);
  await expect(named).rejects.toThrow(/hooks\.json is read-only\. Nothing was changed\./);
  expect(readHome()).toEqual(before);
  // What the message advises.
  const shown = await run(install(), ['cursor'], { 'dry-run': true }, false, NO_PROGRAMS);
  expect(shown.out.join('\n')).toContain('hook cursor stop settings');

  const { out } = await run(install(), [], { yes: true, link: true }, false, NO_PROGRAMS);
  expect(out.join('\n')).toMatch(/Cursor was left out\. .*is read-only/);

  chmodSync(join(root, 'user/.cursor/hooks.json'), 0o644);
  await run(install(), ['cursor'], { yes: true, link: true }, false, NO_PROGRAMS);
  chmodSync(join(root, 'user/.cursor/hooks.json'), 0o444);
  const installed = readHome();
  await expect(run(uninstall(), [], { yes: true }, false, NO_PROGRAMS)).rejects.toThrow('is read-only');
  expect(readHome()).toEqual(installed);
});

it('names and --all together are refused', async () => {
  await expect(run(install(), ['codex'], { all: true })).rejects.toThrow(UsageError);
});
