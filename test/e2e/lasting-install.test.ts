import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/platform/installation.ts';
import { runSession } from '../support/claude-code.ts';
import { recorded, runProgram } from '../support/hook-call.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { makeWorld, runIn, type World } from '../support/world.ts';

/** A person who has only node and npm, and the package as it would be published. */
const root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-lasting-')));
const home = join(root, 'user');
const project = join(root, 'project');
const memory = join(home, '.cairn');
const launcher = join(memory, 'bin/cairn');
const prefix = join(root, 'prefix');
const oldNode = join(root, 'old-node/bin');
const newNode = join(home, '.nvm/versions/node/v99.0.0/bin');
const settings = join(home, '.claude/settings.json');
const SETTINGS = '{\n  "model": "opus"\n}\n';
const env = {
  HOME: home,
  PATH: '/usr/bin:/bin',
  CAIRN_NO_WORKER: '1',
  CLAUDECODE: '1',
  CLAUDE_PROJECT_DIR: project,
};
let tarball: string;

beforeAll(() => {
  for (const folder of [dirname(settings), project, oldNode, newNode]) mkdirSync(folder, { recursive: true });
  writeFileSync(settings, SETTINGS);
  copyFileSync(process.execPath, join(oldNode, 'node'));
  const packed = npm('pack', '--ignore-scripts', '--json', '--pack-destination', root, packageRoot());
  tarball = join(root, JSON.parse(packed)[0].filename);
  npm('install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', tarball);
});

afterAll(() => removeFolder(root));

describe('an installation from the package', () => {
  test('is complete and small, and a second one changes nothing', () => {
    const first = run(
      join(oldNode, 'node'),
      join(prefix, 'bin/cairn'),
      'install',
      'claude-code',
      '--statusline',
      '--json',
    );
    const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
    const program = join(memory, 'app', version);
    expect(JSON.parse(first)).toMatchObject({
      agents: [{ status: 'installed' }],
      program,
      undo: '~/.cairn/bin/cairn uninstall claude-code',
    });
    expect(sizeOf(program)).toBeLessThan(8 * 1024 * 1024);
    expect(contents([settings, join(home, '.claude.json')]).join()).not.toContain(prefix);
    const again = run(join(oldNode, 'node'), join(prefix, 'bin/cairn'), 'install', 'claude-code', '--json');
    expect(JSON.parse(again)).toMatchObject({ agents: [{ status: 'unchanged' }], program });
    expect(readdirSync(join(memory, 'app'))).toEqual([version]);
  });

  test('of a changed build with the same version switches to it and keeps the other', () => {
    const changed = join(root, 'changed');
    execFileSync('cp', ['-R', join(prefix, 'lib/node_modules/cairn-memory'), changed]);
    writeFileSync(
      join(changed, 'dist/cli.mjs'),
      `${readFileSync(join(changed, 'dist/cli.mjs'), 'utf8')}\n// another build\n`,
    );
    const [first] = readdirSync(join(memory, 'app'));
    run(join(oldNode, 'node'), join(changed, 'dist/cli.mjs'), 'install', 'claude-code');
    const both = readdirSync(join(memory, 'app')).sort();
    expect(both).toEqual([first, expect.stringMatching(new RegExp(`^${first}-[0-9a-f]{8}$`))]);
    expect(readFileSync(launcher, 'utf8')).toContain(`app/${both[1]}/`);
    run(join(oldNode, 'node'), join(prefix, 'bin/cairn'), 'install', 'claude-code');
    expect(readFileSync(launcher, 'utf8')).toContain(`app/${first}/`);
  });

  test('works without the package, without the npx cache, and with another node', async () => {
    expect(await hook('SessionStart', 'events/SessionStart.startup')).toContain('Cairn is on.');
    rmSync(prefix, { recursive: true });
    rmSync(join(home, '.npm'), { recursive: true, force: true });
    expect(await hook('Stop', 'events/Stop')).toBe('');

    renameSync(join(oldNode, 'node'), join(newNode, 'node'));
    const node = join(newNode, 'node');
    const PATH = withoutNode();
    const reply = await hook('SessionStart', 'events/SessionStart.startup', PATH);
    expect(reply).toContain(
      `${oldNode}/node is gone, so hooks use ${node}. To keep that: ${launcher} doctor`,
    );
    expect(await hook('SessionStart', 'events/SessionStart.startup', PATH)).not.toContain('is gone');
    const [line, server] = [settings, join(home, '.claude.json')].map((file) =>
      JSON.parse(readFileSync(file, 'utf8')),
    );
    const drawn = shell(line.statusLine.command, recorded('programs/statusline.after-responses'), PATH);
    expect(drawn.stdout).toContain('% left');
    const { command, args } = server.mcpServers.cairn;
    const answer = spawnSync(command, args, {
      env: { ...env, PATH },
      input: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n',
      encoding: 'utf8',
    });
    expect(answer.stdout).toContain('"search"');

    expect(cairn(PATH, 'status').stdout).toContain(
      `interpreter: ${oldNode}/node is gone; hooks use ${node} → Run: ~/.cairn/bin/cairn doctor`,
    );
    const doctor = cairn(PATH, 'doctor', '--json');
    expect(JSON.parse(doctor.stdout)).toMatchObject({ state: 'ok' });
    expect(contents([launcher, join(memory, 'capture.sh')]).join()).not.toContain(oldNode);
    expect(cairn(PATH, 'status', '--json')).toMatchObject({ status: 0 });
    expect(JSON.parse(cairn(PATH, 'sessions', '--all', '--json').stdout).length).toBeGreaterThan(0);
  });

  test('can be removed without a trace, except for the memory', () => {
    const { status, stdout } = cairn(withoutNode(), 'uninstall', 'claude-code');
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining('Install again: npx cairn-memory install claude-code'),
    ]);
    expect(readFileSync(settings, 'utf8')).toBe(SETTINGS);
    expect(readdirSync(join(home, '.claude'))).toEqual(['settings.json']);
    expect(existsSync(join(home, '.claude.json'))).toBe(false);
    for (const name of ['app', 'bin', 'capture.sh', 'installed'])
      expect(existsSync(join(memory, name))).toBe(false);
    expect(existsSync(join(memory, 'cairn.db'))).toBe(true);
  });
});

describe('the real client, with the package run by npx', () => {
  let world: World;
  const own = (name: string) => join(world.home, '.cairn', name);
  const answer = async (prompt: string) => {
    const run = await runSession(world, { script: { main: [[{ text: 'Done.' }]] }, prompts: [prompt] });
    return JSON.stringify(run.printed.filter((line) => JSON.stringify(line).includes('Cairn')));
  };
  const prompts = async () => {
    const { stdout } = await runIn(world, own('bin/cairn'), ['timeline', '--all', '--json']);
    return stdout.match(/Plant the \w+/g);
  };

  beforeAll(async () => {
    world = await makeWorld();
    const bin = join(world.root, 'old-node');
    mkdirSync(bin);
    copyFileSync(process.execPath, join(bin, 'node'));
    const env = { ...process.env, HOME: world.home, npm_config_loglevel: 'error' };
    // Like `npx cairn-memory install`, but without a registry.
    execFileSync('npm', ['exec', '--yes', `--package=${tarball}`, '--', join(bin, 'node'), ...NPX_INSTALL], {
      cwd: world.project,
      env,
    });
  });
  afterAll(() => world.remove());

  test('works without the npx cache and with another node; the person is told once, and doctor repairs it', async () => {
    expect(await answer('Plant the plums')).toContain('Cairn is on. ');

    rmSync(join(world.home, '.npm'), { recursive: true, force: true });
    const gone = join(world.root, 'old-node/node');
    const next = join(world.home, '.nvm/versions/node/v99.0.0/bin');
    mkdirSync(next, { recursive: true });
    renameSync(gone, join(next, 'node'));
    world.env.PATH = withoutNode();
    expect(await answer('Plant the pears')).toContain(`${gone} is gone, so hooks use ${next}/node.`);
    expect(await answer('Plant the figs')).not.toContain('is gone');
    expect(await prompts()).toEqual(['Plant the plums', 'Plant the pears', 'Plant the figs']);

    const { stdout } = await runIn(world, own('bin/cairn'), ['doctor']);
    expect(stdout).toContain(`${gone} is gone; hooks use ${next}/node`);
    expect(contents([own('capture.sh'), own('bin/cairn')]).join()).not.toContain(gone);
    expect(await runIn(world, own('bin/cairn'), ['status'])).toMatchObject({ exitCode: 0 });
  });
});

/** npm puts the package's program on the PATH. The node that runs it is the one that is moved later. */
const NPX_INSTALL = [
  '-e',
  "const { spawnSync } = require('node:child_process');" +
    "const cairn = spawnSync('which', ['cairn']).stdout.toString().trim();" +
    "process.exit(spawnSync(process.execPath, [cairn, 'install'], { stdio: 'inherit' }).status);",
];

function npm(...args: string[]): string {
  const npmEnv = { ...process.env, HOME: home, npm_config_loglevel: 'error' };
  return execFileSync('npm', args, { cwd: project, env: npmEnv, encoding: 'utf8', timeout: 250_000 });
}

function run(node: string, ...args: string[]): string {
  return execFileSync(node, args, { cwd: project, env, encoding: 'utf8' });
}

/** Through the launcher: there is no other `cairn`. */
function cairn(PATH: string, ...args: string[]) {
  return spawnSync(launcher, args, { cwd: project, env: { ...env, PATH }, encoding: 'utf8' });
}

/** Runs the command in the settings as the client does. */
async function hook(event: string, payload: string, PATH = env.PATH): Promise<string> {
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8'));
  const input = recorded(payload, { cwd: project });
  const { stdout, stderr, exitCode } = await runProgram('/bin/sh', ['-c', hooks[event][0].hooks[0].command], {
    cwd: project,
    env: { ...env, PATH },
    input,
  });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout;
}

function shell(command: string, input: string, PATH: string) {
  return spawnSync('/bin/sh', ['-c', command], {
    cwd: project,
    env: { ...env, PATH },
    input,
    encoding: 'utf8',
  });
}

/** A PATH with the usual programs, but without node. */
function withoutNode(): string {
  const bin = join(root, 'bin');
  if (!existsSync(bin)) {
    mkdirSync(bin);
    for (const name of ['sh', 'cat', 'git', 'date', 'mkdir', 'rm']) {
      const found = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find(existsSync);
      if (found) symlinkSync(found, join(bin, name));
    }
  }
  return bin;
}

function contents(files: string[]): string[] {
  return files.map((file) => readFileSync(file, 'utf8'));
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
