import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tools } from '../../mcp/tools/all.ts';
import { registeredEvents } from './events.ts';
import { rewriteCommand } from './own-commands.ts';

const repository = join(import.meta.dirname, '../../..');
const plugin = join(repository, 'plugins/claude-code');
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const hooks = json(join(plugin, 'hooks/hooks.json')).hooks;

it('registers the same events, matchers and timeouts as the settings', () => {
  const wanted = registeredEvents.map(({ event, matcher, timeout }) => [
    event,
    [
      {
        ...(matcher !== undefined && { matcher }),
        hooks: [{ type: 'command', command: commandOf(event), timeout }],
      },
    ],
  ]);
  expect(hooks).toEqual(Object.fromEntries(wanted));
});

it('has the version of the package and is offered by the marketplace', () => {
  const { name, version, license } = json(join(plugin, '.claude-plugin/plugin.json'));
  const manifest = json(join(repository, 'package.json'));
  expect({ name, version, license }).toEqual({
    name: 'cairn',
    version: manifest.version,
    license: manifest.license,
  });
  const marketplace = json(join(repository, '.claude-plugin/marketplace.json'));
  expect([marketplace.name, marketplace.plugins]).toMatchObject([
    'cairn',
    [{ name: 'cairn', source: './plugins/claude-code' }],
  ]);
});

describe('commands', () => {
  const folder = join(plugin, 'commands');
  const names = readdirSync(folder);
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
  const known = tools.map(({ name }) => name);

  it.each(names)('%s cannot be invoked by the model and allows exactly the tools it names', (name) => {
    const [, head = '', body = ''] = /^---\n(.+?)\n---\n(.+)$/s.exec(textOf(name)) ?? [];
    expect(head).toMatch(
      /^description: .+\nargument-hint: .+\nallowed-tools: .+\ndisable-model-invocation: true$/,
    );
    const allowed = [...head.matchAll(/mcp__(?:plugin_cairn_)?cairn__(\w+)/g)].map(([, tool]) => tool);
    const called = [...body.matchAll(/`(\w+)`/g)].flatMap(([, word = '']) =>
      known.includes(word) ? [word] : [],
    );
    // Each tool has two names: one for the settings and one for the plugin.
    expect(allowed.sort()).toEqual([...new Set(called), ...new Set(called)].sort());
    const programs = [...textOf(name).matchAll(/sh "\$\{CLAUDE_PLUGIN_ROOT\}\/([\w.-]+)" (\w+)/g)];
    expect(new Set(programs.map(([, script]) => script))).toEqual(new Set(['call-cairn.sh']));
    const inShell = new Set(programs.map(([, , word]) => word));
    expect(inShell).toEqual(new Set([...head.matchAll(/call-cairn\.sh" (\w+):\*/g)].map(([, word]) => word)));
  });

  it('are all documented', () => {
    const page = readFileSync(join(repository, 'docs/continuity.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `\/cairn:(\w+)/gm)].map(([, name]) => `${name}.md`);
    expect(documented.sort()).toEqual([...names].sort());
  });

  it('call the program directly outside the plugin, with any characters in its path', () => {
    const program = "'/opt/my # node' '/opt/it'\\''s: $& here/cli.mjs'";
    const own = rewriteCommand(textOf('work.md'), program);
    expect(own).toContain(`allowed-tools: ${JSON.stringify(`Bash(${program} work:*)`)}\n`);
    expect(own).toContain(`!\`${program} work list\`\n`);
    expect(own).not.toContain('PLUGIN');
  });
});

it('the skill names only tools that exist', () => {
  const skill = readFileSync(join(plugin, 'skills/memory/SKILL.md'), 'utf8');
  expect(skill).toMatch(/^---\nname: memory\ndescription: .{50,300}\n---\n/);
  const named = [...skill.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect([...new Set(named)].filter((name) => !tools.some((tool) => tool.name === name))).toEqual([]);
});

describe('the MCP server in a real shell', () => {
  const { command, args } = json(join(plugin, '.mcp.json')).mcpServers.cairn;
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "cairn plugin's-"));
    mkdirSync(join(root, 'bin'));
    mkdirSync(join(root, '.cairn'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const run = () => {
    const script = args.map((arg: string) => arg.replace(/\$\{CLAUDE_PLUGIN_ROOT\}/, plugin));
    const env = { HOME: root, PATH: `${join(root, 'bin')}:/usr/bin:/bin` };
    const { status, stdout, stderr } = spawnSync(command, script, { encoding: 'utf8', env });
    return { status, stdout, stderr };
  };
  const program = (name: string) => {
    const path = join(root, 'bin', name);
    writeFileSync(path, `#!/bin/sh\necho ${name}: "$@"\n`, { mode: 0o755 });
    return path;
  };

  it('is started by the launcher in the home', () => {
    program('cairn');
    mkdirSync(join(root, '.cairn/bin'));
    writeFileSync(join(root, '.cairn/bin/cairn'), '#!/bin/sh\necho "launcher: $*"\n', { mode: 0o755 });
    expect(run()).toEqual({ status: 0, stdout: 'launcher: mcp --from-plugin claude-code\n', stderr: '' });
  });

  it('is started by `cairn` on the PATH if the home is not prepared', () => {
    program('cairn');
    expect(run()).toEqual({ status: 0, stdout: 'cairn: mcp --from-plugin claude-code\n', stderr: '' });
  });

  it('reports how to install Cairn if it is missing', () => {
    const stderr = 'Cairn is not installed. Install it with: npx cairn-memory install claude-code\n';
    expect(run()).toEqual({ status: 1, stdout: '', stderr });
  });
});

describe('a hook call in a real shell', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'cairn-plugin-'));
    mkdirSync(join(root, 'bin'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const shells = [['sh'], ['dash'], ['bash'], ['bash', '--posix'], ['busybox', 'sh']].filter(
    ([program = '']) => !spawnSync(program, ['-c', ':']).error,
  );
  const silent = { status: 0, stdout: '', stderr: '' };

  describe.each(shells.map((shell) => ({ shell, name: shell.join(' ') })))('$name', ({ shell }) => {
    const run = (event: string, env: Record<string, string> = {}) => {
      const program = spawnSync('/bin/sh', ['-c', `command -v ${shell[0]}`], {
        encoding: 'utf8',
      }).stdout.trim();
      const { status, stdout, stderr } = spawnSync(program, [...shell.slice(1), '-c', commandOf(event)], {
        encoding: 'utf8',
        input: '{"a":1}',
        env: { HOME: root, PATH: `${join(root, 'bin')}:/nowhere`, CLAUDE_PLUGIN_ROOT: plugin, ...env },
      });
      return { status, stdout, stderr };
    };
    const script = (path: string, text: string) => {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, text, { mode: 0o755 });
    };

    it('runs the capture script in the home, also in a moved home', () => {
      const text = 'IFS= read -r line; echo "$* $line"\n';
      script(join(root, '.cairn/capture.sh'), text);
      script(join(root, 'my cairn/capture.sh'), `echo moved; exit 2\n`);
      expect(run('Stop')).toEqual({ ...silent, stdout: 'claude-code Stop plugin {"a":1}\n' });
      expect(run('Stop', { CAIRN_HOME: join(root, 'my cairn') })).toEqual({
        ...silent,
        status: 2,
        stdout: 'moved\n',
      });
    });

    it('runs an installed `cairn` if there is no home yet', () => {
      script(join(root, 'bin/cairn'), '#!/bin/sh\nIFS= read -r line; echo "$* $line"\n');
      expect(run('Stop')).toEqual({ ...silent, stdout: 'hook claude-code Stop plugin {"a":1}\n' });
      script(join(root, 'bin/cairn'), '#!/bin/sh\nexit 1\n');
      expect(run('Stop')).toEqual(silent);
      script(join(root, 'bin/cairn'), '#!/bin/sh\nexit 2\n');
      expect(run('PostToolUse')).toEqual({ ...silent, status: 2 });
    });

    it('without Cairn, tells how to install it at session start and is silent otherwise', () => {
      const { stdout, ...rest } = run('SessionStart');
      expect(rest).toEqual({ status: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({
        systemMessage: expect.stringContaining('npx cairn-memory install claude-code'),
      });
      expect(stdout.trim().split('\n')).toHaveLength(1);
      for (const { event } of registeredEvents) {
        if (event !== 'SessionStart') expect(run(event)).toEqual(silent);
      }
    });

    it('is silent if the plugin itself was removed', () => {
      expect(run('SessionStart', { CLAUDE_PLUGIN_ROOT: join(root, 'gone') })).toEqual(silent);
    });
  });
});

function commandOf(event: string): string {
  const file = '"$CLAUDE_PLUGIN_ROOT/hooks/cairn.sh"';
  return `f=${file}; [ -r "$f" ] || exit 0; set -- claude-code ${event} plugin; command . "$f"; exit 0`;
}
