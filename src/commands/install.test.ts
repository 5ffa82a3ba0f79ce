import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  commands,
  config,
  file,
  home,
  hooksIn,
  install,
  noModel,
  root,
  run,
  SETTINGS,
  uninstall,
  useHome,
} from '../../test/support/install-home.ts';
import { registeredEvents } from '../agents/claude-code/events.ts';
import { createInstallCommand } from './install.ts';
import { CommandError, UsageError } from './support/command.ts';
import { createUninstallCommand } from './uninstall.ts';

useHome();

const { version } = createRequire(import.meta.url)('../../package.json');

describe('install and uninstall', () => {
  it('prints files, interpreter, memory, restart and the undo command, and uninstall restores everything', async () => {
    const first = await run(install(), ['claude-code']);
    expect(first.code).toBe(0);
    expect(first.out).toEqual([
      `Cairn is installed for Claude Code: ${registeredEvents.length} hooks.`,
      `  hooks        ${file}`,
      `  mcp server   ${config}`,
      `  commands     ${commands}`,
      'Restart Claude Code: running sessions pick this up at their next start.',
      `  program      ${home}/app/${version}`,
      expect.stringMatching(/^ {2}interpreter {2}\/.+node$/),
      `  memory       ${home}`,
      'Undo: cairn uninstall claude-code',
    ]);
    expect(Object.keys(hooksIn(file))).toEqual(registeredEvents.map(({ event }) => event));
    expect(existsSync(join(home, 'capture.sh'))).toBe(true);

    utimesSync(file, 1000, 1000);
    const second = await run(install(), ['claude-code']);
    expect(second.out[0]).toBe('Cairn is already installed for Claude Code; nothing was changed.');
    expect(statSync(file).mtimeMs).toBe(1_000_000);

    expect(await run(uninstall(), ['claude-code'])).toEqual({
      code: 0,
      out: [
        'Removed Cairn from Claude Code.',
        `  Removed ${registeredEvents.length} hooks from ${file}.`,
        `  ${config} was deleted, because Cairn had created it.`,
        `  Removed the slash commands from ${commands}.`,
        'Running sessions stop using Cairn at their next start.',
        `Memories stay in ${home}. To delete them too, delete that folder.`,
        'Install again: cairn install claude-code',
      ],
      err: [],
    });
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
    expect(readdirSync(home).sort()).toEqual(['logs', 'spool', 'state']);

    expect((await run(uninstall(), ['claude-code'])).out[0]).toBe(
      'Cairn is not installed for Claude Code; nothing was changed.',
    );
  });

  it('the installed hook captures an event in a real shell', async () => {
    await run(install(), ['claude-code']);
    const [group] = hooksIn(file).PostToolUse ?? [];
    const env = {
      PATH: process.env.PATH,
      HOME: join(root, 'user'),
      CLAUDECODE: '1',
      CLAUDE_PROJECT_DIR: root,
    };
    const printed = execFileSync('/bin/sh', ['-c', group?.hooks[0]?.command ?? 'exit 9'], {
      env,
      input: '{"a":1}',
    });
    expect(printed.toString()).toBe('');
    const [name = ''] = readdirSync(join(home, 'spool'));
    expect(readFileSync(join(home, 'spool', name), 'utf8')).toContain(
      `claude-code PostToolUse settings ${root}\n{"a":1}`,
    );
  });

  it('the dry run shows the change without making it or creating a home', async () => {
    const { code, out } = await run(install(), ['claude-code'], { 'dry-run': true });
    expect(code).toBe(0);
    expect(out.join('\n')).toMatch(
      /^--- .+settings\.json\n\+\+\+ .+settings\.json\n@@ -1,4 \+1,\d+ @@\n {\n/,
    );
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
    expect(existsSync(home)).toBe(false);

    await run(install(), ['claude-code']);
    expect((await run(install(), ['claude-code'], { 'dry-run': true })).out).toEqual([
      `Nothing to change in ${file}, ${config} and ${commands}.`,
    ]);
    const removal = await run(uninstall(), ['claude-code'], { 'dry-run': true });
    expect(removal.out.join('\n')).toContain('-  "hooks": {');
    expect(hooksIn(file)).toHaveProperty('Stop');
  });

  it('asks once, and changes nothing if the answer is no', async () => {
    const asked: string[] = [];
    const no = async (question: string) => {
      asked.push(question);
      return false;
    };
    expect(await run(createInstallCommand(no, noModel), ['claude-code'], {}, true)).toEqual({
      code: 1,
      out: ['Nothing was changed.'],
      err: [],
    });
    expect(existsSync(home)).toBe(false);
    await run(createInstallCommand(no, noModel), ['claude-code'], { yes: true }, true);
    await run(createInstallCommand(no, noModel), ['claude-code'], {}, true);
    expect((await run(createUninstallCommand(no), ['claude-code'], {}, true)).code).toBe(1);
    expect(asked).toEqual([
      `Write ${registeredEvents.length} hooks to ${file}, the MCP server to ${config} and slash commands to ${commands}?`,
      `Remove Cairn from ${file}, ${config} and ${commands}?`,
    ]);
    expect(hooksIn(file)).toHaveProperty('Stop');
  });

  it("allows Cairn's tools on request, or if the person agrees at the first installation", async () => {
    const asked: { question: string; byDefault: boolean | undefined }[] = [];
    const yes = async (question: string, byDefault?: boolean) => asked.push({ question, byDefault }) > 0;
    await run(createInstallCommand(yes, noModel), ['claude-code'], {}, true);
    await run(createInstallCommand(yes, noModel), ['claude-code'], {}, true);
    expect(asked.map(({ question, byDefault }) => [question.slice(0, 15), byDefault])).toEqual([
      ['Write 14 hooks ', undefined],
      ['Let Claude Code', false],
    ]);
    expect(readFileSync(file, 'utf8')).toContain('"mcp__cairn__*"');
    await run(uninstall(), ['claude-code']);
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
    await run(install(), ['claude-code'], { 'allow-tools': true });
    expect(readFileSync(file, 'utf8')).toContain('"mcp__cairn__*"');
    await run(uninstall(), ['claude-code']);
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
  });

  it('--link runs the program from its current folder', async () => {
    const { out } = await run(install(), ['claude-code'], { link: true, json: true });
    const { program } = JSON.parse(out.join('\n'));
    expect(existsSync(join(program, 'src/cli.ts'))).toBe(true);
    expect(existsSync(join(home, 'app'))).toBe(false);
    await run(install(), ['claude-code']);
    expect(readFileSync(join(home, 'capture.sh'), 'utf8')).toContain(join(home, 'app', version));
  });

  it('prints JSON for scripts', async () => {
    const installed = await run(install(), ['claude-code'], { json: true }, true);
    expect(JSON.parse(installed.out.join('\n'))).toEqual({
      agents: [
        {
          agent: 'claude-code',
          name: 'Claude Code',
          status: 'installed',
          parts: [
            { kind: 'hooks', label: `${registeredEvents.length} hooks`, path: file, state: 'installed' },
            { kind: 'status line', label: 'the status line', path: file, state: 'missing' },
            { kind: 'file list', label: 'the file list', path: file, state: 'missing' },
            { kind: 'permission', label: "the permission for Cairn's tools", path: file, state: 'missing' },
            { kind: 'mcp server', label: 'the MCP server', path: config, state: 'installed' },
          ],
          commands,
          notes: [],
        },
      ],
      program: `${home}/app/${version}`,
      interpreter: expect.stringMatching(/^\//),
      memory: home,
      notes: [],
      undo: 'cairn uninstall claude-code',
    });
    const dry = await run(uninstall(), ['claude-code'], { json: true, 'dry-run': true });
    expect(JSON.parse(dry.out.join('\n'))).toMatchObject({ status: 'dry-run', changed: true });
    const removed = await run(uninstall(), ['claude-code'], { json: true });
    expect(JSON.parse(removed.out.join('\n'))).toEqual({
      agents: [{ agent: 'claude-code', status: 'removed', files: [file, config, commands], notes: [] }],
      memory: home,
      notes: [],
    });
  });

  it('reports that the plugin is enabled too, and that hooks are disabled', async () => {
    writeFileSync(file, '{"enabledPlugins": {"cairn@cairn": true}, "disableAllHooks": true}');
    const { out } = await run(install(), ['claude-code']);
    expect(out.filter((line) => /plugin|disableAllHooks/.test(line))).toEqual([
      'The plugin cairn@cairn is enabled too. Each event is still stored once.',
      `"disableAllHooks" is on in ${file}. Remove it there: no hook runs until then.`,
    ]);
    expect((await run(uninstall(), ['claude-code'])).out).toContain(
      'The plugin cairn@cairn is still on. Remove it with: claude plugin uninstall cairn@cairn',
    );
  });

  it('--project uses the top of the checkout, or the folder itself outside a repository', async () => {
    const project = join(root, 'project');
    mkdirSync(join(project, 'src/deep'), { recursive: true });
    process.chdir(join(project, 'src/deep'));
    await run(install(), ['claude-code'], { project: true });
    expect(hooksIn(join(project, 'src/deep/.claude/settings.json'))).toHaveProperty('Stop');
    await run(uninstall(), ['claude-code'], { project: true });
    expect(readdirSync(join(project, 'src/deep'))).toEqual([]);

    execFileSync('git', ['init', '-q', project]);
    const { out } = await run(install(), ['claude-code'], { project: true });
    expect(hooksIn(join(project, '.claude/settings.json'))).toHaveProperty('Stop');
    expect(out.at(-1)).toBe('Undo: cairn uninstall claude-code --project');
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
  });

  it('CLAUDE_CONFIG_DIR moves the settings file', async () => {
    const env = { CLAUDE_CONFIG_DIR: join(root, 'elsewhere') };
    await run(install(), ['claude-code'], {}, false, env);
    expect(hooksIn(join(root, 'elsewhere/settings.json'))).toHaveProperty('Stop');
    const { out } = await run(uninstall(), ['claude-code'], {}, false, env);
    expect(out[1]).toMatch(/settings\.json was deleted, because Cairn had created it/);
    expect(existsSync(join(root, 'elsewhere'))).toBe(false);
  });
});

it('without a name, install and uninstall act on the agents on this machine', async () => {
  await run(install(), []);
  expect(hooksIn(file)).toHaveProperty('Stop');
  await run(uninstall(), []);
  expect(readFileSync(file, 'utf8')).not.toContain('cairn');
});

it('uninstall without a name skips an agent that is not connected and has an unreadable file', async () => {
  await run(install(), ['claude-code'], { yes: true });
  mkdirSync(join(root, 'user/.codex'));
  writeFileSync(join(root, 'user/.codex/config.toml'), 'a = = 1\n');
  await run(uninstall(), [], { yes: true });
  expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
});

describe('errors', () => {
  const wrong = [
    {
      name: 'a misspelt agent',
      args: ['claude-cod'],
      says: /^Unknown agent: claude-cod\. Did you mean claude-code\?$/,
    },
    {
      name: 'an unknown agent',
      args: ['emacs'],
      says: /^Unknown agent: emacs\. Known agents: claude-code, [a-z, -]+\.$/,
    },
    {
      name: 'the raw agent, which has no installer',
      args: ['raw'],
      says: /^Unknown agent: raw\. Known agents: claude-code, [a-z, -]+\.$/,
    },
    {
      name: 'one unknown agent of two',
      args: ['claude-code', 'x'],
      says: /^Unknown agent: x\. Known agents: /,
    },
  ];
  it.each(wrong)('$name', async ({ args, says }) => {
    for (const command of [install(), uninstall()]) {
      const attempt = run(command, args);
      await expect(attempt).rejects.toThrow(UsageError);
      await expect(attempt).rejects.toThrow(says);
    }
  });

  it('unreadable settings stop the installation before anything is written', async () => {
    writeFileSync(file, '{\n  "model": opus\n}');
    const attempt = run(install(), ['claude-code']);
    await expect(attempt).rejects.toThrow(CommandError);
    await expect(attempt).rejects.toThrow(`${file}:2:12: invalid symbol. Nothing was changed.`);
    expect(existsSync(home)).toBe(false);
  });

  it('without a name, an agent with unreadable settings is left out and the others are connected', async () => {
    const zed = join(root, 'user/.config/zed/settings.json');
    mkdirSync(join(root, 'user/.config/zed'), { recursive: true });
    writeFileSync(zed, '{ broken');
    const { code, out } = await run(install(), [], { yes: true }, false, { PATH: '/usr/bin:/bin' });
    expect(code).toBe(0);
    expect(out.join('\n')).toContain('Cairn is installed for Claude Code');
    expect(out.join('\n')).toMatch(/Zed was left out\. .*settings\.json:1:3: [a-z ]+\. Correct this place/);
    expect(readFileSync(zed, 'utf8')).toBe('{ broken');
    await expect(run(install(), ['zed'], { yes: true })).rejects.toThrow('Correct this place');
  });

  it("a home that cannot be written leaves the agent's settings unchanged", async () => {
    writeFileSync(home, 'a file in the way');
    await expect(run(install(), ['claude-code'])).rejects.toThrow(
      /cannot write its own folder .+ CAIRN_HOME/,
    );
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
  });
});
