import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listSpool, listTornFiles } from '../../src/capture/spool.ts';
import { workerProgram } from '../../src/platform/installation.ts';
import { complaintsOfDoctor, storedRows } from '../support/home-watch.ts';
import { callHook, type HookWorld, makeHookWorld, recorded, SILENCE } from '../support/hook-call.ts';
import { tempFolder } from '../support/temp.ts';

/** The user `nobody`, on every Unix. */
const OTHER_USER = 65_534;
/** Only root can run a program as another user, and that user must be able to read the program. */
const canBeOther =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['-e', 'fs.readFileSync(process.argv[1])', workerProgram()], {
    uid: OTHER_USER,
    gid: OTHER_USER,
  }).status === 0;

describe('a spool file that cannot be ingested does not stop the others:', () => {
  test.skipIf(!canBeOther)('a file of another user, as after sudo', async () => {
    const world = makeHookWorld(openFolder());
    await capture(world, 'first');
    await capture(world, 'of root');
    await capture(world, 'last');
    const [foreign = ''] = listSpool(world.paths).filter((name) =>
      contentOf(world, name).includes('of root'),
    );
    giveTo(OTHER_USER, world.root);
    chownSync(join(world.paths.spool, foreign), 0, 0);
    expect(drainAs(OTHER_USER, world)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect({ stored: storedKeys(world), left: listSpool(world.paths) }).toEqual({
      stored: ['first', 'last'],
      left: [foreign],
    });
    const doctor = cairnAs(OTHER_USER, world, 'doctor');
    expect(doctor).toContain(`1 event cannot be read, for example ${join(world.paths.spool, foreign)}`);
    expect(doctor).toContain('sudo chown -R "$USER"');
    expect(doctor).not.toContain('Free disk space');

    chownSync(join(world.paths.spool, foreign), OTHER_USER, OTHER_USER);
    drainAs(OTHER_USER, world);
    expect({ stored: storedKeys(world), left: listSpool(world.paths) }).toEqual({
      stored: ['first', 'last', 'of root'],
      left: [],
    });
  });

  test('a file that is larger than any payload', async () => {
    const world = makeHookWorld(tempFolder());
    await capture(world, 'first');
    const huge = openSync(join(world.paths.spool, 'huge.1'), 'w');
    // A hole: it takes no space on the disk.
    ftruncateSync(huge, 2.5 * 1024 ** 3);
    closeSync(huge);
    await capture(world, 'last');
    expect(drainAs(undefined, world)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect({
      stored: storedKeys(world),
      left: listSpool(world.paths),
      torn: listTornFiles(world.paths),
    }).toEqual({
      stored: ['first', 'last'],
      left: [],
      torn: ['huge.1'],
    });
  });

  test('a file with more values than fit into memory', async () => {
    const world = makeHookWorld(tempFolder());
    await capture(world, 'first');
    const start = 'cairn1 claude-code PostToolUse settings \n{"session_id":"s","tool_response":[';
    const objects = Buffer.alloc(120_000_000, '{},');
    writeFileSync(join(world.paths.spool, 'many.1'), Buffer.concat([Buffer.from(start), objects]));
    appendFileSync(join(world.paths.spool, 'many.1'), '0]}\n#many.1\n');
    await capture(world, 'last');
    expect(drainAs(undefined, world)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect({
      stored: storedKeys(world),
      left: listSpool(world.paths),
      torn: listTornFiles(world.paths),
    }).toEqual({
      stored: ['first', 'last'],
      left: [],
      torn: ['many.1'],
    });
  });

  test('a fifo, and a link to itself', async () => {
    const world = makeHookWorld(tempFolder());
    symlinkSync(join(world.paths.spool, 'round.1'), join(world.paths.spool, 'round.1'));
    spawnSync('mkfifo', [join(world.paths.spool, 'fifo.1')]);
    await capture(world, 'last');
    expect(drainAs(undefined, world)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(storedKeys(world)).toEqual(['last']);
    expect(Object.keys(await complaintsOfDoctor(world))).not.toContain('intake');
  });
});

test('a file that is set aside contains no secret and no private text', async () => {
  const world = makeHookWorld(tempFolder());
  const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ'}`;
  writeFileSync(
    join(world.paths.spool, 'torn.1'),
    `cairn1 claude-code Stop settings \n{"a":"${token}","b":"<private>Rumpelstiltskin</private> and the re`,
  );
  utimesSync(join(world.paths.spool, 'torn.1'), new Date(0), new Date(Date.now() - 120_000));
  expect(drainAs(undefined, world)).toEqual({ status: 0, stdout: '', stderr: '' });
  const [name = ''] = readdirSync(world.paths.torn);
  const kept = readFileSync(join(world.paths.torn, name), 'utf8');
  expect(kept).toContain('and the re');
  expect(kept).not.toMatch(/ghp_|Rumpel/);
});

describe('settings without permission', () => {
  test.skipIf(!canBeOther)('make install and uninstall fail cleanly', () => {
    const world = makeHookWorld(openFolder());
    const user = world.env.HOME ?? '';
    mkdirSync(join(user, '.cursor'), { recursive: true });
    mkdirSync(join(user, '.codex/skills/mine'), { recursive: true });
    giveTo(OTHER_USER, world.root);
    const cairn = (...args: string[]) =>
      runAs(OTHER_USER, world, [join(import.meta.dirname, '../../dist/cli.mjs'), ...args]);

    // The settings are writable, the folder of the skills is not.
    chmodSync(join(user, '.codex/skills'), 0o555);
    expect(cairn('install', 'codex', '--yes', '--link')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot be written: permission denied'),
    });
    expect(readdirSync(join(user, '.codex'))).toEqual(['skills']);
    chmodSync(join(user, '.codex/skills'), 0o755);

    expect(cairn('install', 'codex', 'cursor', '--yes', '--link').status).toBe(0);
    const hooks = join(user, '.cursor/hooks.json');
    chmodSync(hooks, 0);
    const listed = cairn('agents').stdout;
    expect(listed).toMatch(/^cursor +unreadable settings /m);
    expect(listed).toContain(`✗ Cursor: ${hooks} cannot be read: permission denied`);
    const removed = cairn('uninstall', '--all', '--yes');
    expect(removed.status).toBe(1);
    expect(removed.stdout).toContain('Removed Cairn from Codex.');
    expect(removed.stdout).toContain(`Cairn was not removed from Cursor. ${hooks} cannot be read`);
    chmodSync(hooks, 0o600);
    expect(cairn('uninstall', '--all', '--yes').status).toBe(0);
    expect(readdirSync(join(user, '.codex'))).toEqual(['skills']);
    expect(readdirSync(join(user, '.cursor'))).toEqual([]);
  });
});

async function capture(world: HookWorld, id: string): Promise<void> {
  const input = recorded('tools/PostToolUse.Bash', { session_id: 'bad-files', tool_use_id: id });
  expect(await callHook(world, 'shell', 'PostToolUse', { input })).toEqual(SILENCE);
}

function drainAs(uid: number | undefined, world: HookWorld) {
  return runAs(uid, world, [workerProgram(), 'drain']);
}

function cairnAs(uid: number, world: HookWorld, ...args: string[]): string {
  return runAs(uid, world, [join(import.meta.dirname, '../../dist/cli.mjs'), ...args]).stdout;
}

function runAs(uid: number | undefined, world: HookWorld, args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: world.env,
    cwd: world.project,
    encoding: 'utf8',
    ...(uid !== undefined && { uid, gid: uid }),
  });
  return { status, stdout, stderr };
}

/** A folder that other users may enter. */
function openFolder(): string {
  const folder = tempFolder();
  chmodSync(folder, 0o755);
  return folder;
}

function giveTo(uid: number, folder: string): void {
  chownSync(folder, uid, uid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(join(folder, name), uid, uid);
}

function contentOf(world: HookWorld, name: string): string {
  return readFileSync(join(world.paths.spool, name), 'utf8');
}

function storedKeys(world: HookWorld): string[] {
  return storedRows(world)
    .map(({ key }) => key)
    .sort();
}
