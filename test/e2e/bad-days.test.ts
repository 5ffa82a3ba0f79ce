import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { listSpool, listTornFiles } from '../../src/capture/spool.ts';
import { workerProgram } from '../../src/platform/installation.ts';
import { cairn, complaintsOfDoctor, integrityOf, storedRows, withDatabase } from '../support/home-watch.ts';
import {
  callHook,
  type HookWorld,
  installedCommand,
  makeHookWorld,
  recorded,
  runProgram,
  SILENCE,
} from '../support/hook-call.ts';
import { tempFolder } from '../support/temp.ts';

const MINUTE = 60_000;

function toolCall(id: string, more: Record<string, unknown> = {}): string {
  return recorded('tools/PostToolUse.Bash', { session_id: 'bad-day', tool_use_id: id, ...more });
}

/** Calls the installed hook once, which must not notice anything. */
async function capture(world: HookWorld, id: string): Promise<void> {
  expect(await callHook(world, 'shell', 'PostToolUse', { input: toolCall(id) })).toEqual(SILENCE);
}

async function drain(world: HookWorld): Promise<void> {
  const run = { cwd: world.project, env: world.env };
  expect(await runProgram(process.execPath, [workerProgram(), 'drain'], run)).toEqual(SILENCE);
}

function storedKeys(world: HookWorld): string[] {
  return storedRows(world)
    .map(({ key }) => key)
    .sort();
}

function makeOlder(world: HookWorld, minutes: number): void {
  const then = new Date(Date.now() - minutes * MINUTE);
  for (const name of listSpool(world.paths)) utimesSync(join(world.paths.spool, name), then, then);
}

describe('a spool file that was cut off', () => {
  const cutOff = `cairn1 claude-code PostToolUse settings \n${toolCall('half').slice(0, 100)}`;

  test('is left alone while it is new', async () => {
    const world = makeHookWorld(tempFolder());
    await capture(world, 'whole');
    writeFileSync(join(world.paths.spool, 'bad-day.half'), cutOff);
    await drain(world);
    expect({ stored: storedKeys(world), spool: listSpool(world.paths) }).toEqual({
      stored: ['whole'],
      spool: ['bad-day.half'],
    });
  });

  test('is set aside when it is old, and doctor reports it', async () => {
    const world = makeHookWorld(tempFolder());
    await capture(world, 'whole');
    writeFileSync(join(world.paths.spool, 'bad-day.half'), cutOff);
    makeOlder(world, 2);
    await drain(world);
    expect({
      stored: storedKeys(world),
      spool: listSpool(world.paths),
      torn: listTornFiles(world.paths),
    }).toEqual({ stored: ['whole'], spool: [], torn: ['bad-day.half'] });
    expect(await complaintsOfDoctor(world)).toEqual({
      'torn events': expect.stringContaining('1 event could not be read'),
    });
  });
});

describe('the disk is full', () => {
  const disks: string[] = [];
  afterEach(() => {
    for (const folder of disks.splice(0)) {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    }
  });

  function smallDisk(): string | null {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'));
    disks.push(folder);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m,mode=700', 'none', folder]);
    return status === 0 ? folder : null;
  }

  test('hooks stay silent, the person is told once, capture continues with free space', async ({ skip }) => {
    const disk = smallDisk();
    if (disk === null) return skip('no right to mount a small disk here; the next case limits files instead');
    const world = makeHookWorld(disk);
    const runtime = tempFolder();
    world.env.XDG_RUNTIME_DIR = runtime;
    await capture(world, 'before');
    await drain(world);
    await capture(world, 'waiting');

    const filler = join(disk, 'filler');
    fill(filler);
    const call = (id: string) => callHook(world, 'shell', 'PostToolUse', { input: toolCall(id) });
    const runs = [await call('lost 1'), await call('lost 2'), await call('lost 3'), await call('lost 4')];
    expect(runs).toEqual([
      SILENCE,
      SILENCE,
      { stdout: '', stderr: expect.stringContaining('could not keep the last 3 events'), exitCode: 2 },
      SILENCE,
    ]);
    expect(listSpool(world.paths)).toHaveLength(1);
    await drain(world);
    const complaints = await complaintsOfDoctor(world);
    expect(complaints).toMatchObject({
      disk: expect.stringContaining('only 0.0 MB free'),
      'spool write': expect.stringContaining('the last 4 events were not kept'),
    });
    expect((await cairn(world, 'status')).exitCode).toBe(1);

    rmSync(filler);
    await capture(world, 'after');
    await drain(world);
    expect({ stored: storedKeys(world), spool: listSpool(world.paths) }).toEqual({
      stored: ['after', 'before', 'waiting'],
      spool: [],
    });
    expect(integrityOf(world)).toEqual([{ integrity_check: 'ok' }]);
    expect(Object.keys(await complaintsOfDoctor(world))).toEqual(['disk']);
    expect((await call('and on')).exitCode).toBe(0);
  });

  test('a limit on the file size has the same effect, and small events still fit', async () => {
    const world = makeHookWorld(tempFolder());
    const limited = `trap "" XFSZ; ulimit -f 8; ${installedCommand(world, 'PostToolUse')}`;
    const run = (input: string) =>
      runProgram('/bin/sh', ['-c', limited], { cwd: world.project, env: world.env, input });
    const tooLong = toolCall('too long', { tool_response: { stdout: 'x'.repeat(20_000) } });
    expect(await run(toolCall('small 1'))).toEqual(SILENCE);
    expect(await run(tooLong)).toEqual(SILENCE);
    expect(await run(tooLong)).toEqual(SILENCE);
    expect(listSpool(world.paths)).toHaveLength(1);
    expect(await complaintsOfDoctor(world)).toEqual({
      'spool write': expect.stringContaining('the last 2 events were not kept'),
    });
    expect(await run(toolCall('small 2'))).toEqual(SILENCE);
    await drain(world);
    expect({ stored: storedKeys(world), doctor: await complaintsOfDoctor(world) }).toEqual({
      stored: ['small 1', 'small 2'],
      doctor: {},
    });
  });

  function fill(path: string): void {
    const file = openSync(path, 'w');
    try {
      for (;;) writeSync(file, Buffer.alloc(1024));
    } catch {
      // The disk is full.
    } finally {
      closeSync(file);
    }
  }
});

describe('folders', () => {
  test('a deleted spool folder is created again and its event kept', async () => {
    const world = makeHookWorld(tempFolder());
    for (const way of ['shell', 'node'] as const) {
      rmSync(world.paths.spool, { recursive: true });
      const input = toolCall(`by ${way}`);
      expect(await callHook(world, way, 'PostToolUse', { input })).toEqual(SILENCE);
      expect(statSync(world.paths.spool).mode & 0o777).toBe(0o700);
      await drain(world);
    }
    expect(storedKeys(world)).toEqual(['by node', 'by shell']);
  });

  test.each([
    ['state', (world: HookWorld) => world.paths.state],
    ['logs', (world: HookWorld) => world.paths.logs],
  ])('a deleted %s folder does no harm', async (_name, folderIn) => {
    const world = makeHookWorld(tempFolder());
    for (const id of ['one', 'two']) {
      rmSync(folderIn(world), { recursive: true });
      await capture(world, id);
      await drain(world);
    }
    expect(storedKeys(world)).toEqual(['one', 'two']);
  });

  test('a file in place of the home is left alone', async () => {
    const world = makeHookWorld(tempFolder());
    renameSync(world.home, `${world.home}-before`);
    writeFileSync(world.home, 'not ours');
    await capture(world, 'nowhere to go');
    for (const event of ['SessionStart', 'PostToolUse']) {
      const input = toolCall('nowhere to go', { hook_event_name: event });
      expect(await callHook(world, 'node', event, { input })).toEqual(SILENCE);
    }
    await drain(world);
    expect(readFileSync(world.home, 'utf8')).toBe('not ours');
    for (const name of ['status', 'doctor', 'sessions']) {
      const { exitCode, stdout, stderr } = await cairn(world, name);
      expect({ name, exitCode, says: stdout + stderr }).toEqual({
        name,
        exitCode: 1,
        says: expect.stringContaining(world.home),
      });
      expect(stderr).not.toContain('    at ');
    }
  });

  test('a home that is not writable: hooks stay silent, report the third failure, and recover', async ({
    skip,
  }) => {
    const stranger = 65_534;
    if (process.getuid?.() !== 0) return skip('needs a second user, so only root can try it');
    const root = mkdtempSync(join(tmpdir(), 'cairn-test-'));
    try {
      chmodSync(root, 0o777);
      const world = makeHookWorld(root);
      const runtime = join(root, 'runtime');
      mkdirSync(runtime, { mode: 0o777 });
      for (const folder of [world.root, runtime]) chmodSync(folder, 0o777);
      // Every user may read it, and only its owner may write.
      spawnSync('chmod', ['-R', 'a+rX', world.root]);
      const call = (event: string, input: string) =>
        runAs(stranger, world, event, input, { XDG_RUNTIME_DIR: runtime });
      const start = recorded('events/SessionStart.startup', { session_id: 'bad-day' });
      expect(await call('PostToolUse', toolCall('a'))).toEqual(SILENCE);
      expect(await call('SessionStart', start)).toEqual(SILENCE);
      const third = await call('UserPromptSubmit', recorded('events/UserPromptSubmit'));
      expect({ ...third, stdout: JSON.parse(third.stdout) }).toEqual({
        ...SILENCE,
        stdout: { systemMessage: expect.stringContaining('could not keep the last 3 events') },
      });
      expect(await call('PostToolUse', toolCall('d'))).toEqual(SILENCE);
      expect(listSpool(world.paths)).toEqual([]);
      spawnSync('chown', ['-R', String(stranger), world.root]);
      expect(await call('PostToolUse', toolCall('e'))).toEqual(SILENCE);
      expect(listSpool(world.paths)).toHaveLength(1);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  async function runAs(
    uid: number,
    world: HookWorld,
    event: string,
    input: string,
    env: Record<string, string>,
  ) {
    const child = spawn('/bin/sh', ['-c', installedCommand(world, event)], {
      cwd: '/',
      env: { ...world.env, ...env },
      uid,
      gid: uid,
    });
    const seen = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      seen.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      seen.stderr += text;
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const [exitCode] = await once(child, 'close');
    return { ...seen, exitCode };
  }
});

describe('the database is damaged', () => {
  async function worldWithManyEvents(): Promise<HookWorld> {
    const world = makeHookWorld(tempFolder());
    const ids = Array.from({ length: 60 }, (_, number) => `old ${String(number).padStart(2, '0')}`);
    for (const id of ids) {
      const input = toolCall(id, { tool_response: { stdout: `${id} `.repeat(300) } });
      expect(await callHook(world, 'shell', 'PostToolUse', { input })).toEqual(SILENCE);
    }
    await drain(world);
    withDatabase(world, (db) => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    return world;
  }

  function overwrite(path: string, offset: number, length: number): void {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(length, 0xa5), 0, length, offset);
    closeSync(file);
  }

  const damages: [string, (world: HookWorld) => void, { oldOnesKept: number }][] = [
    ['its first bytes', ({ paths }) => overwrite(paths.database, 0, 100), { oldOnesKept: 60 }],
    [
      'a part in the middle',
      ({ paths }) => {
        // A page with content: damage to an empty page would not be noticed.
        const place = readFileSync(paths.database).indexOf('old 30 old 30');
        overwrite(paths.database, Math.floor(place / 4096) * 4096, 8192);
      },
      { oldOnesKept: 40 },
    ],
    [
      'all of it',
      ({ paths }) => overwrite(paths.database, 0, statSync(paths.database).size),
      { oldOnesKept: 0 },
    ],
  ];

  test.each(damages)('%s: it is set aside, rebuilt and reported', async (_name, damage, { oldOnesKept }) => {
    const world = await worldWithManyEvents();
    const before = readFileSync(world.paths.database);
    damage(world);
    const damaged = readFileSync(world.paths.database);
    expect(damaged.equals(before)).toBe(false);

    await capture(world, 'new');
    await drain(world);
    // Intake may not run into the damage; doctor reads the whole database.
    await cairn(world, 'doctor');
    await cairn(world, 'status');

    const aside = readdirSync(world.home).filter((name) => name.includes('.damaged-'));
    expect(aside).toContainEqual(expect.stringMatching(/^cairn\.db\.damaged-[\dTZ-]+$/));
    expect(integrityOf(world)).toEqual([{ integrity_check: 'ok' }]);
    const stored = storedKeys(world);
    expect(stored).toContain('new');
    expect(stored.filter((key) => key.startsWith('old')).length).toBeGreaterThanOrEqual(oldOnesKept);

    const reply = await callHook(world, 'shell', 'UserPromptSubmit', {
      input: recorded('events/UserPromptSubmit'),
    });
    expect(reply).toEqual({ ...SILENCE, stdout: expect.stringContaining('was damaged') });
    await capture(world, 'afterwards');
    await drain(world);
    expect(storedKeys(world)).toContain('afterwards');
    expect(await complaintsOfDoctor(world)).toEqual({ damage: expect.stringContaining('was damaged on') });
  });
});

test('a database of a newer Cairn is not changed, and events wait in the spool', async () => {
  const world = makeHookWorld(tempFolder());
  await capture(world, 'before');
  await drain(world);
  changeVersion(world, 1);
  const untouched = readFileSync(world.paths.database);

  await capture(world, 'while newer');
  const start = recorded('events/SessionStart.startup', { session_id: 'bad-day' });
  expect(await callHook(world, 'shell', 'SessionStart', { input: start })).toEqual(SILENCE);
  await drain(world);
  const status = await cairn(world, 'status');
  expect(status).toEqual({
    stdout: '',
    stderr: expect.stringContaining('written by a newer Cairn'),
    exitCode: 1,
  });
  expect(await complaintsOfDoctor(world)).toMatchObject({
    database: expect.stringContaining('written by a newer Cairn'),
    spool: expect.stringContaining('2 events are not stored yet'),
  });
  expect(readFileSync(world.paths.database).equals(untouched)).toBe(true);
  expect(listSpool(world.paths)).toHaveLength(2);

  changeVersion(world, -1);
  await drain(world);
  expect({
    stored: storedKeys(world),
    spool: listSpool(world.paths),
    doctor: await complaintsOfDoctor(world),
  }).toEqual({ stored: ['before', 'session-start', 'while newer'], spool: [], doctor: {} });

  /** SQLite keeps the user version at byte 60 of the file. */
  function changeVersion({ paths }: HookWorld, by: number): void {
    const bytes = readFileSync(paths.database);
    bytes.writeUInt32BE(bytes.readUInt32BE(60) + by, 60);
    writeFileSync(paths.database, bytes);
    expect(existsSync(`${paths.database}-wal`)).toBe(false);
  }
});

test('while a stopped process holds the intake lock, hooks stay silent, and a later session start reports it', async () => {
  const world = makeHookWorld(tempFolder());
  await capture(world, 'before');
  await drain(world);
  const holder = spawn(process.execPath, ['--eval', HOLDER, world.paths.intakeLock], {
    env: world.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(holder, 'exit');
  try {
    await once(holder.stdout, 'data');
    holder.kill('SIGSTOP');
    await capture(world, 'waiting');
    const stop = recorded('events/Stop', { session_id: 'bad-day', last_assistant_message: 'turn end' });
    expect(await callHook(world, 'shell', 'Stop', { input: stop, env: { CAIRN_NO_WORKER: '' } })).toEqual(
      SILENCE,
    );
    const start = recorded('events/SessionStart.resume', { session_id: 'bad-day' });
    const startSession = () => callHook(world, 'shell', 'SessionStart', { input: start });
    expect(await startSession()).toEqual(SILENCE);

    makeOlder(world, 11);
    const reply = await startSession();
    expect({ ...reply, stdout: JSON.parse(reply.stdout) }).toEqual({
      ...SILENCE,
      stdout: { systemMessage: expect.stringContaining('have not been stored for more than 10 minutes') },
    });
    expect(await complaintsOfDoctor(world)).toEqual({
      spool: expect.stringContaining('4 events are not stored yet'),
    });
  } finally {
    holder.kill('SIGKILL');
    await ended;
  }
  // The worker that Stop has started may be ingesting already, and a second intake leaves it to the first.
  for (let tries = 0; tries < 100 && listSpool(world.paths).length > 0; tries++) {
    await drain(world);
    await sleep(100);
  }
  expect({
    stored: storedKeys(world),
    spool: listSpool(world.paths),
    doctor: await complaintsOfDoctor(world),
  }).toEqual({
    stored: ['before', 'session-start', 'session-start', 'turn end', 'waiting'],
    spool: [],
    doctor: {},
  });
});

const HOLDER = `
const { DatabaseSync } = require('@photostructure/sqlite');
new DatabaseSync(process.argv[1]).exec('BEGIN EXCLUSIVE');
require('node:fs').writeSync(1, '.');
setInterval(() => {}, 1000);`;
