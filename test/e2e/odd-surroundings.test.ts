import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hookProgram, packageRoot } from '../../src/platform/installation.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { runCairn } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';

/** An unusual home or current folder: a clear message, no stack trace, and hooks that never fail. */

const CLI = join(packageRoot(), 'dist/cli.mjs');
const isRoot = process.getuid?.() === 0;
const STRANGER = 54_321;
const EVENT = JSON.stringify({ session_id: 's', hook_event_name: 'Stop', cwd: '/' });

const COMMANDS = [
  'status',
  'recent',
  'search x',
  'work',
  'doctor',
  'remember x',
  'install claude-code --yes',
  'mcp',
];

test('an unknown home folder', ({ skip }) => {
  if (!isRoot) return skip('needs a user that the system does not know, so only root can try it');
  const env = { PATH: process.env.PATH, CAIRN_NO_WORKER: '1' };
  const call = (program: string, args: string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      ...{ cwd: '/', env, uid: STRANGER, gid: STRANGER, input: EVENT, encoding: 'utf8' },
    });
  for (const command of COMMANDS) {
    const { status, stdout, stderr } = call(CLI, command.split(' '));
    expect({ command, status, stdout, stderr }).toEqual({
      ...{ command, status: 1, stdout: '' },
      stderr: 'cairn: Your home folder is unknown. Set HOME to it and try again.\n',
    });
  }
  for (const [program, ...args] of [
    [CLI, 'hook', 'claude-code', 'Stop'],
    [hookProgram(), 'claude-code', 'SessionStart', 'settings'],
    [hookProgram(), 'statusline'],
    [hookProgram(), 'suggest-files'],
  ] as [string, ...string[]][])
    expect(call(program, args)).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test('a deleted current folder', () => {
  const home = tempFolder();
  const call = (command: string) =>
    spawnSync(
      '/bin/sh',
      [
        '-c',
        `mkdir gone && cd gone && rmdir ../gone && "$0" "$@"`,
        process.execPath,
        CLI,
        ...command.split(' '),
      ],
      {
        ...{ cwd: home, input: EVENT, encoding: 'utf8' },
        env: { HOME: home, PATH: process.env.PATH, CAIRN_NO_WORKER: '1' },
      },
    );
  const names = call('help').stdout.matchAll(/^ {2}([a-z-]+) /gm);
  for (const [, name = ''] of names) {
    // It plays a whole session in its own folders.
    if (name === 'tour') continue;
    const { status, stderr } = call(name);
    expect({ name, stderr }).toEqual({ name, stderr: expect.not.stringMatching(/^ {4}at |uv_cwd/m) });
    if (stderr.includes('no longer exists'))
      expect({ name, status, stderr }).toEqual({
        ...{ name, status: 1 },
        stderr: 'cairn: The current folder no longer exists. Change to another folder and try again.\n',
      });
  }
  // The worker that `open` has started would ingest the event.
  expect(call('worker stop')).toMatchObject({ status: 0 });
  expect(call('recent').stderr).toContain('The current folder no longer exists.');
  expect(call('hook claude-code Stop')).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(pathsOf(join(home, '.cairn')).spool)).toEqual([expect.stringMatching(/^s\./)]);
});

test('a home that others can read and change: doctor reports it, install closes it', () => {
  const home = tempFolder();
  expect(runCairn({ home }, 'install', 'claude-code', '--yes').exitCode).toBe(0);
  expect(runCairn({ home }, 'remember', 'Plums need sun.').exitCode).toBe(0);
  const { home: folder, database, state, captureScript } = pathsOf(join(home, '.cairn'));
  const outside = join(home, 'outside');
  writeFileSync(outside, '', { mode: 0o644 });
  symlinkSync(outside, join(folder, 'link'));
  const homeCheck = () =>
    JSON.parse(runCairn({ home }, 'doctor', '--json').stdout).checks.find(
      ({ name }: { name: string }) => name === 'home',
    );
  const open = (mode: number, ...paths: string[]) => {
    for (const path of paths) chmodSync(path, mode);
  };
  open(0o777, folder);
  expect(homeCheck()).toMatchObject({
    state: 'warn',
    message: `${folder} can be read and changed by others`,
  });
  open(0o770, folder, state);
  open(0o666, database, captureScript);
  expect(homeCheck()).toEqual({
    ...{ name: 'home', state: 'warn' },
    message: `3 files in ${folder} can be changed by others`,
    fix: `Run: chmod -R go= ${folder}`,
  });
  const { stdout } = runCairn({ home }, 'install', 'claude-code', '--yes');
  expect(stdout).toContain(`Other users could read or change 4 files in ${folder}; they no longer can.`);
  expect(homeCheck()).toMatchObject({ state: 'ok' });
  const modes = [folder, state, database, captureScript, outside].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o600, 0o600, 0o644]);
});

test('a home of another user is refused', ({ skip }) => {
  if (!isRoot) return skip('only root can give a folder away');
  const home = tempFolder();
  const folder = join(home, '.cairn');
  mkdirSync(folder, { mode: 0o777 });
  chownSync(folder, STRANGER, STRANGER);
  for (const command of COMMANDS.filter((name) => name !== 'doctor')) {
    const { exitCode, stdout, stderr } = runCairn({ home }, ...command.split(' '));
    expect({ command, exitCode, stdout, stderr }).toEqual({
      ...{ command, exitCode: 1, stdout: '' },
      stderr: `cairn: ${folder} belongs to another user (uid ${STRANGER}). Set CAIRN_HOME to a folder of your own.\n`,
    });
  }
  expect(readdirSync(folder)).toEqual([]);
  const doctor = runCairn({ home }, 'doctor');
  expect(doctor).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('belongs to another user') });
  expect(runCairn({ home, stdin: EVENT }, 'hook', 'claude-code', 'Stop')).toMatchObject({
    exitCode: 0,
    stdout: '',
  });
});

test('a home where nothing can be created', ({ skip }) => {
  if (process.platform !== 'linux') return skip('needs /proc');
  const call = (program: string, args: string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      ...{ cwd: tempFolder(), input: EVENT, encoding: 'utf8', timeout: 30_000 },
      env: { HOME: '/proc', PATH: process.env.PATH, CAIRN_NO_WORKER: '1', TMPDIR: tempFolder() },
    });
  expect(call(CLI, ['remember', 'x'])).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/cairn: Cairn cannot use its folder \/proc\/\.cairn \(ENOENT\)\. .+\n$/),
  });
  expect(call(hookProgram(), ['claude-code', 'SessionStart', 'settings'])).toMatchObject({
    ...{ status: 0, stdout: '', signal: null },
  });
});

test('a database that is a pipe is refused at once', () => {
  const home = tempFolder();
  mkdirSync(join(home, '.cairn'), { mode: 0o700 });
  spawnSync('mkfifo', [join(home, '.cairn/cairn.db')]);
  for (const command of ['recent', 'remember x'])
    expect(runCairn({ home }, ...command.split(' '))).toMatchObject({
      ...{ exitCode: 1, stdout: '' },
      stderr: expect.stringMatching(/^cairn: Cairn cannot use its folder .+ \(EINVAL\)\. .+\n$/),
    });
  expect(runCairn({ home, stdin: EVENT }, 'hook', 'claude-code', 'SessionStart')).toMatchObject({
    exitCode: 0,
  });
});
