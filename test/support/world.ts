import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { installClient } from './install-claude-code.ts';
import { removeFolder } from './remove-folder.ts';

/** A miniature machine for one client: its own home, one project under git, and no inherited environment. */
export interface World {
  root: string;
  home: string;
  project: string;
  /** The path of the agent's program. */
  client: string;
  /** The whole environment; programs run in this world get these variables and no others. */
  env: Record<string, string>;
  remove(): Promise<void>;
}

const FAKE_KEY = 'fake-key';
const CLOSED_PORT = 'http://127.0.0.1:9';

/** `files` are the project's first commit, by path in the project; `programs` are scripts on the PATH, by name. */
export async function makeWorld(
  files: Record<string, string> = { 'README.md': '# Orchard\n' },
  programs: Record<string, string> = {},
): Promise<World> {
  const client = await installClient();
  const root = await realpath(await mkdtemp(join(tmpdir(), 'cairn-world-')));
  const home = join(root, 'home');
  const project = join(root, 'project');
  const temporary = join(root, 'tmp');
  const env = environment(home, temporary);
  for (const folder of [join(home, '.claude'), project, temporary]) await mkdir(folder, { recursive: true });

  await writeFile(join(home, '.claude.json'), JSON.stringify(onboardedState(project)));
  await writeFile(join(home, '.gitconfig'), GIT_CONFIG);
  await writeFile(join(home, '.npmrc'), 'update-notifier=false\n');
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), content);
  }
  for (const [name, script] of Object.entries(programs)) await addProgram(root, env, name, script);
  const remove = () => removeFolder(root);
  const world = { root, home, project, client, env, remove };
  for (const command of ['init -q', 'add -A', 'commit -qm start']) {
    const { exitCode, stderr } = await runIn(world, 'git', command.split(' '));
    if (exitCode !== 0) throw new Error(`git ${command}: ${stderr}`);
  }
  return world;
}

async function addProgram(root: string, env: World['env'], name: string, script: string): Promise<void> {
  const bin = join(root, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, name), script, { mode: 0o755 });
  if (!env.PATH?.startsWith(`${bin}:`)) env.PATH = `${bin}:${env.PATH}`;
}

/** A world with Cairn installed in its client, and with additional environment variables. */
export async function makeConnectedWorld({
  files,
  programs,
  env,
}: {
  files?: Record<string, string>;
  programs?: Record<string, string> | undefined;
  env?: Record<string, string>;
} = {}): Promise<World> {
  const world = await makeWorld(files, programs);
  Object.assign(world.env, env);
  await cairn(world, 'install', 'claude-code');
  return world;
}

/** Puts `cairn` on the PATH of this world, and our plugin into its client. */
export async function installPlugin(world: World): Promise<void> {
  const repository = resolve(import.meta.dirname, '../..');
  const bin = join(world.root, 'bin');
  world.env.PATH = `${bin}:${world.env.PATH}`;
  await mkdir(bin, { recursive: true });
  await symlink(join(repository, 'dist/cli.mjs'), join(bin, 'cairn'));
  for (const args of [
    ['plugin', 'marketplace', 'add', repository],
    ['plugin', 'install', 'cairn@cairn'],
  ]) {
    const { exitCode, stdout, stderr } = await runIn(world, world.client, args);
    if (exitCode !== 0) throw new Error(`claude ${args.join(' ')}: ${stdout}${stderr}`);
  }
}

export interface ProgramRun {
  /** Null if a signal ended it, as the time limit does. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program in the world's project, with the world's environment. */
export function runIn(world: World, program: string, args: string[]): Promise<ProgramRun> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { cwd: world.project, env: world.env, timeout: 60_000 },
      (_, stdout, stderr) => resolve({ exitCode: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

export const CLI = resolve(import.meta.dirname, '../../dist/cli.mjs');

/** Runs the built `cairn` in the world's project. @returns what it printed. */
export async function cairn(world: World, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runIn(world, process.execPath, [CLI, ...args]);
  if (exitCode !== 0) throw new Error(`cairn ${args.join(' ')} ended with ${exitCode}: ${stdout}${stderr}`);
  return stdout;
}

const GIT_CONFIG = `[user]
	name = Robin
	email = robin@example.invalid
[init]
	defaultBranch = main
`;

function environment(home: string, temporary: string): Record<string, string> {
  return {
    HOME: home,
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    // Otherwise the client uses zsh where it is installed, which expands the scripts' commands differently.
    SHELL: '/bin/bash',
    USER: 'robin',
    TMPDIR: temporary,
    CLAUDE_CODE_TMPDIR: temporary,
    ANTHROPIC_API_KEY: FAKE_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    // Requests to the outside end at a closed port of this machine; a session of the client gets the address of its own
    // scripted model.
    ANTHROPIC_BASE_URL: CLOSED_PORT,
    HTTP_PROXY: CLOSED_PORT,
    HTTPS_PROXY: CLOSED_PORT,
    NO_PROXY: '127.0.0.1,localhost',
  };
}

/** The client's state of a person who has answered its first questions. */
function onboardedState(project: string) {
  return {
    hasCompletedOnboarding: true,
    theme: 'dark',
    numStartups: 3,
    autoUpdates: false,
    hasTrustDialogAccepted: true,
    autoModeDefaultOffered: true,
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: [FAKE_KEY], rejected: [] },
    projects: {
      [project]: {
        allowedTools: [],
        hasTrustDialogAccepted: true,
        hasCompletedProjectOnboarding: true,
        projectOnboardingSeenCount: 3,
      },
    },
  };
}
