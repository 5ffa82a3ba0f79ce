import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { listSpool, listTornFiles } from '../../src/capture/spool.ts';
import { workerProgram } from '../../src/platform/installation.ts';
import { tryLock } from '../../src/store/sqlite/lock.ts';
import { atATime } from '../support/at-a-time.ts';
import { endAll, integrityOf, processesOf, rowCounts, storedRows } from '../support/home-watch.ts';
import {
  callHook,
  type HookWorld,
  installedCommand,
  makeHookWorld,
  recorded,
  runProgram,
  SILENCE,
} from '../support/hook-call.ts';
import { chooseSeed, type Random, randomFrom } from '../support/random.ts';
import { tempFolder } from '../support/temp.ts';

const CAPTURES = 1_000;
const AT_A_TIME = 50;
const DRAINERS = 3;
const seed = chooseSeed();

interface Capture {
  event: string;
  payload: string;
  /** What distinguishes its row from all others. */
  key: string;
}

function captures(count: number, random: Random): Capture[] {
  return Array.from({ length: count }, (_, number) => {
    const session = { session_id: `session-${number % 20}`, prompt_id: `turn-${number % 100}` };
    const key = `capture ${number}`;
    const sort = random.next();
    if (sort < 0.7)
      return {
        event: 'PostToolUse',
        payload: recorded('tools/PostToolUse.Bash', { ...session, tool_use_id: key }),
        key,
      };
    if (sort < 0.75)
      return {
        event: 'PostToolUseFailure',
        payload: recorded('tools/PostToolUseFailure.Bash', { ...session, tool_use_id: key }),
        key,
      };
    if (sort < 0.95)
      return {
        event: 'UserPromptSubmit',
        payload: recorded('events/UserPromptSubmit', { ...session, prompt: key }),
        key,
      };
    return {
      event: 'Stop',
      payload: recorded('events/Stop', { ...session, last_assistant_message: key }),
      key,
    };
  });
}

describe(`under load (CAIRN_TEST_SEED=${seed})`, () => {
  test('each of 1,000 events is stored once, despite kills and locks', async () => {
    const random = randomFrom(seed);
    const world = makeHookWorld(tempFolder());
    const all = captures(CAPTURES, random);
    const storm = startStorm(world, random);

    const pauses = all.map(() => random.below(600));
    const runs = await atATime(AT_A_TIME, [...all.entries()], async ([number, { event, payload }]) => {
      await sleep(pauses[number]);
      // Turn ends start workers, as they do for an agent.
      return callHook(world, 'shell', event, { input: payload, env: { CAIRN_NO_WORKER: '' } });
    });
    const { killed, locks } = await storm.end();
    expect(runs.filter((run) => JSON.stringify(run) !== JSON.stringify(SILENCE))).toEqual([]);
    expect(killed).toBeGreaterThan(10);
    expect(locks).toBeGreaterThan(2);

    expect(await endAll(world)).toEqual([]);
    expect(await drainInTheForeground(world)).toEqual(SILENCE);
    const keys = storedRows(world).map(({ key }) => key);
    expect(keys.sort()).toEqual(all.map(({ key }) => key).sort());
    expect({ waiting: listSpool(world.paths), torn: listTornFiles(world.paths) }).toEqual({
      waiting: [],
      torn: [],
    });
    expect(integrityOf(world)).toEqual([{ integrity_check: 'ok' }]);
    const release = tryLock(world.paths.intakeLock);
    expect(release).not.toBeNull();
    release?.();
    expect(processesOf(world)).toEqual([]);
  });
});

describe('delivered twice', () => {
  test('spool files that return after their commit are stored once', async () => {
    const world = makeHookWorld(tempFolder());
    const all = captures(60, randomFrom(7));
    await atATime(4, all, ({ event, payload }) => callHook(world, 'shell', event, { input: payload }));
    const kept = mkdtempSync(join(world.root, 'kept-'));
    cpSync(world.paths.spool, kept, { recursive: true, preserveTimestamps: true });
    expect(await drainInTheForeground(world)).toEqual(SILENCE);
    const once = storedRows(world);
    const counts = rowCounts(world);

    // As after a kill between the commit and the removal of the files.
    cpSync(kept, world.paths.spool, { recursive: true, preserveTimestamps: true });
    expect(readdirSync(world.paths.spool)).toHaveLength(60);
    expect(await drainInTheForeground(world)).toEqual(SILENCE);
    expect(storedRows(world)).toEqual(once);
    expect(rowCounts(world)).toEqual(counts);
    expect(listSpool(world.paths)).toEqual([]);
  });

  test('an event from two installations is stored once, and the same words typed twice are stored twice', async () => {
    const world = makeHookWorld(tempFolder());
    const call = recorded('tools/PostToolUse.Bash', { session_id: 'two-ways', tool_use_id: 'one call' });
    const end = recorded('events/Stop', { session_id: 'two-ways', last_assistant_message: 'one end' });
    const prompt = recorded('events/UserPromptSubmit', { session_id: 'two-ways', prompt: 'continue' });
    const bothWays = ['settings', 'plugin'];
    for (const via of bothWays) await callVia(world, via, 'UserPromptSubmit', prompt);
    await callVia(world, 'settings', 'UserPromptSubmit', prompt);
    for (const via of bothWays) await callVia(world, via, 'PostToolUse', call);
    for (const via of bothWays) await callVia(world, via, 'Stop', end);
    expect(listSpool(world.paths)).toHaveLength(7);
    expect(await drainInTheForeground(world)).toEqual(SILENCE);
    expect(
      storedRows(world)
        .map(({ key }) => key)
        .sort(),
    ).toEqual(['continue', 'continue', 'one call', 'one end']);
  });
});

function callVia(world: HookWorld, via: string, event: string, input: string) {
  const command = installedCommand(world, event).replace(' settings;', ` ${via};`);
  return runProgram('/bin/sh', ['-c', command], { cwd: world.project, env: world.env, input });
}

function drainInTheForeground(world: HookWorld) {
  return runProgram(process.execPath, [workerProgram(), 'drain'], { cwd: world.project, env: world.env });
}

/** Drainers that run all the time and are killed at random, and a process that keeps locking the database. */
function startStorm(world: HookWorld, random: Random): { end(): Promise<{ killed: number; locks: number }> } {
  const began = new Set<ChildProcess>();
  let isOver = false;
  let killed = 0;
  let locks = 0;

  function start(args: string[]): ChildProcess {
    const child = spawn(process.execPath, args, { env: world.env, stdio: ['ignore', 'pipe', 'ignore'] });
    began.add(child);
    child.on('exit', () => began.delete(child));
    return child;
  }

  async function drainAndBeKilled(): Promise<void> {
    while (!isOver) {
      const child = start([workerProgram(), 'drain']);
      const ended = once(child, 'exit');
      await Promise.race([ended, sleep(random.below(500))]);
      if (child.kill('SIGKILL')) killed += 1;
      await ended;
    }
  }

  const locker = start(['--eval', LOCKER, world.paths.database]);
  locker.stdout?.on('data', (dots: Buffer) => {
    locks += dots.length;
  });
  const drainers = Array.from({ length: DRAINERS }, drainAndBeKilled);
  return {
    async end() {
      isOver = true;
      await Promise.all(drainers);
      // Most likely while it holds the lock.
      const ended = once(locker, 'exit');
      locker.kill('SIGKILL');
      await ended;
      return { killed, locks };
    },
  };
}

/** Holds the database for one or two seconds, again and again; prints a dot each time. */
const LOCKER = `
const { DatabaseSync } = require('@photostructure/sqlite');
const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const db = new DatabaseSync(process.argv[1], { timeout: 60000 });
for (;;) {
  db.exec('BEGIN EXCLUSIVE');
  require('node:fs').writeSync(1, '.');
  wait(1000 + Math.random() * 1000);
  db.exec('COMMIT');
  wait(300);
}`;
