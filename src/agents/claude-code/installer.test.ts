import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectCommandSetting } from '../install/command-setting.ts';
import { applyEdit } from '../install/json-text.ts';
import { registeredEvents } from './events.ts';
import {
  areHooksDisabled,
  buildHookCommand,
  buildOptionalCommand,
  findEnabledPlugin,
  inspectSettings,
  installSettings,
  isOurCommand,
  type OptionalCommand,
  removeSettings,
  settingsPath,
} from './installer.ts';

const parts = {
  platform: 'linux' as NodeJS.Platform,
  captureScript: '/home/u/.cairn/capture.sh',
  launcher: '/home/u/.cairn/bin/cairn',
  interpreter: '/usr/bin/node',
  hookProgram: '/opt/cairn/hook.cjs',
};
const command = buildHookCommand(parts);

it('writes one group for each event that Cairn listens to', () => {
  const { text } = installSettings(null, { command, optional: [] });
  const wanted = registeredEvents.map(({ event, matcher, timeoutSeconds }) => [
    event,
    [
      {
        ...(matcher !== undefined && { matcher }),
        hooks: [{ type: 'command', command: command(event), timeout: timeoutSeconds }],
      },
    ],
  ]);
  expect(JSON.parse(text)).toEqual({ hooks: Object.fromEntries(wanted) });
  expect(inspectSettings(text, command).map(({ state }) => state)).toEqual(
    registeredEvents.map(() => 'installed'),
  );
  expect(removeSettings(text, []).text).toBe('{}\n');
});

it('an entry of another version, of another place and of another platform is rewritten, not doubled', () => {
  const others = [
    buildHookCommand({ ...parts, captureScript: "/Users/o'neil/my cairn/capture.sh" }),
    buildHookCommand({
      ...parts,
      platform: 'win32',
      interpreter: 'C:\\node.exe',
      hookProgram: 'D:\\x\\hook.cjs',
    }),
    (event: string) =>
      `f='/x/capture.sh'; [ -r "$f" ] || exit 0; set -- claude-code ${event} settings; . "$f"`,
  ];
  const fresh = installSettings(null, { command, optional: [] }).text;
  for (const other of others) {
    const old = installSettings('{}\n', { command: other, optional: [] }).text;
    expect(inspectSettings(old, command).map(({ state }) => state)).toEqual(
      registeredEvents.map(() => 'outdated'),
    );
    expect(installSettings(old, { command, optional: [] }).text).toBe(fresh);
  }
});

describe('what the client asks for', () => {
  const asked = (['statusLine', 'fileSuggestion'] as OptionalCommand[]).map((key) =>
    buildOptionalCommand(key, parts),
  );
  const [line = buildOptionalCommand('statusLine', parts)] = asked;
  const all = asked.map((each) => ({ ...each, onlyRenew: false }));
  const install = (text: string) => installSettings(text, { command, optional: all });
  const states = (text: string) => asked.map((each) => inspectCommandSetting(text, each));

  const theirs = String.raw`"statusLine": { "type": "command", "command": "~/it's \"mine\" $HOME", "padding": 0 }`;
  const layouts = [
    { name: 'nothing', text: '' },
    { name: 'other settings', text: '{\n  "model": "opus"\n}\n' },
    { name: 'comments and tabs', text: '{\n\t// mine\n\t"a": 1, // too\n}\n' },
    { name: 'a status line of theirs', text: `{\n  // mine\n  ${theirs},\n  "a": 1\n}\n`, shared: true },
    { name: 'theirs on one line', text: `{${theirs}}`, shared: true },
  ];

  it.each(layouts)('$name: on, once, and undone byte for byte', ({ text, shared }) => {
    const installed = install(text);
    expect(states(installed.text)).toEqual([shared ? 'shared' : 'installed', 'installed']);
    expect(install(installed.text)).toMatchObject({ changed: false, wasThere: true });
    expect(installed.undo.reduce(applyEdit, installed.text)).toBe(text);
  });

  it.each(layouts)('$name: as it was also when the client has rewritten the file', ({ text }) => {
    const { text: installed, made } = install(text);
    const rewritten = JSON.stringify(parsed(installed), null, '\t');
    expect(parsed(removeSettings(rewritten, asked, made).text)).toEqual(parsed(text));
  });

  it('is not added by itself, but brought up to date where it is', () => {
    const renewing = asked.map((each) => ({ ...each, onlyRenew: true }));
    const text = installSettings('{}', { command, optional: renewing }).text;
    expect(states(text)).toEqual(['missing', 'missing']);
    const moved = buildOptionalCommand('statusLine', { ...parts, launcher: '/elsewhere/bin/cairn' });
    const old = installSettings(`{${theirs}}`, { command, optional: [{ ...moved, onlyRenew: false }] }).text;
    expect(states(old)).toEqual(['outdated', 'missing']);
    const renewed = installSettings(old, { command, optional: renewing });
    expect([states(renewed.text), renewed.wasThere]).toEqual([['shared', 'missing'], true]);
    expect(parsed(removeSettings(renewed.text, asked).text)).toEqual(parsed(`{${theirs}}`));
  });

  it.each(['{"statusLine": null}', '{"statusLine": {"type": "static", "text": "x"}}', '{"statusLine": "x"}'])(
    'leaves alone what it cannot call: %s',
    (text) => {
      const installed = installSettings(text, { command, optional: [{ ...line, onlyRenew: false }] }).text;
      expect(inspectCommandSetting(installed, line)).toBe('foreign');
      expect(parsed(removeSettings(installed, asked).text)).toEqual(parsed(text));
    },
  );

  it('on Windows ours is called by itself, and theirs is left alone', () => {
    const onWindows = buildOptionalCommand('statusLine', {
      ...parts,
      platform: 'win32',
      hookProgram: 'C:\\c\\hook.cjs',
    });
    expect(onWindows.command()).toBe('"/usr/bin/node" "C:/c/hook.cjs" statusline');
    const wantedOnly = { command, optional: [{ ...onWindows, onlyRenew: false }] };
    expect(inspectCommandSetting(installSettings('{}', wantedOnly).text, onWindows)).toBe('installed');
    expect(inspectCommandSetting(installSettings(`{${theirs}}`, wantedOnly).text, onWindows)).toBe('foreign');
  });

  it('where Cairn is gone theirs goes on alone, with its stdin', () => {
    const gone = buildOptionalCommand('statusLine', { ...parts, launcher: '/gone/bin/cairn' });
    const run = (shell: string | null) => {
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', shell ?? ''], {
        encoding: 'utf8',
        input: 'in',
      });
      return { status, stdout, stderr };
    };
    expect(run(gone.command(`printf '%s ' "it's"; cat`))).toEqual({
      status: 0,
      stdout: "it's in",
      stderr: '',
    });
    expect(run(gone.command())).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('is known as ours in a home with any name', () => {
    const elsewhere = buildOptionalCommand('statusLine', { ...parts, launcher: "/o'neil/memory/bin/cairn" });
    expect(elsewhere.read(elsewhere.command() ?? '')).toEqual({});
    expect(elsewhere.read(elsewhere.command('theirs') ?? '')).toEqual({ theirs: 'theirs' });
  });

  function parsed(text: string): unknown {
    const json = text.replace(/\/\/.*$/gm, '').replace(/,(\s*})/g, '$1');
    return json.trim() === '' ? {} : JSON.parse(json);
  }
});

it.each([
  'capture.sh claude-code Stop',
  "sh '/home/u/capture.sh' Stop",
  'set -- claude-code x; . ./other.sh',
  'node hook.cjs Stop',
  'echo claude-code',
])('is not ours: %s', (foreign) => {
  expect(isOurCommand(foreign)).toBe(false);
});

it('finds the settings of the user, of another configuration folder and of a project', () => {
  const moved = (name: string) => (name === 'CLAUDE_CONFIG_DIR' ? '/etc/claude' : undefined);
  expect([
    settingsPath({ userHome: '/home/u', variable: () => undefined }),
    settingsPath({ userHome: '/home/u', variable: moved }),
    settingsPath({ userHome: '/home/u', variable: moved, project: '/src/app' }),
  ]).toEqual([
    '/home/u/.claude/settings.json',
    '/etc/claude/settings.json',
    '/src/app/.claude/settings.json',
  ]);
});

it('sees the plugin and switched-off hooks in the same settings', () => {
  const text = '{"enabledPlugins": {"x@y": true, "cairn@cairn": true}, "disableAllHooks": true}';
  expect([findEnabledPlugin(text), areHooksDisabled(text)]).toEqual(['cairn@cairn', true]);
  expect([findEnabledPlugin('{"enabledPlugins": {"cairn@cairn": false}}'), findEnabledPlugin(null)]).toEqual([
    undefined,
    undefined,
  ]);
  expect([areHooksDisabled('{}'), areHooksDisabled(null)]).toEqual([false, false]);
});

it('calls node on Windows, by paths with spaces', () => {
  const onWindows = buildHookCommand({
    ...parts,
    platform: 'win32',
    interpreter: 'C:\\Program Files\\nodejs\\node.exe',
    hookProgram: 'C:\\Users\\A B\\cairn\\dist\\hook.cjs',
  });
  expect(onWindows('PostToolUse')).toBe(
    '"C:/Program Files/nodejs/node.exe" "C:/Users/A B/cairn/dist/hook.cjs" claude-code PostToolUse settings',
  );
  expect(isOurCommand(onWindows('Stop'))).toBe(true);
});

describe('the command in a real shell', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'cairn-command-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const shells = [['sh'], ['dash'], ['bash'], ['bash', '--posix'], ['busybox', 'sh']].filter(
    ([program = '']) => !spawnSync(program, ['-c', ':']).error,
  );
  const folders = ['plain', 'with space', "o'neil", '$HOME `id` "x" \\ ;&', 'ü 語'];

  const run = (shell: string[], script: string) => {
    const [program = '', ...options] = shell;
    const { status, stdout, stderr } = spawnSync(
      program,
      [...options, '-c', buildHookCommand({ ...parts, captureScript: script })('PostToolUse')],
      { encoding: 'utf8', input: '{"payload": 1}', cwd: root },
    );
    return { status, stdout, stderr };
  };

  describe.each(shells.map((shell) => ({ shell, name: shell.join(' ') })))('$name', ({ shell }) => {
    it.each(folders)('reads the script in a folder named %s, with its arguments and stdin', (folder) => {
      mkdirSync(join(root, folder));
      const script = join(root, folder, 'capture.sh');
      writeFileSync(script, 'printf "%s|" "$@"; cat\n');
      expect(run(shell, script)).toEqual({
        status: 0,
        stdout: 'claude-code|PostToolUse|settings|{"payload": 1}',
        stderr: '',
      });
      expect(isOurCommand(buildHookCommand({ ...parts, captureScript: script })('Stop'))).toBe(true);
    });

    it('ends with 0, silently, when the script is gone', () => {
      expect(run(shell, join(root, 'gone', 'capture.sh'))).toEqual({ status: 0, stdout: '', stderr: '' });
    });

    it('ends with 0 when the script cannot be read as one, and with its own status when that is meant', () => {
      const script = join(root, 'capture.sh');
      mkdirSync(script);
      expect(run(shell, script).status).toBe(0);
      rmSync(script, { recursive: true });
      writeFileSync(script, 'if true; then\n');
      expect(run(shell, script).status).toBe(0);
      writeFileSync(script, 'false\n');
      expect(run(shell, script).status).toBe(0);
      writeFileSync(script, 'exit 2\n');
      expect(run(shell, script).status).toBe(2);
    });

    it('ends with 0 when the script vanishes between the test and the reading', () => {
      const script = join(root, 'capture.sh');
      writeFileSync(script, '');
      chmodSync(script, 0o600);
      const vanishing = buildHookCommand({ ...parts, captureScript: script })('Stop').replace(
        'set --',
        'rm "$f"; set --',
      );
      const [program = '', ...options] = shell;
      expect(spawnSync(program, [...options, '-c', vanishing]).status).toBe(0);
    });
  });
});
