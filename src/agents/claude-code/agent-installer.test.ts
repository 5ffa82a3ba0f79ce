import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { InstallPlace } from '../install/agent-installer.ts';
import { inspectCommandSetting } from '../install/command-setting.ts';
import { buildHookCommand } from '../install/hook-command.ts';
import { applyEdit } from '../install/json-text.ts';
import { addParts, dropParts } from '../install/parts.ts';
import { installer, settingsPath } from './agent-installer.ts';
import { registeredEvents } from './events.ts';
import { buildOptionalCommand } from './optional-programs.ts';

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
const everyProgram = { ...place.choices, programs: ['statusline', 'suggest-files'] };
/** The parts that Cairn adds to the settings. */
const partsFor = (more: Partial<InstallPlace> = {}) => {
  const here = { ...place, ...more };
  return installer.listParts(here).filter(({ path }) => path === settingsPath(here));
};
const installIn = (text: string | null, more: Partial<InstallPlace> = {}) => addParts(partsFor(more), text);
const statesIn = (text: string, more: Partial<InstallPlace> = {}) => {
  const [hooks] = partsFor(more);
  return hooks?.hooks?.inspect(text).map(({ state }) => state);
};

it('writes one group for each event that Cairn listens to', () => {
  const { text } = installIn(null);
  const command = buildHookCommand('claude-code', place);
  const wanted = registeredEvents.map(({ event, matcher, timeout }) => [
    event,
    [
      {
        ...(matcher !== undefined && { matcher }),
        hooks: [{ type: 'command', command: command(event), timeout }],
      },
    ],
  ]);
  expect(JSON.parse(text)).toEqual({ hooks: Object.fromEntries(wanted) });
  expect(statesIn(text)).toEqual(registeredEvents.map(() => 'installed'));
  expect(dropParts(partsFor(), text).text).toBe('{}\n');
});

it('rewrites entries of another version, path or platform instead of adding a second one', () => {
  const elsewhere = [
    { captureScript: "/Users/o'neil/my cairn/capture.sh" },
    { platform: 'win32' as const, interpreter: 'C:\\node.exe', hookProgram: 'D:\\x\\hook.cjs' },
  ];
  const fresh = installIn(null).text;
  for (const other of elsewhere) {
    const old = installIn('{}\n', other).text;
    expect(statesIn(old)).toEqual(registeredEvents.map(() => 'outdated'));
    expect(installIn(old).text).toBe(fresh);
  }
});

describe('optional programs', () => {
  const install = (text: string) => installIn(text, { choices: everyProgram });
  const states = (text: string) =>
    partsFor()
      .filter(({ kind }) => kind === 'status line' || kind === 'file list')
      .map((part) => part.inspect(text));

  const theirs = String.raw`"statusLine": { "type": "command", "command": "~/it's \"mine\" $HOME", "padding": 0 }`;
  const layouts = [
    { name: 'an empty file', text: '' },
    { name: 'other settings', text: '{\n  "model": "opus"\n}\n' },
    { name: 'comments and tabs', text: '{\n\t// mine\n\t"a": 1, // too\n}\n' },
    { name: "the person's own status line", text: `{\n  // mine\n  ${theirs},\n  "a": 1\n}\n`, shared: true },
    { name: 'their status line on one line', text: `{${theirs}}`, shared: true },
  ];

  it.each(layouts)('are added once to $name and undone byte for byte', ({ text, shared }) => {
    const installed = install(text);
    expect(states(installed.text)).toEqual([shared ? 'shared' : 'installed', 'installed']);
    expect(install(installed.text)).toMatchObject({ changed: false, wasThere: true });
    expect(installed.undo.reduce(applyEdit, installed.text)).toBe(text);
  });

  it.each(layouts)('are removed from $name even after the client has rewritten the file', ({ text }) => {
    const { text: installed, made } = install(text);
    const rewritten = JSON.stringify(parsed(installed), null, '\t');
    expect(parsed(dropParts(partsFor(), rewritten, made).text)).toEqual(parsed(text));
  });

  it('are updated if installed, but not added without being asked for', () => {
    expect(states(installIn('{}').text)).toEqual(['missing', 'missing']);
    const choices = { ...place.choices, programs: ['statusline'] };
    const old = installIn(`{${theirs}}`, { launcher: '/elsewhere/bin/cairn', choices }).text;
    expect(states(old)).toEqual(['outdated', 'missing']);
    const renewed = installIn(old);
    expect([states(renewed.text), renewed.wasThere]).toEqual([['shared', 'missing'], true]);
    expect(parsed(dropParts(partsFor(), renewed.text).text)).toEqual(parsed(`{${theirs}}`));
  });

  it.each(['{"statusLine": null}', '{"statusLine": {"type": "static", "text": "x"}}', '{"statusLine": "x"}'])(
    'leave a status line unchanged that they cannot call: %s',
    (text) => {
      const programs = partsFor({ choices: everyProgram }).filter(({ kind }) => kind === 'status line');
      const installed = addParts(programs, text).text;
      expect(states(installed)[0]).toBe('foreign');
      expect(parsed(dropParts(programs, installed).text)).toEqual(parsed(text));
    },
  );

  it('are called directly on Windows, where an existing status line is left alone', () => {
    const windows = { platform: 'win32' as const, hookProgram: 'C:\\c\\hook.cjs', choices: everyProgram };
    const line = statusLine({ ...place, ...windows });
    expect(line.command()).toBe('"/usr/bin/node" "C:/c/hook.cjs" statusline');
    expect(inspectCommandSetting(installIn('{}', windows).text, line)).toBe('installed');
    expect(inspectCommandSetting(installIn(`{${theirs}}`, windows).text, line)).toBe('foreign');
  });

  it('still run the existing command with its stdin if Cairn was removed', () => {
    const removed = statusLine({ ...place, launcher: '/gone/bin/cairn' });
    const run = (shell: string | null) => {
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', shell ?? ''], {
        encoding: 'utf8',
        input: 'in',
      });
      return { status, stdout, stderr };
    };
    expect(run(removed.command(`printf '%s ' "it's"; cat`))).toEqual({
      status: 0,
      stdout: "it's in",
      stderr: '',
    });
    expect(run(removed.command())).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('are recognized in a home with any path', () => {
    const elsewhere = statusLine({ ...place, launcher: "/o'neil/memory/bin/cairn" });
    expect(elsewhere.read(elsewhere.command() ?? '')).toEqual({});
    expect(elsewhere.read(elsewhere.command('theirs') ?? '')).toEqual({ theirs: 'theirs' });
  });

  function parsed(text: string): unknown {
    const json = text.replace(/\/\/.*$/gm, '').replace(/,(\s*})/g, '$1');
    return json.trim() === '' ? {} : JSON.parse(json);
  }
});

it('finds the settings of the user, of a moved configuration folder and of a project', () => {
  const moved = (name: string) => (name === 'CLAUDE_CONFIG_DIR' ? '/etc/claude' : undefined);
  const project = { folder: '/src/app', repository: '/src/app' };
  expect([
    settingsPath(place),
    settingsPath({ ...place, variable: moved }),
    settingsPath({ ...place, variable: moved, project }),
  ]).toEqual([
    '/home/u/.claude/settings.json',
    '/etc/claude/settings.json',
    '/src/app/.claude/settings.json',
  ]);
});

describe('the plugin and obstacles', () => {
  const reading = (files: Record<string, string>) => (path: string) => files[path] ?? null;
  const SETTINGS = '/home/u/.claude/settings.json';
  const { findPlugin, findObstacles } = installer;

  it.each([
    ['{"enabledPlugins": {"x@y": true, "cairn@cairn": true}}', 'cairn@cairn'],
    ['{"enabledPlugins": {"cairn@cairn": false}}', undefined],
    ['{}', undefined],
  ])('with %s, the plugin is %s', (text, name) => {
    expect(findPlugin?.(place, reading({ [SETTINGS]: text }))?.name).toBe(name);
  });

  it('reports disabled hooks and an untrusted folder as obstacles', () => {
    const files = {
      [SETTINGS]: '{"disableAllHooks": true}',
      '/home/u/.claude.json': '{"projects": {"/src/app": {"hasTrustDialogAccepted": false}}}',
    };
    expect(findObstacles?.(place, reading(files)).map(({ isEverywhere }) => isEverywhere)).toEqual([
      true,
      false,
    ]);
    expect(findObstacles?.(place, reading({}))).toEqual([]);
  });
});

function statusLine(where: InstallPlace) {
  return buildOptionalCommand('statusLine', 'statusline', where);
}
