import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { listSpool, writeSpoolFile } from '../../src/capture/spool.ts';
import { workerProgram } from '../../src/platform/installation.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { cairn, complaintsOfDoctor, integrityOf, processesOf, withDatabase } from '../support/home-watch.ts';
import { callHook, type HookWorld, makeHookWorld, runProgram, SILENCE } from '../support/hook-call.ts';
import type { ProcessRun } from '../support/hooks-library.ts';
import { tempFolder } from '../support/temp.ts';

const HOUR = 3_600_000;

const worlds: HookWorld[] = [];
const disks: string[] = [];
/** No two events of a test have the same millisecond. */
let spooledUpTo = 0;

afterEach(async () => {
  for (const world of worlds.splice(0)) {
    for (const pid of processesOf(world)) process.kill(pid, 'SIGKILL');
    await until('its processes are gone', () => processesOf(world).length === 0);
  }
  for (const folder of disks.splice(0)) {
    spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  }
});

/** The worker exits as soon as it has nothing to do, and sessions begin without context. */
function makeWorld(folder: string, settings: Record<string, number> = {}): HookWorld {
  const world = makeHookWorld(folder);
  const quick = { 'worker.idleSeconds': 0, 'context.recentSessions': 0 };
  writeFileSync(world.paths.config, JSON.stringify({ ...quick, ...settings }));
  worlds.push(world);
  return world;
}

function startWorker(world: HookWorld, env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [workerProgram()], { env: { ...world.env, ...env }, stdio: 'ignore' });
}

async function drain(world: HookWorld): Promise<void> {
  const run = { cwd: world.project, env: world.env };
  expect(await runProgram(process.execPath, [workerProgram(), 'drain'], run)).toEqual(SILENCE);
}

async function until(what: string, isSo: () => boolean, ms = 60_000): Promise<void> {
  for (const end = Date.now() + ms; !isSo(); await sleep(25))
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** A turn that teaches something: a failing test, an edit, a passing test. Each turn is a separate session. */
function eventsOfTurn(world: HookWorld, number: number): [hook: string, payload: string][] {
  const file = join(world.project, `price-${number}.js`);
  const bash = (id: string) => ({ tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: id });
  const cause = 'cut the cents off with floor, because of a copied line. It rounds now.';
  const events: [string, object][] = [
    ['UserPromptSubmit', { prompt: `fix the rounding of price number ${number}` }],
    ['PostToolUseFailure', { ...bash('red'), error: `Exit code 1\nnot ok 1 - price ${number} is rounded` }],
    [
      'PostToolUse',
      {
        tool_name: 'Edit',
        tool_use_id: 'edit',
        tool_input: { file_path: file, old_string: 'floor', new_string: 'round' },
        tool_response: { filePath: file, oldString: 'floor', newString: 'round' },
      },
    ],
    ['PostToolUse', { ...bash('green'), tool_response: { stdout: 'ok 1', stderr: '' } }],
    ['Stop', { last_assistant_message: `Fixed: price-${number}.js ${cause}`, stop_hook_active: false }],
  ];
  const common = { session_id: `turn-${number}`, prompt_id: `p-${number}`, cwd: world.project };
  return events.map(([hook, fields]) => [
    hook,
    JSON.stringify({ ...common, hook_event_name: hook, ...fields }),
  ]);
}

function read<T>({ paths }: HookWorld, look: (store: Store) => T): T {
  const store = openSqliteStore(paths.database);
  try {
    return look(store);
  } finally {
    store.close();
  }
}

/** What was captured, what was distilled from it, and what is left to do. */
function outcome(world: HookWorld) {
  return read(world, (store) => {
    const { prompts, turns, openTurns, waitingJobs, deadJobs } = store.countEverything();
    const memories = store.listRecentMemories({ limit: 1_000 });
    const summarised = memories.filter(({ kind }) => kind === 'summary').map(({ turnId }) => turnId);
    const learnt = memories.filter(({ kind }) => kind === 'observation').map(({ title }) => title);
    return {
      counts: { prompts, turns, openTurns, waitingJobs, deadJobs },
      summarised: summarised.sort(),
      learntFromAll: new Set(learnt).size >= turns,
      learntTwice: learnt.filter((title, index) => learnt.indexOf(title) !== index),
      damage: store.findDamage(),
    };
  });
}

/** The outcome if every turn was distilled, and none twice. */
function allDistilled(turns: number): ReturnType<typeof outcome> {
  return {
    counts: { prompts: turns, turns, openTurns: 0, waitingJobs: 0, deadJobs: 0 },
    summarised: Array.from({ length: turns }, (_, index) => index + 1),
    learntFromAll: true,
    learntTwice: [],
    damage: [],
  };
}

function logged(world: HookWorld): string[] {
  const text = readdirSync(world.paths.logs).map((name) =>
    readFileSync(join(world.paths.logs, name), 'utf8'),
  );
  return text
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).message);
}

describe('a full disk while turns are distilled', () => {
  const TURNS = 4;
  const PAGE = 4_096;
  const ROOM_FOR_LOCKS = 2;

  /** The room that is left decides how far the worker gets: from nowhere to some of the turns. */
  const rooms: [name: string, pages: number][] = [
    ['none', 0],
    ['for a note', 2],
    ['to open the database', 11],
    ['to begin a turn', 14],
    ['for a turn', 30],
  ];

  test('is reported, and each turn is distilled once when there is room again', async ({ skip }) => {
    if (!canMount()) return skip('no right to mount a small disk here');
    const ends = await Promise.all(
      [
        ...rooms.map(([room, pages]) => ({ room, end: fillsBeforeTheWorker(pages) })),
        { room: 'next to none, while the worker runs', end: fillsUnderTheWorker() },
      ].map(async ({ room, end }) => [room, await end.catch((error: unknown) => error)]),
    );
    const asItShouldBe = { ...allDistilled(TURNS + 1), integrity: [{ integrity_check: 'ok' }], spool: [] };
    expect(Object.fromEntries(ends)).toEqual(Object.fromEntries(ends.map(([room]) => [room, asItShouldBe])));
  });

  async function fillsBeforeTheWorker(pages: number) {
    const { world, filler } = worldOnSmallDisk();
    for (let turn = 0; turn < TURNS; turn++) await capture(world, eventsOfTurn(world, turn));
    await drain(world);
    // As if each job had often failed: if the full disk counted as one more failure, the jobs would be given up.
    withDatabase(world, (db) => db.exec('UPDATE jobs SET attempts = 99'));
    fill(filler, pages);
    return seeItThrough(world, filler, startWorker(world));
  }

  async function fillsUnderTheWorker() {
    const { world, filler } = worldOnSmallDisk();
    const turns = Array.from({ length: TURNS }, (_, turn) => eventsOfTurn(world, turn));
    for (const turn of turns) await capture(world, turn.slice(0, -1));
    const worker = startWorker(world);
    await until('all turns are open', () => read(world, (store) => store.countOpenTurns()) === TURNS);
    // The worker must not see the ends of the turns before the disk is full.
    worker.kill('SIGSTOP');
    for (const turn of turns) await capture(world, turn.slice(-1));
    fill(filler, ROOM_FOR_LOCKS);
    worker.kill('SIGCONT');
    return seeItThrough(world, filler, worker);
  }

  /** From the failure until all is done: by the worker that failed, or by that of the next turn. */
  async function seeItThrough(world: HookWorld, filler: string, worker: ChildProcess) {
    await until('the worker has met the full disk', () => hasEnded(worker) || failures(world) > 0);
    // A worker that retries without a pause would do so now.
    await sleep(300);
    expect(failures(world)).toBeLessThan(10);
    // The space that a failed attempt frees may let the worker continue a little; the failure has to be visible before
    // that.
    worker.kill('SIGSTOP');

    const start = JSON.stringify({ session_id: 'other', hook_event_name: 'SessionStart', source: 'startup' });
    const end = JSON.stringify({ session_id: 'other', hook_event_name: 'SessionEnd', reason: 'other' });
    const { exitCode, stderr } = await callHook(world, 'shell', 'SessionStart', { input: start });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(await callHook(world, 'shell', 'SessionEnd', { input: end })).toEqual(SILENCE);

    expect(await complaintsOfDoctor(world)).toMatchObject({ disk: expect.stringMatching(/^only 0\.\d MB/) });
    const status = await cairn(world, 'status');
    expect(status.stdout + status.stderr).toMatch(
      /The disk (is full|cannot be written)|free disk space|not distilled yet/,
    );

    const livesOn = !hasEnded(worker);
    rmSync(filler);
    worker.kill('SIGCONT');
    await until('the worker has ended by itself', () => hasEnded(worker));
    if (livesOn) expect(outcome(world)).toEqual(allDistilled(TURNS));
    await capture(world, eventsOfTurn(world, TURNS), { CAIRN_NO_WORKER: '' });
    await until('no worker is needed', () => processesOf(world).length === 0);
    return { ...outcome(world), integrity: integrityOf(world), spool: listSpool(world.paths) };
  }

  function failures(world: HookWorld): number {
    return logged(world).filter((message) => message === 'worker stopped').length;
  }

  /** Calls the installed hooks, which must not notice anything; a prompt may join the work item of another turn. */
  async function capture(world: HookWorld, events: [string, string][], env: Record<string, string> = {}) {
    for (const [hook, input] of events)
      expect(await callHook(world, 'shell', hook, { input, env })).toEqual({
        ...SILENCE,
        stdout: expect.stringMatching(
          /^$|^\{"systemMessage":"Cairn: this session joined the work item [^"]+"\}\n$/,
        ),
      });
  }

  /** Logs, which the test reads, and what hooks keep outside the home are on another disk. */
  function worldOnSmallDisk(): { world: HookWorld; filler: string } {
    const disk = smallDisk();
    const world = makeWorld(disk ?? tempFolder());
    world.env.XDG_RUNTIME_DIR = tempFolder();
    rmSync(world.paths.logs, { recursive: true });
    symlinkSync(tempFolder(), world.paths.logs);
    return { world, filler: join(world.root, 'filler') };
  }

  function smallDisk(): string | null {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'));
    disks.push(folder);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m,mode=700', 'none', folder]);
    return status === 0 ? folder : null;
  }

  function canMount(): boolean {
    return smallDisk() !== null;
  }

  function fill(path: string, pagesLeft: number): void {
    const file = openSync(path, 'a');
    try {
      for (;;) writeSync(file, Buffer.alloc(PAGE));
    } catch {
      // The disk is full.
    } finally {
      closeSync(file);
    }
    truncateSync(path, statSync(path).size - pagesLeft * PAGE);
  }
});

describe('the clock is set', () => {
  test.each([
    ['three hours', 3 * HOUR],
    ['two days', 48 * HOUR],
  ])('back by %s: jobs that a fast clock has postponed run now', async (_, ahead) => {
    const world = makeWorld(tempFolder());
    const clock = makeClock(ahead);
    for (const turn of [1, 2]) spool(world, eventsOfTurn(world, turn), clock.ahead());
    await drain(world);
    const refuse = "BEFORE INSERT ON memories BEGIN SELECT RAISE(ABORT, 'not now'); END";
    withDatabase(world, (db) => db.exec(`CREATE TRIGGER refuse ${refuse}`));
    const early = startWorker(world, clock.env);
    await until('both were tried', () => jobs(world).every(({ error }) => error?.includes('not now')));
    early.kill('SIGTERM');
    await until('the worker has ended', () => hasEnded(early));
    const inFuture = expect.toSatisfy((at) => at > Date.now() + ahead - HOUR);
    expect(jobs(world)).toMatchObject([
      { turnId: 1, state: 'waiting', attempts: 1, notBefore: inFuture },
      { turnId: 2, state: 'waiting', attempts: 1, notBefore: inFuture },
    ]);

    clock.set(0);
    withDatabase(world, (db) => {
      db.exec('DROP TRIGGER refuse');
      // As a killed worker leaves it.
      const lease = db.prepare("UPDATE jobs SET state = 'leased', leased_until = ? WHERE turn_id = 2");
      lease.run(Date.now() + ahead);
    });
    spool(world, eventsOfTurn(world, 3), 0);
    await toItsEnd(startWorker(world, clock.env));
    expect(outcome(world)).toEqual(allDistilled(3));

    const recent = linesOf(await cairn(world, 'recent'));
    const memories = read(world, (store) => store.countEverything().memories);
    // What was made while the clock was fast has a date of the future.
    const line = /^ +#\d+ {2}(?:just now|\d{4}-\d\d-\d\d) +[\w-]+ +\S/;
    expect(recent).toEqual(Array(memories).fill(expect.stringMatching(line)));
    const sessions = linesOf(await cairn(world, 'sessions'));
    const session = (number: number) =>
      expect.stringMatching(
        new RegExp(` {2}(?:just now|\\d{4}-\\d\\d-\\d\\d) .*price number ${number} +1 prompt, 4 events$`),
      );
    expect(sessions.sort()).toEqual([session(1), session(2), session(3)]);
    expect((await cairn(world, 'status')).exitCode).toBe(0);
  });

  test('back while the worker is idle: it still exits', async () => {
    const world = makeWorld(tempFolder(), { 'worker.idleSeconds': 1 });
    const clock = makeClock(48 * HOUR);
    spool(world, eventsOfTurn(world, 1), clock.ahead());
    const worker = startWorker(world, clock.env);
    await until('it has distilled', () => isDistilled(world));
    // Time to become idle.
    await sleep(500);
    clock.set(0);
    // Wakes the worker, but has nothing to ingest: a hook that has begun to write.
    spoolHalf(world);
    await toItsEnd(worker);
    expect(outcome(world)).toEqual(allDistilled(1));
  });

  test('back during a turn: the turn is closed as after silence, and keeps no worker running', async () => {
    const world = makeWorld(tempFolder());
    spool(world, eventsOfTurn(world, 1).slice(0, 3), 48 * HOUR);
    await toItsEnd(startWorker(world));
    const seen = { ...outcome(world), closedBy: closings(world) };
    expect(seen).toEqual({ ...allDistilled(1), closedBy: ['gap'] });
  });

  test('back after a hook was cut off: its file is left alone and keeps no worker running', async () => {
    const world = makeWorld(tempFolder());
    const half = spoolHalf(world);
    const then = new Date(Date.now() + 48 * HOUR);
    utimesSync(join(world.paths.spool, half), then, then);
    await toItsEnd(startWorker(world));
    expect({ logged: logged(world), spool: listSpool(world.paths) }).toEqual({
      logged: ['worker started', 'worker ends'],
      spool: [half],
    });
  });

  test('ahead during a turn: the turn is closed as after silence, and can continue', async () => {
    const world = makeWorld(tempFolder());
    const clock = makeClock(0);
    const turn = eventsOfTurn(world, 1);
    spool(world, turn.slice(0, 3), 0);
    const worker = startWorker(world, clock.env);
    await until('the turn is open', () => read(world, (store) => store.countOpenTurns()) === 1);
    clock.set(3 * HOUR);
    const other = { session_id: 'other', hook_event_name: 'SessionStart', source: 'startup' };
    spool(world, [['SessionStart', JSON.stringify(other)]], clock.ahead());
    await toItsEnd(worker);
    expect(closings(world)).toEqual(['gap']);
    const first = outcome(world);

    spool(world, turn.slice(3), clock.ahead());
    await toItsEnd(startWorker(world, clock.env));
    clock.set(0);
    await toItsEnd(startWorker(world, clock.env));
    expect({ first, last: outcome(world), closedBy: closings(world) }).toEqual({
      first: allDistilled(1),
      last: allDistilled(1),
      closedBy: ['turn-end'],
    });
    const [session] = read(world, (store) => store.findSessions('turn-1'));
    expect(session).toMatchObject({ prompts: 1, events: 4, closingWords: expect.stringContaining('Fixed') });
  });

  /** What `Date.now` returns in a process with this environment, now and after `set`. */
  function makeClock(aheadMs: number) {
    const folder = tempFolder();
    const program = join(folder, 'clock.cjs');
    const file = join(folder, 'ahead');
    let ahead = aheadMs;
    writeFileSync(file, String(ahead));
    writeFileSync(
      program,
      `const { readFileSync } = require('node:fs');
       const rightNow = Date.now;
       Date.now = () => rightNow() + Number(readFileSync(${JSON.stringify(file)}, 'utf8'));`,
    );
    return {
      env: { NODE_OPTIONS: `--require ${program}` },
      ahead: () => ahead,
      set: (ms: number) => {
        ahead = ms;
        const draft = `${file}.new`;
        writeFileSync(draft, String(ms));
        renameSync(draft, file);
      },
    };
  }

  /** Sets the times of files by hand: the machine's own clock has to stay right. */
  function spool(world: HookWorld, events: [string, string][], ahead: number): void {
    for (const [hook, payload] of events) {
      const header = { agent: 'claude-code', hook, via: 'settings', projectDir: world.project };
      // Written elsewhere first: the worker must not ingest the file before its time is set.
      const elsewhere = { ...world.paths, spool: join(world.root, 'drafts') };
      const name = writeSpoolFile(elsewhere, header, JSON.parse(payload).session_id, Buffer.from(payload));
      const draft = join(elsewhere.spool, name);
      spooledUpTo = Math.max(spooledUpTo + 1, Date.now());
      const at = new Date(spooledUpTo + ahead);
      utimesSync(draft, at, at);
      renameSync(draft, join(world.paths.spool, name));
    }
  }

  function spoolHalf(world: HookWorld): string {
    writeFileSync(join(world.paths.spool, 'cut.off'), 'cairn1 claude-code PostToolUse settings \n{"sess');
    return 'cut.off';
  }

  async function toItsEnd(worker: ChildProcess): Promise<void> {
    await until('the worker has ended by itself', () => hasEnded(worker), 40_000);
    expect(worker.exitCode).toBe(0);
  }

  function jobs(world: HookWorld) {
    return read(world, (store) => store.listJobs());
  }

  function isDistilled(world: HookWorld): boolean {
    const { memories, waitingJobs } = read(world, (store) => store.countEverything());
    return memories > 0 && waitingJobs === 0;
  }

  function closings(world: HookWorld): unknown[] {
    const turns = withDatabase(world, (db) => db.prepare('SELECT closed_by FROM turns ORDER BY id').all());
    return turns.map(({ closed_by }) => closed_by);
  }

  function linesOf({ stdout, stderr, exitCode }: ProcessRun): string[] {
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    return stdout.split('\n').filter(Boolean);
  }
});
