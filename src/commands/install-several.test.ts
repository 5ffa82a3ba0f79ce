import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { install, noModel, root, run, uninstall, useHome } from '../../test/support/install-home.ts';
import { installers } from '../agents/install/installers.ts';
import { command as doctor } from './doctor.ts';
import { createInstallCommand } from './install.ts';
import { UsageError } from './support/command.ts';

useHome();

/** An empty PATH hides the clients of this machine. */
const NO_PROGRAMS = { PATH: '/nowhere' };

/** Settings as they occur in practice: comments, a BOM, CRLF, unusual spacing, no final line break. */
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

/** Every folder, link and file in the person's home except Cairn's own. */
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
  '%s: uninstall removes everything that install created',
  async (id) => {
    // Continue creates this file itself; without it Cairn refuses to install.
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
  // The error message suggests a dry run, which must work.
  const shown = await run(install(), ['cursor'], { 'dry-run': true }, false, NO_PROGRAMS);
  expect(shown.out.join('\n')).toContain('hook cursor stop settings');

  const { out } = await run(install(), [], { yes: true, link: true }, false, NO_PROGRAMS);
  expect(out.join('\n')).toMatch(/Cursor was left out\. .*is read-only/);

  chmodSync(join(root, 'user/.cursor/hooks.json'), 0o644);
  await run(install(), ['cursor'], { yes: true, link: true }, false, NO_PROGRAMS);
  chmodSync(join(root, 'user/.cursor/hooks.json'), 0o444);
  const installed = readHome();
  const removal = run(uninstall(), ['claude-code', 'cursor'], { yes: true }, false, NO_PROGRAMS);
  await expect(removal).rejects.toThrow('is read-only');
  expect(readHome()).toEqual(installed);
});

it('skips an agent without its own configuration with a message, and connects the others', async () => {
  writeFiles({ '.continue/sessions/sessions.json': '[]', '.qwen/settings.json': '{ broken' });
  const { code, out } = await run(install(), [], { all: true, yes: true, link: true }, false, NO_PROGRAMS);
  expect(code).toBe(0);
  expect(out).toContain('Cairn is installed for Claude Code: 14 hooks.');
  const config = join(root, 'user/.continue/config.yaml');
  const leftOut = out.filter((line) => line.includes('was left out'));
  expect(leftOut).toEqual([
    `Continue was left out. Continue has no ${config} yet. Create it with Continue, then run this again.`,
    expect.stringMatching(/^Qwen Code was left out\. .*settings\.json:1:3: .*Correct this place/),
  ]);
  // Other agents were changed.
  expect(leftOut.join()).not.toContain('Nothing was changed');
  expect(existsSync(config)).toBe(false);
});

it('lists every reason if no agent can be connected', async () => {
  writeFiles({
    '.claude/settings.json': '[]',
    '.cursor/hooks.json': '{',
    '.qwen/settings.json': '{ nonsense',
  });
  const before = readHome();
  await expect(run(install(), [], { all: true, yes: true }, false, NO_PROGRAMS)).rejects.toThrow(
    /^No agent can be connected\.\nClaude Code was left out\..*\nCursor was left out\..*\nQwen Code was left out\..*$/,
  );
  expect(readHome()).toEqual(before);
});

describe('uninstall --all', () => {
  const SIX = ['claude-code', 'codex', 'cursor', 'windsurf', 'opencode', 'zed'];

  it('disconnects every connected agent and says what it did in each', async () => {
    writeFiles({ '.codex/config.toml': 'model = "x"\n', '.qwen/settings.json': '{}' });
    const before = readHome();
    await run(install(), SIX, { yes: true, link: true }, false, NO_PROGRAMS);
    const { code, out } = await run(uninstall(), [], { all: true, yes: true }, false, NO_PROGRAMS);
    expect(code).toBe(0);
    expect(out.filter((line) => line.startsWith('Removed Cairn from'))).toEqual(
      ['Claude Code', 'Codex', 'Cursor', 'Windsurf', 'OpenCode', 'Zed'].map(
        (name) => `Removed Cairn from ${name}.`,
      ),
    );
    expect(out).toContain(`Install again: cairn install ${SIX.join(' ')}`);
    expect(readHome()).toEqual(before);
    expect(existsSync(join(root, 'user/.cairn/capture.sh'))).toBe(false);
    await expect(run(uninstall(), [], { all: true, yes: true }, false, NO_PROGRAMS)).rejects.toThrow(
      'No agent is connected; nothing was changed.',
    );
  });

  it('continues after a failure, and reports it in the exit code and the JSON', async () => {
    const before = readHome();
    await run(install(), SIX, { yes: true, link: true }, false, NO_PROGRAMS);
    chmodSync(join(root, 'user/.cursor/hooks.json'), 0o444);
    writeFileSync(join(root, 'user/.codex/config.toml'), 'broken [');
    const dry = await run(uninstall(), [], { all: true, 'dry-run': true }, false, NO_PROGRAMS);
    expect(dry.code).toBe(1);
    expect(dry.err).toEqual([expect.stringMatching(/^Cairn was not removed from Codex\. .*config\.toml:1:/)]);

    const { code, out } = await run(uninstall(), [], { all: true, yes: true }, false, NO_PROGRAMS);
    expect(code).toBe(1);
    expect(out.filter((line) => line.startsWith('Removed Cairn from'))).toHaveLength(4);
    expect(out.filter((line) => line.startsWith('Cairn was not removed'))).toEqual([
      expect.stringMatching(/^Cairn was not removed from Codex\. .*config\.toml:1:/),
      expect.stringMatching(/^Cairn was not removed from Cursor\. .*hooks\.json is read-only/),
    ]);
    expect(out.at(-1)).toBe('Install again: cairn install claude-code windsurf opencode zed');
    const left = Object.keys(readHome()).filter((name) => !(name in before));
    expect(left.filter((name) => !/^\.(codex|cursor)/.test(name))).toEqual([]);
    // The hooks of the remaining agents still run.
    expect(existsSync(join(root, 'user/.cairn/capture.sh'))).toBe(true);

    const again = await run(uninstall(), [], { all: true, yes: true, json: true }, false, NO_PROGRAMS);
    expect(again.code).toBe(1);
    expect(JSON.parse(again.out.join('\n'))).toMatchObject({
      agents: [
        { agent: 'codex', status: 'failed', notes: [expect.stringContaining('config.toml:1:')] },
        { agent: 'cursor', status: 'failed', notes: [expect.stringContaining('is read-only')] },
      ],
    });

    chmodSync(join(root, 'user/.cursor/hooks.json'), 0o644);
    writeFileSync(join(root, 'user/.codex/config.toml'), '');
    const last = await run(uninstall(), [], { all: true, yes: true }, false, NO_PROGRAMS);
    expect(last.code).toBe(0);
    expect(existsSync(join(root, 'user/.cairn/capture.sh'))).toBe(false);
  });

  it('finds an agent whose own folder is gone, and lists files that are left for a project', async () => {
    const project = join(root, 'project');
    mkdirSync(project);
    await run(install(), ['claude-code'], { yes: true, link: true }, false, NO_PROGRAMS);
    process.chdir(project);
    await run(install(), ['claude-code'], { project: true, yes: true, link: true }, false, NO_PROGRAMS);
    process.chdir(root);
    rmSync(join(root, 'user/.claude'), { recursive: true });
    const { code, out } = await run(uninstall(), [], { all: true, yes: true }, false, NO_PROGRAMS);
    expect(code).toBe(0);
    expect(out).toContain(`  Removed the MCP server from ${root}/user/.claude.json.`);
    expect(out.filter((line) => line.includes('for one project'))).toEqual([
      expect.stringMatching(
        /project\/\.claude\/settings\.json still has Cairn, for one project\. Run there: cairn uninstall claude-code --project$/,
      ),
    ]);
    expect(existsSync(join(root, 'user/.cairn/capture.sh'))).toBe(true);
  });
});

it.each([
  ['OpenCode', 'opencode', '.config/opencode/plugins/cairn.js', 'the plugin'],
  ['GitHub Copilot CLI', 'copilot', '.copilot/hooks/cairn.json', '8 hooks'],
  ['Pi', 'pi', '.pi/agent/extensions/cairn.js', 'the extension with the tools'],
])(
  '%s: a file of the person in place of ours stays, and install and doctor report it',
  async (name, id, path, what) => {
    writeFiles({ [path]: '{}\n' });
    const { out } = await run(install(), [id], { yes: true, link: true }, false, NO_PROGRAMS);
    expect(out[0]).toBe(`Cairn is installed for ${name} without ${what}.`);
    expect(out).toContain(
      `${root}/user/${path} was not written by Cairn, or was changed since, so it was left unchanged. To use Cairn's, move it away and run this again.`,
    );
    const checks = await run(doctor, [], { json: true }, false, NO_PROGRAMS);
    const found: { name: string; state: string }[] = JSON.parse(checks.out.join('\n')).checks;
    expect(found.filter((check) => check.state !== 'ok' && check.name !== 'Claude Code')).toEqual([
      {
        name,
        state: 'warn',
        message: `${root}/user/${path} was not written by Cairn, or was changed since`,
        fix: `To use Cairn's, move it away and run: cairn install ${id}`,
      },
    ]);
    await run(uninstall(), [id], { yes: true }, false, NO_PROGRAMS);
    expect(readFileSync(join(root, 'user', path), 'utf8')).toBe('{}\n');
  },
);

it('an unusable folder for slash commands stops the agent before any file is changed', async () => {
  writeFiles({ '.claude/commands': 'a file' });
  const before = readHome();
  const named = run(install(), ['claude-code'], { yes: true, link: true }, false, NO_PROGRAMS);
  await expect(named).rejects.toThrow(
    /commands\/cairn\/\w+\.md cannot be read: a part of this path is a file, not a folder\. Move or remove that file\./,
  );
  expect(readHome()).toEqual(before);
});

describe('--allow-tools', () => {
  const FOUR = ['qwen', 'codex', 'gemini', 'droid'];
  const readAllowed = () =>
    ['.qwen/settings.json', '.codex/config.toml', '.gemini/extensions/cairn/gemini-extension.json'].map(
      (name) =>
        /"trust": true|tools_approval_mode = "approve"/.test(readFileSync(join(root, 'user', name), 'utf8')),
    );

  it('is added to an existing installation, kept by the next and removed with it; an agent without it is named', async () => {
    const before = readHome();
    await run(install(), FOUR, { yes: true, link: true }, false, NO_PROGRAMS);
    expect(readAllowed()).toEqual([false, false, false]);
    const options = { yes: true, link: true, 'allow-tools': true };
    const { out } = await run(install(), FOUR, options, false, NO_PROGRAMS);
    expect(readAllowed()).toEqual([true, true, true]);
    expect(out.filter((line) => line.includes('--allow-tools'))).toEqual([
      "--allow-tools changes nothing for Droid. If it asks before it uses Cairn's tools, allow them there.",
    ]);
    await run(install(), FOUR, { yes: true, link: true }, false, NO_PROGRAMS);
    expect(readAllowed()).toEqual([true, true, true]);
    await run(uninstall(), [], { all: true, yes: true }, false, NO_PROGRAMS);
    expect(readHome()).toEqual(before);
  });

  it('is asked for once, for all agents that have the setting', async () => {
    const questions: string[] = [];
    const yes = async (question: string) => questions.push(question) > 0;
    await run(createInstallCommand(yes, noModel), FOUR, { link: true }, true, NO_PROGRAMS);
    expect(questions).toEqual([
      expect.stringMatching(/^Write /),
      "Let Qwen Code, Codex and Gemini CLI use Cairn's tools (search, remember …) without asking you each time?",
    ]);
    expect(readAllowed()).toEqual([true, true, true]);
  });
});

it('rejects names together with --all', async () => {
  await expect(run(install(), ['codex'], { all: true })).rejects.toThrow(UsageError);
  await expect(run(uninstall(), ['codex'], { all: true })).rejects.toThrow(UsageError);
});
