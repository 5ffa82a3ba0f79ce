import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registeredEvents } from '../agents/claude-code/events.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import { pathsOf } from '../platform/paths.ts';
import { type Call, type Command, CommandError, UsageError } from './command.ts';
import { installCommand } from './install.ts';
import { createPaint } from './paint.ts';
import { uninstallCommand } from './uninstall.ts';

const SETTINGS = '{\n  // mine\n  "model": "opus"\n}\n';

let root: string;
let home: string;
let file: string;
let config: string;
let commands: string;
let before: string;

beforeEach(() => {
  before = process.cwd();
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-install-')));
  home = join(root, 'user/.cairn');
  file = join(root, 'user/.claude/settings.json');
  config = join(root, 'user/.claude.json');
  commands = join(root, 'user/.claude/commands/cairn');
  mkdirSync(join(root, 'user/.claude'), { recursive: true });
  writeFileSync(file, SETTINGS);
});

afterEach(() => {
  process.chdir(before);
  rmSync(root, { recursive: true, force: true });
});

describe('install and uninstall', () => {
  it('names the file, the interpreter, the memory, the restart and the way back; then all is as before', async () => {
    const first = await run(install(), ['claude-code']);
    expect(first.code).toBe(0);
    expect(first.out).toEqual([
      `Cairn is installed for Claude Code: ${registeredEvents.length} hooks.`,
      `  file         ${file}`,
      `  mcp server   ${config}`,
      `  commands     ${commands}`,
      expect.stringMatching(/^ {2}interpreter {2}\/.+node$/),
      `  memory       ${home}`,
      'Restart Claude Code: sessions that run already pick this up at their next start.',
      'To undo it: cairn uninstall claude-code',
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
        "Cairn's hooks for Claude Code are gone.",
        `The file ${file} was changed. Sessions that run already go on without Cairn at their next start.`,
        `The MCP server is gone from ${config}.`,
        `The slash commands are gone from ${commands}.`,
        `The memory stays in ${home}. To delete it too, delete that folder.`,
        'To install again: cairn install claude-code',
      ],
      err: [],
    });
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
    expect(existsSync(join(home, 'capture.sh'))).toBe(true);

    expect((await run(uninstall(), ['claude-code'])).out[0]).toBe(
      `There are no hooks of Cairn in ${file}; nothing was changed there.`,
    );
  });

  it('what was written captures an event in a real shell', async () => {
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

  it('the dry run shows the change and makes none, not even a home', async () => {
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

  it('asks a person once, and takes no for an answer', async () => {
    const asked: string[] = [];
    const no = async (question: string) => {
      asked.push(question);
      return false;
    };
    expect(await run(installCommand(no), ['claude-code'], {}, true)).toEqual({
      code: 1,
      out: ['Nothing was changed.'],
      err: [],
    });
    expect(existsSync(home)).toBe(false);
    await run(installCommand(no), ['claude-code'], { yes: true }, true);
    await run(installCommand(no), ['claude-code'], {}, true);
    expect((await run(uninstallCommand(no), ['claude-code'], {}, true)).code).toBe(1);
    expect(asked).toEqual([
      `Write these ${registeredEvents.length} hooks to ${file}, the MCP server to ${config} and slash commands to ${commands}?`,
      `Remove Cairn from ${file}, ${config} and ${commands}?`,
    ]);
    expect(hooksIn(file)).toHaveProperty('Stop');
  });

  it('speaks JSON to scripts', async () => {
    const installed = await run(install(), ['claude-code'], { json: true }, true);
    expect(JSON.parse(installed.out.join('\n'))).toEqual({
      agent: 'claude-code',
      status: 'installed',
      file,
      mcp: { file: config, state: 'installed' },
      commands,
      events: registeredEvents.map(({ event }) => event),
      statusLine: 'missing',
      fileSuggestion: 'missing',
      interpreter: expect.stringMatching(/^\//),
      memory: home,
      notes: [],
      undo: 'cairn uninstall claude-code',
    });
    const dry = await run(uninstall(), ['claude-code'], { json: true, 'dry-run': true });
    expect(JSON.parse(dry.out.join('\n'))).toMatchObject({ status: 'dry-run', changed: true });
    const removed = await run(uninstall(), ['claude-code'], { json: true });
    expect(JSON.parse(removed.out.join('\n'))).toEqual({
      agent: 'claude-code',
      status: 'removed',
      file,
      mcp: { file: config, state: 'removed' },
      memory: home,
      notes: [],
    });
  });

  it('says when the plugin is on as well, and when hooks are off', async () => {
    writeFileSync(file, '{"enabledPlugins": {"cairn@cairn": true}, "disableAllHooks": true}');
    const { out } = await run(install(), ['claude-code']);
    expect(out.filter((line) => /plugin|disableAllHooks/.test(line))).toEqual([
      'The plugin cairn@cairn is on as well. That is fine: each event is kept once.',
      '"disableAllHooks" is true in this file: no hook runs until you remove that.',
    ]);
    expect((await run(uninstall(), ['claude-code'])).out).toContain(
      'The plugin cairn@cairn is still on. Remove it with: claude plugin uninstall cairn@cairn',
    );
  });

  it('--project: the top of the checkout that holds this folder, else this folder', async () => {
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
    expect(out.at(-1)).toBe('To undo it: cairn uninstall claude-code --project');
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
  });

  it('CLAUDE_CONFIG_DIR moves the settings', async () => {
    const env = { CLAUDE_CONFIG_DIR: join(root, 'elsewhere') };
    await run(install(), ['claude-code'], {}, false, env);
    expect(hooksIn(join(root, 'elsewhere/settings.json'))).toHaveProperty('Stop');
    const { out } = await run(uninstall(), ['claude-code'], {}, false, env);
    expect(out[1]).toMatch(/settings\.json was removed, since Cairn had made it/);
    expect(existsSync(join(root, 'elsewhere'))).toBe(false);
  });
});

describe('the status line and file suggestions', () => {
  const wanted = { statusline: true, 'suggest-files': true };
  const THEIRS =
    '{\n  // mine\n  "statusLine": {"type": "command", "command": "~/line.sh", "padding": 0}\n}\n';

  it('are written on request only, and go without a trace', async () => {
    const { out } = await run(install(), ['claude-code'], wanted);
    expect(out.slice(4, 6)).toEqual(['  status line  on', '  file list    on']);
    const { statusLine, fileSuggestion } = settingsIn(file);
    expect([statusLine, fileSuggestion]).toEqual([
      { type: 'command', command: expect.stringMatching(/"\$f" statusline; exit 0$/) },
      { type: 'command', command: expect.stringMatching(/"\$f" suggest-files; exit 0$/) },
    ]);
    // Asked for once is enough.
    expect((await run(install(), ['claude-code'])).out[0]).toMatch(/nothing was changed/);
    await run(uninstall(), ['claude-code']);
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
  });

  it('come on top of an installation, and go with it', async () => {
    await run(install(), ['claude-code']);
    await run(install(), ['claude-code'], { statusline: true });
    expect(settingsIn(file)).toHaveProperty('statusLine');
    await run(uninstall(), ['claude-code']);
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
  });

  it('leave a status line of the person in place, and give it back as it was', async () => {
    writeFileSync(file, THEIRS);
    const asked: string[] = [];
    const yes = async (question: string) => asked.push(question) > 0;
    const { out } = await run(installCommand(yes), ['claude-code'], { statusline: true }, true);
    expect(asked[0]).toContain(' hooks and the status line (yours stays and comes first) to ');
    expect(out[4]).toMatch(/status line.+on, after yours$/);
    expect(settingsIn(file).statusLine).toEqual({
      type: 'command',
      command: expect.stringMatching(/^t='~\/line\.sh'; .+ statusline "\$t"; eval "\$t"$/),
      padding: 0,
    });
    const rewritten = JSON.stringify(settingsIn(file));
    await run(uninstall(), ['claude-code']);
    expect(readFileSync(file, 'utf8')).toBe(THEIRS);
    writeFileSync(file, rewritten);
    await run(uninstall(), ['claude-code']);
    expect(settingsIn(file)).toEqual({ statusLine: { type: 'command', command: '~/line.sh', padding: 0 } });
  });

  it('the dry run shows them and makes no change', async () => {
    writeFileSync(file, THEIRS);
    const { out } = await run(install(), ['claude-code'], { statusline: true, 'dry-run': true });
    expect(out.join('\n')).toMatch(/^-.+"~\/line\.sh".+\n\+.+t='~\/line\.sh'/m);
    expect(readFileSync(file, 'utf8')).toBe(THEIRS);
  });

  it('what they cannot call is left alone, and said so', async () => {
    writeFileSync(file, '{"statusLine": {"type": "other"}}');
    const { out } = await run(install(), ['claude-code'], wanted);
    expect(out).toContain(`"statusLine" in ${file} is nothing that Cairn could call; it was left alone.`);
    expect(settingsIn(file).statusLine).toEqual({ type: 'other' });
  });

  it('know a memory that lies elsewhere', async () => {
    home = join(root, 'memory');
    await run(install(), ['claude-code'], { statusline: true });
    expect(settingsIn(file).statusLine.command).toContain(`export CAIRN_HOME='${home}'; `);
  });

  const settingsIn = (path: string) => JSON.parse(readFileSync(path, 'utf8').replace('// mine', ''));
});

describe('the slash commands', () => {
  const NAMES = ['handoff.md', 'memory.md', 'recall.md', 'resume.md', 'tasks.md', 'work.md'];
  const contents = (name: string) => readFileSync(join(commands, name), 'utf8');

  it('are there with the programs of this machine, are renewed, and go with their folders', async () => {
    await run(install(), ['claude-code']);
    expect(readdirSync(commands)).toEqual(NAMES);
    const program = expect.stringMatching(/^!`'\/.+node' '\/.+\/dist\/cli\.mjs' work list`$/m);
    expect(contents('work.md')).toEqual(program);
    expect(NAMES.map(contents).join()).not.toContain('CLAUDE_PLUGIN_ROOT');

    // As another version of Cairn would have left it behind.
    home = join(root, 'memory');
    expect((await run(install(), ['claude-code'])).out[0]).toBe(
      'Cairn for Claude Code was brought up to date.',
    );
    expect(contents('work.md')).toContain(`!\`env CAIRN_HOME='${home}' '/`);
    await run(uninstall(), ['claude-code']);
    expect(readdirSync(join(root, 'user/.claude'))).toEqual(['settings.json']);
  });

  it('never replace a file of the person, nor one that the person has changed', async () => {
    mkdirSync(commands, { recursive: true });
    writeFileSync(join(commands, 'work.md'), 'mine\n');
    writeFileSync(join(commands, 'other.md'), 'mine too\n');
    const first = await run(install(), ['claude-code']);
    const edited = `${contents('tasks.md')}Also sing.\n`;
    writeFileSync(join(commands, 'tasks.md'), edited);
    const foreign = `${join(commands, 'work.md')} is not from Cairn, so it stays as it is.`;
    const changed = `${join(commands, 'tasks.md')} has been changed since Cairn wrote it, so it stays as it is.`;
    expect(first.out).toContain(foreign);
    expect((await run(install(), ['claude-code'])).out).toEqual(expect.arrayContaining([foreign, changed]));

    expect((await run(uninstall(), ['claude-code'])).out).toContain(changed);
    expect(readdirSync(commands)).toEqual(['other.md', 'tasks.md', 'work.md']);
    expect(['work.md', 'other.md', 'tasks.md'].map(contents)).toEqual(['mine\n', 'mine too\n', edited]);
  });

  it('the dry run shows them and makes no change', async () => {
    const { out } = await run(install(), ['claude-code'], { 'dry-run': true });
    expect(out.join('\n')).toContain(`+++ ${join(commands, 'handoff.md')}\n`);
    expect(existsSync(commands)).toBe(false);
  });

  it('go that an earlier version had, unless they were changed', async () => {
    await run(install(), ['claude-code']);
    writeFileSync(join(commands, 'older.md'), contents('tasks.md'));
    writeFileSync(join(commands, 'older-and-edited.md'), `${contents('tasks.md')}x`);
    await run(install(), ['claude-code']);
    expect(readdirSync(commands)).toEqual([...NAMES, 'older-and-edited.md'].sort());
  });
});

describe('the MCP server', () => {
  const CONFIG = '{\n  "numStartups": 3,\n  "projects": {}\n}\n';
  const servers = () => JSON.parse(readFileSync(config, 'utf8')).mcpServers;
  const registered = { type: 'stdio', command: expect.stringMatching(/node$/), env: {}, alwaysLoad: true };

  beforeEach(() => writeFileSync(config, CONFIG));

  it('stands in the configuration of the client, and goes without a trace', async () => {
    await run(install(), ['claude-code']);
    const args = [expect.stringMatching(/\/dist\/cli\.mjs$/), 'mcp'];
    expect(servers()).toEqual({ cairn: { ...registered, args } });
    await run(uninstall(), ['claude-code']);
    expect(readFileSync(config, 'utf8')).toBe(CONFIG);
  });

  it('goes also when the client has rewritten the file since, and leaves what others added', async () => {
    await run(install(), ['claude-code']);
    const value = JSON.parse(readFileSync(config, 'utf8'));
    writeFileSync(config, JSON.stringify({ ...value, numStartups: 4, seen: true }));
    await run(uninstall(), ['claude-code']);
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({ numStartups: 4, projects: {}, seen: true });
  });

  it('is left out with --no-mcp, and taken out if it was there', async () => {
    const { out } = await run(install(), ['claude-code'], { 'no-mcp': true });
    expect(out.join()).not.toContain('mcp server');
    expect(readFileSync(config, 'utf8')).toBe(CONFIG);
    await run(install(), ['claude-code']);
    expect(servers()).toHaveProperty('cairn');
    await run(install(), ['claude-code'], { 'no-mcp': true });
    expect(readFileSync(config, 'utf8')).toBe(CONFIG);
    expect(hooksIn(file)).toHaveProperty('Stop');
  });

  it('keeps what the person has changed in its entry, but not a program that is gone', async () => {
    await run(install(), ['claude-code']);
    const value = JSON.parse(readFileSync(config, 'utf8'));
    value.mcpServers.cairn = {
      ...value.mcpServers.cairn,
      args: ['/gone/dist/cli.mjs', 'mcp'],
      alwaysLoad: false,
      env: { CAIRN_LOG_LEVEL: 'debug' },
    };
    writeFileSync(config, JSON.stringify(value));
    expect((await run(install(), ['claude-code'])).out[0]).toBe(
      'Cairn for Claude Code was brought up to date.',
    );
    expect(servers().cairn).toEqual({
      ...registered,
      args: [expect.not.stringContaining('gone'), 'mcp'],
      alwaysLoad: false,
      env: { CAIRN_LOG_LEVEL: 'debug' },
    });
  });

  it('does not take the place of another server with its name', async () => {
    const theirs = '{"mcpServers": {"cairn": {"command": "cairn-gps", "args": ["serve"]}}}';
    writeFileSync(config, theirs);
    const { out } = await run(install(), ['claude-code']);
    expect(out).toContain(
      `Another server is called "cairn" in ${config}; it was left alone, and ours is not registered.`,
    );
    await run(uninstall(), ['claude-code']);
    expect(readFileSync(config, 'utf8')).toBe(theirs);
  });

  it('--project: for the repository, from whichever worktree', async () => {
    const project = join(root, 'project');
    execFileSync('git', ['init', '-q', project]);
    const as = ['-c', 'user.name=r', '-c', 'user.email=r@example.invalid', '-C', project];
    execFileSync('git', [...as, 'commit', '-q', '--allow-empty', '-m', 'start']);
    execFileSync('git', [...as, 'worktree', 'add', '-q', join(root, 'tree')]);
    process.chdir(join(root, 'tree'));
    await run(install(), ['claude-code'], { project: true });
    expect(JSON.parse(readFileSync(config, 'utf8'))).toMatchObject({
      projects: { [project]: { mcpServers: { cairn: registered } } },
    });
    await run(uninstall(), ['claude-code'], { project: true });
    expect(readFileSync(config, 'utf8')).toBe(CONFIG);
  });

  it('knows a memory that lies elsewhere', async () => {
    home = join(root, 'memory');
    await run(install(), ['claude-code']);
    expect(servers().cairn.env).toEqual({ CAIRN_HOME: home });
  });

  it('a configuration that cannot be read: nothing is written anywhere', async () => {
    writeFileSync(config, '{"mcpServers": []}');
    await expect(run(install(), ['claude-code'])).rejects.toThrow(
      `${config}:1:16: "mcpServers" is not an object`,
    );
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
    expect(existsSync(home)).toBe(false);
  });
});

describe('refusing', () => {
  const wrong = [
    { name: 'no agent', args: [], says: 'Which agent? Cairn knows: claude-code' },
    {
      name: 'a misspelt agent',
      args: ['claude-cod'],
      says: /called claude-cod\. Did you mean claude-code\?/,
    },
    { name: 'an unknown agent', args: ['emacs'], says: /called emacs\. Cairn knows: claude-code/ },
    { name: 'what calls the hook by itself', args: ['raw'], says: /called raw\. Cairn knows: claude-code$/ },
    { name: 'two agents', args: ['claude-code', 'x'], says: /One agent at a time/ },
  ];
  it.each(wrong)('$name', async ({ args, says }) => {
    for (const command of [install(), uninstall()]) {
      const attempt = run(command, args);
      await expect(attempt).rejects.toThrow(UsageError);
      await expect(attempt).rejects.toThrow(says);
    }
  });

  it('settings that cannot be read, before anything is written', async () => {
    writeFileSync(file, '{\n  "model": opus\n}');
    const attempt = run(install(), ['claude-code']);
    await expect(attempt).rejects.toThrow(CommandError);
    await expect(attempt).rejects.toThrow(`${file}:2:12: invalid symbol. Nothing was changed.`);
    expect(existsSync(home)).toBe(false);
  });

  it("a home that cannot be written: the agent's settings stay as they were", async () => {
    writeFileSync(home, 'a file in the way');
    await expect(run(install(), ['claude-code'])).rejects.toThrow(
      /cannot write its own folder .+ CAIRN_HOME/,
    );
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
  });
});

function install(): Command {
  return installCommand(() => Promise.reject(new Error('asked without a terminal')));
}

function uninstall(): Command {
  return uninstallCommand(() => Promise.reject(new Error('asked without a terminal')));
}

async function run(
  command: Command,
  positionals: string[],
  options: Call['options'] = {},
  isTerminal = false,
  variables: NodeJS.ProcessEnv = {},
): Promise<{ code: number; out: string[]; err: string[] }> {
  const env = readEnvironment({ HOME: join(root, 'user'), PATH: process.env.PATH, ...variables });
  const paths = pathsOf(home);
  const out: string[] = [];
  const err: string[] = [];
  const code = await command.run({
    positionals,
    options,
    env,
    home,
    paths,
    settings: loadSettings(paths.config, env).settings,
    isTerminal,
    paint: createPaint(false),
    now: () => 0,
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  });
  return { code, out, err };
}

function hooksIn(path: string): Record<string, { hooks: { command: string }[] }[]> {
  return JSON.parse(readFileSync(path, 'utf8').replace('// mine', '')).hooks;
}
