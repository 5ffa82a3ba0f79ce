import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot, workerProgram } from '../../src/platform/installation.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { callHook, type HookWorld, makeHookWorld, recorded } from '../support/hook-call.ts';
import {
  addWorktree,
  type HostileRepository,
  makeHostileRepository,
  makePayload,
  moveBehindPointer,
  programsRun,
  provenTricks,
  rearm,
  TRICK_NAMES,
} from '../support/hostile-repository.ts';
import { makeRepository } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';
import { until } from '../support/until.ts';

/** Nothing in a project's folder is run or waited for: not by a hook, a command or a background process. */

const OTHER_USER = 4_711;
const LONGEST_MS = 90_000;

describe('nothing is run by a hostile repository', () => {
  test('from an archive', async () => {
    const { world, hostile } = makeHostileWorld();
    expect(provenTricks(hostile)).toEqual(TRICK_NAMES);
    rearm(hostile);
    await useEverything(world);
    expect(programsRun(hostile)).toEqual([]);
    // It was looked at, not skipped.
    expect(gitStatesOf(world)).toContainEqual(expect.objectContaining({ branch: 'main' }));
  });

  test.each([
    ['behind a .git file', moveBehindPointer],
    ['in a linked worktree', addWorktree],
  ])('%s', async (_name, reshape) => {
    const { world, hostile } = makeHostileWorld(reshape);
    expect(provenTricks(hostile)).toEqual(expect.arrayContaining(['clean-filter', 'fsmonitor']));
    rearm(hostile);
    await useGit(world);
    expect(programsRun(hostile)).toEqual([]);
  });

  test('with git variables in the environment, and another git in PATH', async () => {
    const { world, hostile } = makeHostileWorld();
    const run = makePayload(hostile, 'variable');
    makePayload(hostile, 'git-in-path', join(hostile.top, 'git'));
    const env = {
      ...world.env,
      PATH: ['.', '', hostile.top, world.env.PATH].join(delimiter),
      GIT_EXTERNAL_DIFF: run,
      GIT_SSH_COMMAND: run,
      GIT_PAGER: run,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: run,
    };
    const git = (path: string) =>
      spawnSync('sh', ['-c', 'git status'], { cwd: hostile.top, env: { ...env, PATH: path } });
    git(env.PATH);
    expect(programsRun(hostile)).toEqual(['git-in-path']);
    git(world.env.PATH ?? '');
    expect(programsRun(hostile)).toContain('variable');
    rearm(hostile);
    await useGit({ ...world, env });
    expect(programsRun(hostile)).toEqual([]);
  });

  /** Only root can give files to another user. */
  test.runIf(process.getuid?.() === 0)('from another user, in a shared parent folder', async () => {
    const { world: outer, hostile } = makeHostileWorld();
    const world = { ...outer, project: join(hostile.top, 'mine') };
    mkdirSync(world.project);
    // Git is queried once while the folder still belongs to this user.
    await useGit(world);
    execFileSync('chown', ['-R', `${OTHER_USER}:${OTHER_USER}`, hostile.gitDir]);
    rearm(hostile);
    spawnSync('git', ['--git-dir', hostile.gitDir, 'log', '-1'], { cwd: hostile.top, env: world.env });
    expect(programsRun(hostile)).toEqual(['signature']);
    rearm(hostile);
    await useGit(world);
    expect(programsRun(hostile)).toEqual([]);
    const { stdout } = await run(world, ['status']);
    expect(stdout).not.toContain(hostile.gitDir);
  });
});

describe('files that never answer do not block anything', () => {
  test.skipIf(process.platform === 'win32').each([
    ['.git', ['.git']],
    ['.git/HEAD', ['.git/HEAD']],
    [
      "git's other files, and those that agents read",
      [
        ...['.git/index', '.git/config', '.git/packed-refs', '.git/commondir', '.git/shallow'],
        ...['.git/info/exclude', '.gitmodules', 'CLAUDE.md', 'src/CLAUDE.md', 'src/AGENTS.md'],
        ...['src/price.js', '.claude/settings.json', '.claude/settings.local.json', '.mcp.json'],
      ],
    ],
  ])('%s', async (_name, paths) => {
    const world = makeQuickWorld();
    makeRepository(world.project);
    prepareProject(world);
    for (const path of paths) {
      rmSync(join(world.project, path), { recursive: true, force: true });
      mkdirSync(join(world.project, path, '..'), { recursive: true });
      execFileSync('mkfifo', [join(world.project, path)]);
    }
    await (paths.length > 1 ? useEverything : useGit)(world);
    expect(gitStatesOf(world).length).toBeGreaterThan(0);
  });
});

function makeHostileWorld(reshape = (hostile: HostileRepository) => hostile) {
  const world = makeQuickWorld();
  const hostile = reshape(makeHostileRepository(join(world.root, 'hostile')));
  const inside = { ...world, project: hostile.top };
  inside.env = { ...world.env, CLAUDE_PROJECT_DIR: hostile.top };
  return { world: inside, hostile };
}

/** Its worker exits as soon as it has nothing to do, and writes folder notes. */
function makeQuickWorld(): HookWorld {
  const world = makeHookWorld(tempFolder());
  writeFileSync(world.paths.config, JSON.stringify({ 'worker.idleSeconds': 0, 'notes.auto': 'on' }));
  return world;
}

function prepareProject({ project }: HookWorld): void {
  mkdirSync(join(project, 'src'), { recursive: true });
  if (!existsSync(join(project, 'src/price.js'))) writeFileSync(join(project, 'src/price.js'), 'round');
}

/** Every hook, the worker, and every command that looks at the folder in which it is called. */
async function useEverything(world: HookWorld): Promise<void> {
  prepareProject(world);
  await captureTurn(world);
  await captureRecordedEvents(world);
  await runWorker(world);
  await runCommands(world, [...COMMANDS, ...GIT_COMMANDS]);
}

/** A captured turn, and all that queries git. */
async function useGit(world: HookWorld): Promise<void> {
  prepareProject(world);
  await captureTurn(world);
  await runWorker(world);
  await runCommands(world, GIT_COMMANDS);
}

async function runCommands(world: HookWorld, commands: TypedCommand[]): Promise<void> {
  const unanswered: string[][] = [];
  for (const [args, stdin] of commands)
    if ((await run(world, args, stdin?.(world))).isKilled) unanswered.push(args);
  expect(unanswered).toEqual([]);
  await until('git has answered everything about files', () => (isUnderway(world) ? undefined : true));
}

type TypedCommand = [args: string[], stdin?: (world: HookWorld) => string];

const GIT_COMMANDS: TypedCommand[] = [
  [['work', 'new', 'Round the prices']],
  [['handoff', 'save', 'almost done']],
  [['notes', '--dry-run']],
  [['notes']],
  [['statusline'], statusLineCall],
  [['suggest-files'], suggestCall],
  [['mcp'], () => mcpCall('handoff', { note: 'half done' })],
];

const COMMANDS: TypedCommand[] = [
  [['status']],
  [['doctor']],
  [['search', 'price']],
  [['search', 'file:src/price.js']],
  [['recent']],
  [['timeline']],
  [['timeline', '1']],
  [['file', 'src/price.js']],
  [['context']],
  [['context', '--for', 'prompt', '--prompt', 'fix the rounding of the price']],
  [['context', '--for', 'file', '--file', 'src/price.js']],
  [['remember', 'Prices are rounded, never cut.']],
  [['work']],
  [['work', 'show']],
  [['plan']],
  [['tasks', 'add', 'Round them']],
  [['tasks']],
  [['handoff']],
  [['handoff', 'show']],
  [['handoff', 'resume']],
  [['sessions']],
  [['show', '1']],
  [['why', '1']],
  [['notes', '--clean']],
  [['stats']],
  [['export']],
  [['import', 'claude-code', '--dry-run', '--project', '.']],
  [['import', 'memory-md', '--dir', '.', '--dry-run']],
  [['project', 'list']],
  [['pause']],
  [['unpause']],
  [['install', 'claude-code', '--project', '--dry-run', '--yes']],
  [['uninstall', 'claude-code', '--project', '--dry-run']],
  [['mcp'], () => mcpCall('search', { query: 'price' })],
  [['mcp'], () => mcpCall('file_history', { path: 'src/price.js' })],
  [['hook', 'claude-code', 'SessionStart'], (world) => hookPayload(world, 'events/SessionStart.startup')],
];

async function run(
  world: HookWorld,
  args: string[],
  input = '',
): Promise<{ isKilled: boolean; stdout: string }> {
  const program = join(packageRoot(), 'dist/cli.mjs');
  const options = { cwd: world.project, env: world.env, timeout: LONGEST_MS, killSignal: 'SIGKILL' } as const;
  return new Promise((ended) => {
    const child = execFile(process.execPath, [program, ...args], options, (_error, stdout) =>
      ended({ isKilled: child.signalCode !== null, stdout }),
    );
    // The program may exit before it has read its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

function statusLineCall(world: HookWorld): string {
  return recorded('programs/statusline.after-responses', { cwd: world.project, workspace: undefined });
}

function suggestCall(world: HookWorld): string {
  return recorded('programs/file-suggestion.stdin', { cwd: world.project, query: '' });
}

function isUnderway({ paths }: HookWorld): boolean {
  const folder = join(paths.state, 'files');
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.underway'));
}

function mcpCall(name: string, args: Record<string, string>): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
}

/** Through the installed shell script. */
async function captureTurn(world: HookWorld): Promise<void> {
  const bash = { tool_name: 'Bash', tool_input: { command: 'npm test' } };
  const file = join(world.project, 'src/price.js');
  const edit = { file_path: file, old_string: 'floor', new_string: 'round' };
  const text = 'Fixed: src/price.js cut the cents off with floor, because of a copied line. It rounds now.';
  const own: [string, object][] = [
    ['SessionStart', { source: 'startup' }],
    ['UserPromptSubmit', { prompt: 'fix the rounding of the price' }],
    ['PreToolUse', { tool_name: 'Read', tool_use_id: 'read', tool_input: { file_path: file } }],
    ['PostToolUseFailure', { ...bash, tool_use_id: 'red', error: 'Exit code 1\nnot ok 1 - it is rounded' }],
    ['PostToolUse', { tool_name: 'Edit', tool_use_id: 'edit', tool_input: edit, tool_response: edit }],
    ['PostToolUse', { ...bash, tool_use_id: 'green', tool_response: { stdout: 'ok 1', stderr: '' } }],
    ['PreCompact', { trigger: 'manual' }],
    ['PostCompact', { trigger: 'manual' }],
    ['Stop', { last_assistant_message: text, stop_hook_active: false }],
    ['SessionEnd', { reason: 'other' }],
  ];
  const common = { session_id: SESSION, prompt_id: 'p-1', cwd: world.project };
  for (const [hook, fields] of own)
    await callShell(world, hook, JSON.stringify({ ...common, hook_event_name: hook, ...fields }));
}

/** One recorded event of each kind in Claude Code. */
async function captureRecordedEvents(world: HookWorld): Promise<void> {
  const folder = join(packageRoot(), 'src/agents/claude-code/payloads/events');
  const byHook = new Map(readdirSync(folder).map((name) => [name.split('.')[0] ?? '', name]));
  // The worker waits for sessions that are still open.
  const inOrder = [...byHook].sort(([a], [b]) => Number(a === 'SessionEnd') - Number(b === 'SessionEnd'));
  for (const [hook, name] of inOrder)
    await callShell(world, hook, hookPayload(world, `events/${name.replace(/\.json$/, '')}`));
}

const SESSION = '0b9d6f0e-1111-4000-8000-00000000000a';

async function callShell(world: HookWorld, hook: string, input: string): Promise<void> {
  const { exitCode } = await callHook(world, 'shell', hook, { input, cwd: world.project });
  expect([hook, exitCode]).toEqual([hook, 0]);
}

function hookPayload(world: HookWorld, name: string): string {
  return recorded(name, { cwd: world.project, session_id: `${SESSION.slice(0, -1)}b` });
}

/** Runs the worker until it has nothing left to do. */
async function runWorker(world: HookWorld): Promise<void> {
  const worker = spawn(process.execPath, [workerProgram()], {
    env: world.env,
    stdio: 'ignore',
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  });
  const signal = await new Promise((ended) => worker.on('exit', (_code, by) => ended(by)));
  expect(signal).toBeNull();
}

/** The recorded git states of the checkout. */
function gitStatesOf({ paths }: HookWorld): object[] {
  const store = openSqliteStore(paths.database);
  try {
    return store
      .listWorkItems({ limit: 100 })
      .flatMap(({ id }) => store.listGitStates(id, 100))
      .map(({ state }) => state);
  } finally {
    store.close();
  }
}
