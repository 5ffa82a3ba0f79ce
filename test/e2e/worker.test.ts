import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareHome } from '../../src/capture/home.ts';
import { writeSpoolFile } from '../../src/capture/spool.ts';
import { writeAtomically } from '../../src/platform/files.ts';
import { type Paths, pathsOf } from '../../src/platform/paths.ts';
import { tryLock } from '../../src/store/sqlite/lock.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { findRunningWorker } from '../../src/worker/worker-note.ts';
import { chooseSeed, randomFrom } from '../support/random.ts';
import { tempFolder } from '../support/temp.ts';

const repository = resolve(import.meta.dirname, '../..');
const program = join(repository, 'dist/worker.cjs');
const seed = chooseSeed();
const random = randomFrom(seed);

let paths: Paths;
let started: ChildProcess[];

beforeEach(() => {
  paths = pathsOf(join(tempFolder(), '.cairn'));
  prepareHome(paths.home, process.env.PATH);
  started = [];
});

afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await until(() => findRunningWorker(paths) === null);
});

function startWorker(settings: Record<string, number> | null = {}, from = program): ChildProcess {
  if (settings) writeAtomically(paths.config, JSON.stringify({ 'worker.idleSeconds': 1, ...settings }));
  const env = { PATH: process.env.PATH, HOME: paths.home, CAIRN_HOME: paths.home };
  const child = spawn(process.execPath, [from], { env, stdio: 'ignore' });
  started.push(child);
  return child;
}

async function until(isSo: () => boolean, ms = 60_000): Promise<void> {
  for (const end = Date.now() + ms; !isSo(); await sleep(25))
    if (Date.now() > end) throw new Error('waited in vain');
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** A whole turn that teaches something: a failing test, an edit, a passing test. */
function spoolTurn(number: number): void {
  const session = `s-${number % 25}`;
  const common = { session_id: session, prompt_id: `p-${number}`, cwd: paths.home };
  const spool = (hook: string, fields: object) =>
    writeSpoolFile(
      paths,
      { agent: 'claude-code', hook, via: 'settings', projectDir: paths.home },
      session,
      Buffer.from(JSON.stringify({ ...common, hook_event_name: hook, ...fields })),
    );
  const bash = (id: string) => ({
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_use_id: `${id}-${number}`,
  });
  spool('UserPromptSubmit', { prompt: `fix the rounding of price number ${number}` });
  spool('PostToolUseFailure', {
    ...bash('red'),
    error: `Exit code 1\nnot ok 1 - price ${number} is rounded`,
  });
  spool('PostToolUse', {
    tool_name: 'Edit',
    tool_use_id: `edit-${number}`,
    tool_input: {
      file_path: join(paths.home, `price-${number}.js`),
      old_string: 'floor',
      new_string: 'round',
    },
    tool_response: {
      filePath: join(paths.home, `price-${number}.js`),
      oldString: 'floor',
      newString: 'round',
    },
  });
  spool('PostToolUse', { ...bash('green'), tool_response: { stdout: 'ok 1', stderr: '' } });
  spool('Stop', {
    last_assistant_message: `Fixed: price-${number}.js cut the cents off with floor, because of a copied helper. It rounds now.`,
    stop_hook_active: false,
  });
}

function read<T>(look: (store: Store) => T): T {
  const store = openSqliteStore(paths.database);
  try {
    return look(store);
  } finally {
    store.close();
  }
}

test(`100 kills during 500 turns lose and duplicate nothing (seed ${seed})`, {
  timeout: 300_000,
}, async () => {
  const turns = 500;
  let spooled = 0;
  for (let kill = 0; kill < 100; kill++) {
    const worker = startWorker();
    while (spooled < (turns * (kill + 1)) / 100) spoolTurn(spooled++);
    await sleep(40 + random.next() * 160);
    // Every fourth kill is a SIGTERM.
    worker.kill(kill % 4 === 3 ? 'SIGTERM' : 'SIGKILL');
    await until(() => hasEnded(worker));
  }
  const last = startWorker();
  await until(() => hasEnded(last), 120_000);

  expect(readdirSync(paths.spool).filter((name) => name.includes('.'))).toEqual([]);
  const { counts, jobs, memories, damage } = read((store) => ({
    counts: store.countEverything(),
    jobs: store.listJobs(),
    memories: store.listRecentMemories({ limit: 10_000 }),
    damage: store.findDamage(),
  }));
  expect({
    prompts: counts.prompts,
    events: counts.events,
    turns: counts.turns,
    open: counts.openTurns,
  }).toEqual({
    prompts: turns,
    events: turns * 4,
    turns,
    open: 0,
  });
  expect({ jobs, damage }).toEqual({ jobs: [], damage: [] });
  const summaries = memories.filter(({ kind }) => kind === 'summary').map(({ turnId }) => turnId);
  expect(new Set(summaries).size).toBe(turns);
  expect(summaries).toHaveLength(turns);
  const fixes = memories.filter(({ type }) => type === 'bugfix').map(({ turnId }) => turnId);
  expect(new Set(fixes).size).toBe(fixes.length);
  expect(findRunningWorker(paths)).toBeNull();
});

test('of 50 workers started at once never two run, five times', { timeout: 300_000 }, async () => {
  for (let round = 0; round < 5; round++) {
    spoolTurn(round);
    const all = Array.from({ length: 50 }, () => startWorker({ 'worker.idleSeconds': 0 }));
    await until(() => all.every(hasEnded), 60_000);
    expect(all.map(({ exitCode }) => exitCode)).toEqual(Array(50).fill(0));
  }
  expect(read((store) => store.countEverything())).toMatchObject({ turns: 5, openTurns: 0, waitingJobs: 0 });
  const messages = logLines().filter((message) => message === 'worker started' || message === 'worker ends');
  expect(messages.length).toBeGreaterThanOrEqual(10);
  expect(messages).toEqual(messages.map((_, index) => (index % 2 === 0 ? 'worker started' : 'worker ends')));
});

/** All log messages, in order. */
function logLines(): string[] {
  const text = readdirSync(paths.logs).map((name) => readFileSync(join(paths.logs, name), 'utf8'));
  return text
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).message);
}

test('exits when there is nothing to do, and stays while a turn is open', async () => {
  const idle = startWorker();
  await until(() => hasEnded(idle), 30_000);
  expect(idle.exitCode).toBe(0);

  const busy = startWorker();
  writeSpoolFile(
    paths,
    { agent: 'claude-code', hook: 'UserPromptSubmit', via: 'settings' },
    's-open',
    Buffer.from(
      JSON.stringify({
        session_id: 's-open',
        prompt_id: 'p',
        prompt: 'go on',
        hook_event_name: 'UserPromptSubmit',
      }),
    ),
  );
  await until(() => read((store) => store.countEverything().openTurns) === 1);
  await sleep(3_000);
  expect(hasEnded(busy)).toBe(false);
  busy.kill('SIGTERM');
  await until(() => hasEnded(busy));
  expect(busy.exitCode).toBe(0);
});

test("is stopped by a file, not by a pid: a note with another process's pid does no harm", async () => {
  const bystander = spawn('sleep', ['60'], { stdio: 'ignore' });
  started.push(bystander);
  writeFileSync(paths.workerNote, JSON.stringify({ pid: bystander.pid, version: '9.9.9', startedAt: 1 }));
  expect(findRunningWorker(paths)).toBeNull();
  const worker = startWorker({ 'worker.idleSeconds': 60 });
  await until(() => findRunningWorker(paths)?.pid === worker.pid);
  writeFileSync(paths.workerNote, JSON.stringify({ pid: bystander.pid }));
  writeFileSync(paths.stopWorker, '');
  await until(() => hasEnded(worker));
  expect(hasEnded(bystander)).toBe(false);
  bystander.kill();
});

test('rebuilds a damaged database, reports it and continues', async () => {
  for (let turn = 0; turn < 60; turn++) spoolTurn(turn);
  const first = startWorker({ 'worker.idleSeconds': 0 });
  await until(() => hasEnded(first));
  const file = openSync(paths.database, 'r+');
  writeSync(file, Buffer.alloc(40_000, 0xa5), 0, 40_000, 8_192);
  closeSync(file);
  for (let turn = 60; turn < 70; turn++) spoolTurn(turn);
  const second = startWorker({ 'worker.idleSeconds': 0 });
  await until(() => hasEnded(second));
  expect(readdirSync(paths.home).filter((name) => /\.damaged-[^.]*Z$/.test(name))).toHaveLength(1);
  expect(readdirSync(paths.spool).filter((name) => name.includes('.'))).toEqual([]);
  expect(readFileSync(paths.outbox, 'utf8')).toContain("Cairn's database was damaged");
  const { damage, waitingJobs } = read((store) => ({
    damage: store.findDamage(),
    ...store.countEverything(),
  }));
  expect({ damage, waitingJobs }).toEqual({ damage: [], waitingJobs: 0 });
});

function copyInstallation(): string {
  const root = join(tempFolder(), 'cairn');
  cpSync(join(repository, 'dist'), join(root, 'dist'), { recursive: true });
  cpSync(join(repository, 'package.json'), join(root, 'package.json'));
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  return join(root, 'dist');
}

test('does not load its program while another worker runs', async () => {
  const dist = copyInstallation();
  writeFileSync(join(dist, 'worker-program.cjs'), 'process.exit(7);');
  const release = tryLock(paths.workerLock);
  const second = startWorker({}, join(dist, 'worker.cjs'));
  await until(() => hasEnded(second));
  release?.();
  const alone = startWorker({}, join(dist, 'worker.cjs'));
  await until(() => hasEnded(alone));
  expect([second.exitCode, alone.exitCode]).toEqual([0, 7]);
});

test('gives way to another version that has replaced it', { timeout: 120_000 }, async () => {
  const dist = copyInstallation();
  const copied = join(dist, 'worker-program.cjs');
  const old = startWorker({ 'worker.idleSeconds': 120 }, join(dist, 'worker.cjs'));
  await until(() => findRunningWorker(paths)?.pid === old.pid);
  writeAtomically(copied, readFileSync(copied, 'utf8').replaceAll('"0.1.0"', '"0.1.1"'));
  spoolTurn(1);
  await until(() => findRunningWorker(paths)?.version === '0.1.1');
  expect(hasEnded(old)).toBe(true);
  await until(() => read((store) => store.countEverything().memories) > 0);
  writeFileSync(paths.stopWorker, '');
  await until(() => findRunningWorker(paths) === null);
});

test('exits when its home is removed', async () => {
  const worker = startWorker({ 'worker.idleSeconds': 60 });
  await until(() => findRunningWorker(paths) !== null);
  // It may still be writing its first files there.
  await until(() => {
    try {
      rmSync(paths.home, { recursive: true, force: true });
    } catch {
      return false;
    }
    return !existsSync(paths.home);
  });
  await until(() => hasEnded(worker), 45_000);
  expect(worker.exitCode).toBe(0);
});
