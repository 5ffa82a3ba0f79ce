import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/platform/installation.ts';
import { atATime } from '../support/at-a-time.ts';
import { cairn } from '../support/home-watch.ts';
import { callHook, type HookWorld, makeHookWorld, recorded, SILENCE } from '../support/hook-call.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { tempFolder } from '../support/temp.ts';

/** Commands that only read need no write lock, no disk space and no write permission. */

const READING: { args: string[]; says: string }[] = [
  { args: ['search', 'plums'], says: 'Plums need sun' },
  { args: ['recent'], says: 'Plums need sun' },
  { args: ['timeline'], says: 'Plums need sun' },
  { args: ['file', 'orchard.md'], says: 'Plums need sun' },
  { args: ['context'], says: 'Plums need sun' },
  { args: ['context', '--prompt', 'Where do plums need sun in this orchard?'], says: '' },
  { args: ['show', '1'], says: 'Plums need sun' },
  { args: ['why', '1'], says: 'Plums need sun' },
  { args: ['sessions'], says: 'prune the plum trees' },
  { args: ['stats'], says: '1' },
  { args: ['status'], says: 'sessions  1' },
  { args: ['project', 'list'], says: 'project' },
  { args: ['queue', 'list'], says: '' },
  { args: ['index', 'status'], says: 'words' },
  { args: ['export', '--all'], says: 'Plums need sun' },
  { args: ['export', '--format', 'markdown'], says: 'Plums need sun' },
  { args: ['work', 'list'], says: 'prune-plum-trees' },
  { args: ['work', 'show'], says: 'prune-plum-trees' },
  { args: ['plan', 'list'], says: 'prune-plum-trees has no plan' },
  { args: ['tasks'], says: 'Sharpen the saw' },
  { args: ['handoff', 'list'], says: 'prune-plum-trees/1' },
  { args: ['handoff', 'show'], says: 'Sharpen the saw' },
  { args: ['logs'], says: '' },
  { args: ['config'], says: 'log.level' },
  { args: ['worker', 'status'], says: '' },
  { args: ['doctor'], says: 'ok, schema' },
];

let ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.reverse()) await end();
  ending = [];
});

describe('another process holds', () => {
  test.each([
    { file: 'cairn.db', lock: 'BEGIN IMMEDIATE', why: 'the database is busy.' },
    { file: 'cairn.db', lock: 'BEGIN EXCLUSIVE', why: 'the database is busy.' },
    { file: 'state/intake.lock', lock: 'BEGIN EXCLUSIVE', why: 'another process is ingesting events.' },
    { file: 'state/works.lock', lock: 'BEGIN EXCLUSIVE', why: null },
  ])('$file by $lock', async ({ file, lock, why }) => {
    const world = await makeOrchard(tempFolder());
    await waitingEvent(world);
    await hold(join(world.home, file), lock);
    for (const { args, stderr } of await runAll(world)) {
      if (!READS_EVENTS.has(args[0] ?? '') || why === null) continue;
      expect({ args, stderr }).toEqual({ args, stderr: `1 event is not stored yet: ${why}\n` });
    }
  });

  test('nothing any more: pending events are there', async () => {
    const world = await makeOrchard(tempFolder());
    await waitingEvent(world);
    const release = await hold(world.paths.database, 'BEGIN IMMEDIATE');
    expect((await cairn(world, 'search', 'plums')).exitCode).toBe(0);
    await release();
    expect(await cairn(world, 'status')).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await cairn(world, 'doctor')).stdout).not.toContain('intake');
  });

  test('the database while an agent calls a tool', async () => {
    const world = await makeOrchard(tempFolder());
    await waitingEvent(world);
    await hold(world.paths.database, 'BEGIN IMMEDIATE');
    expect(await askTool(world, 'search', { query: 'plums' })).toContain('Plums need sun');
    expect(await askTool(world, 'tasks', {})).toContain('Sharpen the saw');
  });
});

describe('nothing can be written:', () => {
  function diskWithOrchard(): SmallDisk | null {
    const disk = mountSmallDisk();
    if (disk) ending.push(disk.remove);
    return disk;
  }

  test('the disk is full', async ({ skip }) => {
    const disk = diskWithOrchard();
    if (!disk) return skip('no right to mount a small disk here');
    const world = await makeOrchard(disk.folder);
    await waitingEvent(world);
    disk.fill();
    for (const { args, stderr } of await runAll(world, ['status', 'doctor']))
      if (READS_EVENTS.has(args[0] ?? ''))
        expect({ args, stderr }).toEqual({ args, stderr: '1 event is not stored yet: the disk is full.\n' });
    expect(await askTool(world, 'search', { query: 'plums' })).toContain('Plums need sun');
  });

  test('the home is on a read-only disk', async ({ skip }) => {
    const disk = diskWithOrchard();
    if (!disk) return skip('no right to mount a small disk here');
    const world = await makeOrchard(disk.folder);
    await waitingEvent(world);
    disk.makeReadOnly();
    for (const { args, stderr } of await runAll(world, ['status', 'doctor']))
      if (READS_EVENTS.has(args[0] ?? ''))
        expect({ args, stderr }).toEqual({
          args,
          stderr: '1 event is not stored yet: the database is read-only.\n',
        });
    expect(await askTool(world, 'search', { query: 'plums' })).toContain('Plums need sun');
    const refused = await cairn(world, 'remember', 'Pears need rain.');
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('read-only file system') });
    expect(refused.stderr).not.toContain('    at ');
    expect((await cairn(world, 'open', '--print')).stderr).toMatch(
      /^cairn: Cairn cannot write to .+: it is on a read-only file system\.\n$/,
    );
  });

  test('the files and folders are read-only', async () => {
    const world = await makeOrchard(tempFolder());
    for (const path of [world.paths.database, world.home])
      chmodSync(path, path === world.home ? 0o500 : 0o400);
    ending.push(() => chmodSync(world.home, 0o700));
    await runAll(world, ['doctor']);
  });
});

/** Commands that ingest first; the rest need no events. */
const READS_EVENTS = new Set(
  READING.map(({ args: [name = ''] }) => name).filter(
    (name) => !/logs|config|worker|doctor|search/.test(name),
  ),
);

/** Runs every reading command; those in `alarmed` may report the problem by their exit code. */
async function runAll(world: HookWorld, alarmed = ['doctor']) {
  const runs = await atATime(2, READING, async ({ args, says }) => ({
    ...{ args, says },
    ...(await cairn(world, ...args)),
  }));
  for (const { args, says, exitCode, stdout, stderr } of runs) {
    const isAlarmed = alarmed.includes(args[0] ?? '');
    expect({ args, stderr, exitCode: isAlarmed ? 0 : exitCode }).toEqual({ args, stderr, exitCode: 0 });
    expect({ args, stdout }).toEqual({ args, stdout: expect.stringContaining(says) });
    expect(stderr).not.toContain('    at ');
  }
  return runs;
}

async function makeOrchard(folder: string): Promise<HookWorld> {
  const world = makeHookWorld(folder);
  const prompt = recorded('events/UserPromptSubmit', { prompt: 'prune the plum trees', session_id: 'first' });
  expect((await callHook(world, 'node', 'UserPromptSubmit', { input: prompt })).exitCode).toBe(0);
  for (const args of [
    ['remember', 'Plums need sun.', '--file', 'orchard.md'],
    ['work', 'list'],
    ['tasks', 'add', 'Sharpen the saw'],
    ['handoff', 'save', 'Sharpen the saw first'],
  ])
    expect(await cairn(world, ...args)).toMatchObject({ exitCode: 0 });
  return world;
}

/** A turn end that only the next intake stores. */
async function waitingEvent(world: HookWorld): Promise<void> {
  const input = recorded('events/Stop', { session_id: 'first' });
  expect(await callHook(world, 'shell', 'Stop', { input })).toEqual(SILENCE);
}

const HOLDER = `
  const { DatabaseSync } = require('@photostructure/sqlite');
  const db = new DatabaseSync(process.argv[1]);
  db.exec(process.argv[2]);
  process.stdout.write('held');
  process.stdin.resume().on('end', () => process.exit());
`;

/** A process that holds the lock until it is released, or the test ends. */
async function hold(file: string, lock: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['-e', HOLDER, file, lock], { cwd: packageRoot() });
  const release = () => end(child);
  ending.push(release);
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('not held');
    }),
  ]);
  return release;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
}

/** Returns what the MCP server answers to one call. */
async function askTool(world: HookWorld, name: string, args: Record<string, unknown>): Promise<string> {
  const client = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const child = spawn(process.execPath, [join(packageRoot(), 'dist/cli.mjs'), 'mcp'], {
    cwd: world.project,
    env: { ...world.env, CLAUDE_CODE_SESSION_ID: 'first' },
  });
  for (const message of [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: client },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: args } },
  ])
    child.stdin.write(`${JSON.stringify(message)}\n`);
  child.stdin.end();
  let answers = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) answers += chunk;
  return answers;
}
