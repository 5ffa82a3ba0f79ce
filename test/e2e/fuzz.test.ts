import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { replyTable } from '../../src/agents/claude-code/reply-rules.ts';
import { validateOutput } from '../../src/agents/dialect/reply-rules.ts';
import { drain } from '../../src/capture/drain.ts';
import { listSpool, listTornFiles } from '../../src/capture/spool.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { createHookIo, type HookProcess } from '../../src/hooks/io.ts';
import { runHook } from '../../src/hooks/run.ts';
import { isObject } from '../../src/model/json.ts';
import { workerProgram } from '../../src/platform/installation.ts';
import { createLog } from '../../src/platform/log.ts';
import { atATime } from '../support/at-a-time.ts';
import { endAll, withDatabase } from '../support/home-watch.ts';
import { callHook, type HookWorld, makeHookWorld, runProgram, SILENCE } from '../support/hook-call.ts';
import type { ProcessRun } from '../support/hooks-library.ts';
import { type Fate, type FuzzedPayload, fateOf, fuzzedPayload } from '../support/payload-fuzz.ts';
import { chooseSeed, randomFrom } from '../support/random.ts';
import { tempFolder } from '../support/temp.ts';

const seed = chooseSeed();

describe(`random payloads (CAIRN_TEST_SEED=${seed})`, () => {
  afterEach(() => vi.unstubAllEnvs());

  test('1,000 through the hook process', async () => {
    const world = makeHookWorld(tempFolder());
    const payloads = fuzzedPayloads(1_000, seed + 1);
    await throughProcesses(world, 'node', payloads);
  });

  test('2,000 through the shell program', async () => {
    const world = makeHookWorld(tempFolder());
    const payloads = fuzzedPayloads(2_000, seed + 2);
    await throughProcesses(world, 'shell', payloads);
  });

  // Runs last: it makes this process large, and a large process starts others slowly.
  test('7,000 through the entry function', { timeout: 300_000 }, async () => {
    const world = makeHookWorld(tempFolder());
    // A worker that a hook starts finds its home here.
    vi.stubEnv('CAIRN_HOME', world.home);
    const random = randomFrom(seed);
    const call = hookCaller(world);
    const expected = noFates();
    const wrong: unknown[] = [];
    let ends = 0;
    for (let number = 1; number <= 7_000; number++) {
      const payload = fuzzedPayload(number, random);
      expected[fateOf(payload)] += 1;
      if (isSessionEnd(payload)) ends += 1;
      wrong.push(...complaint(payload, await call(payload)));
      if (number % 100 === 0) ingest(world);
    }
    call.end();
    ingest(world);
    expect(wrong).toEqual([]);
    expect(await endAll(world)).toEqual([]);
    compareFates(fates(world), expected, ends);
  });
});

async function throughProcesses(
  world: HookWorld,
  way: 'node' | 'shell',
  payloads: FuzzedPayload[],
): Promise<void> {
  const runs = await atATime(4, payloads, ({ hook, bytes }) => callHook(world, way, hook, { input: bytes }));
  const wrong = payloads.flatMap((payload, number) => complaint(payload, runs[number]));
  expect(wrong).toEqual([]);
  expect(await endAll(world)).toEqual([]);
  const drained = await runProgram(process.execPath, [workerProgram(), 'drain'], {
    cwd: world.project,
    env: world.env,
  });
  expect(drained).toEqual(SILENCE);
  compareFates(fates(world), expectedFates(payloads), payloads.filter(isSessionEnd).length);
}

function fuzzedPayloads(count: number, from: number): FuzzedPayload[] {
  const random = randomFrom(from);
  return Array.from({ length: count }, (_, number) => fuzzedPayload(number, random));
}

/** Expects exit code 0, nothing on stderr, and on stdout nothing or one object that is valid for the event. */
function complaint({ hook, bytes }: FuzzedPayload, run: ProcessRun | undefined): unknown[] {
  const isFine = run && run.exitCode === 0 && run.stderr === '' && isSilentOrValid(hook, run.stdout);
  return isFine ? [] : [{ hook, payload: bytes.toString('latin1').slice(0, 2_000), run }];
}

function isSilentOrValid(hook: string, stdout: string): boolean {
  if (stdout === '') return true;
  // The only event whose plain text goes to the model.
  if (hook === 'PreCompact') return /^Keep everything in this list\b/.test(stdout);
  try {
    const printed: unknown = JSON.parse(stdout);
    return isObject(printed) && validateOutput(replyTable, hook, printed).length === 0;
  } catch {
    return false;
  }
}

/** Hook calls in this process, with files as its streams. */
function hookCaller(world: HookWorld) {
  const fds = {
    stdout: openSync(join(world.root, 'stdout'), 'w+'),
    stderr: openSync(join(world.root, 'stderr'), 'w+'),
  };
  const env = readEnvironment(world.env);
  const { projectDir: _, ...envWithoutProject } = env;
  let isEven = false;

  async function call({ hook, bytes }: FuzzedPayload): Promise<ProcessRun> {
    const exits: number[] = [];
    const half = Math.floor(bytes.length / 2);
    const outside: HookProcess = {
      stdin: (async function* () {
        yield bytes.subarray(0, half);
        yield bytes.subarray(half);
      })(),
      stdout: { write: () => true },
      stderr: { write: () => true },
      pid: 0,
      // Called if a disk is too slow; capture.sh then exits with 0.
      kill: () => exits.push(0),
      exit: (code) => exits.push(code),
      on: () => {},
    };
    const io = createHookIo(outside, fds);
    io.hold();
    isEven = !isEven;
    const from = { agent: 'claude-code', hook, via: 'settings' };
    await runHook(from, io, isEven ? env : envWithoutProject);
    const [exitCode = null] = exits;
    return {
      stdout: readAndEmpty(fds.stdout, 'stdout'),
      stderr: readAndEmpty(fds.stderr, 'stderr'),
      exitCode,
    };
  }

  function readAndEmpty(fd: number, name: string): string {
    if (fstatSync(fd).size === 0) return '';
    const text = readFileSync(join(world.root, name), 'utf8').replaceAll('\0', '');
    ftruncateSync(fd);
    return text;
  }

  return Object.assign(call, {
    end() {
      closeSync(fds.stdout);
      closeSync(fds.stderr);
    },
  });
}

function ingest({ paths, env }: HookWorld): void {
  const { settings } = loadSettings(paths.config, readEnvironment(env));
  const log = createLog({ folder: paths.logs, from: 'test' });
  const drained = drain({ paths, settings, log, lockMs: 30_000 });
  if (drained.state === 'failed') throw drained.error;
}

type Fates = Record<Fate | 'waiting', number>;

/** The end of a session that is reported again within a second counts as seen, not as stored. */
function compareFates(actual: Fates, expected: Fates, ends: number): void {
  const repeated = expected.stored - actual.stored;
  expect(repeated).toBeGreaterThanOrEqual(0);
  expect(repeated).toBeLessThan(Math.max(1, ends));
  expect(actual).toEqual({ ...expected, stored: expected.stored - repeated, seen: expected.seen + repeated });
}

function isSessionEnd({ hook }: FuzzedPayload): boolean {
  return hook === 'SessionEnd';
}

function noFates(): Fates {
  return { stored: 0, aside: 0, seen: 0, waiting: 0 };
}

function expectedFates(payloads: FuzzedPayload[]): Fates {
  const expected = noFates();
  for (const payload of payloads) expected[fateOf(payload)] += 1;
  return expected;
}

function fates(world: HookWorld): Fates {
  const { files, stored } = withDatabase(world, (db) => {
    const rows = db
      .prepare(
        `SELECT (SELECT count(*) FROM spool_files) AS files,
           (SELECT count(*) FROM (SELECT spool_name FROM events UNION SELECT spool_name FROM prompts)) AS stored`,
      )
      .get();
    return rows as { files: number; stored: number };
  });
  return {
    stored,
    aside: listTornFiles(world.paths).length,
    seen: files - stored,
    waiting: listSpool(world.paths).length,
  };
}
