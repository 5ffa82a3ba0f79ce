import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { cairn, withDatabase } from '../support/home-watch.ts';
import {
  callHook,
  type HookWorld,
  installedCommand,
  makeHookWorld,
  recorded,
  runProgram,
} from '../support/hook-call.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { tempFolder } from '../support/temp.ts';

/** Reading needs no space and no right to write, so an agent gets its memories even if nothing can be recorded. */

let disk: SmallDisk | null = null;
afterEach(() => {
  disk?.remove();
  disk = null;
});

const CASES: [string, (disk: SmallDisk) => void][] = [
  ['full', (small) => small.fill()],
  ['read-only', (small) => small.makeReadOnly()],
];

async function makeWorld(small: SmallDisk, { withWal }: { withWal: boolean }): Promise<HookWorld> {
  const world = makeHookWorld(small.folder);
  world.env.XDG_RUNTIME_DIR = tempFolder();
  world.env.TMPDIR = tempFolder();
  await cairn(world, 'remember', 'Redis is the cache of the shop, because Postgres was too slow');
  await cairn(world, 'search', 'redis');
  if (!withWal) withDatabase(world, (db) => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  return world;
}

const SHELLS = ['/bin/sh', '/bin/bash', '/bin/busybox'].filter(existsSync);

describe.each(CASES)('a %s disk', (name, spoil) => {
  test.for([true, false])(
    'gives the memories to a session start (with a WAL: %s)',
    async (withWal, { skip }) => {
      disk = mountSmallDisk('4m');
      if (!disk) return skip('no right to mount a small disk here');
      const world = await makeWorld(disk, { withWal });
      const input = recorded('events/SessionStart.startup', { session_id: 'next', cwd: world.project });
      spoil(disk);
      expect((await callHook(world, 'node', 'SessionStart', { input })).stdout).toContain(
        'Redis is the cache of the shop',
      );
      const outcomes = [];
      for (const shell of SHELLS) {
        const command = ['-c', installedCommand(world, 'SessionStart')];
        const args = shell.endsWith('busybox') ? ['sh', ...command] : command;
        const run = { cwd: world.project, env: world.env, input };
        const { stdout, stderr, exitCode } = await runProgram(shell, args, run);
        outcomes.push({ stderr, exitCode });
        expect(stdout).toContain('Redis is the cache of the shop');
      }
      expect(outcomes).toEqual(SHELLS.map(() => ({ stderr: '', exitCode: 0 })));
    },
  );

  test('refuses a change with one sentence', async ({ skip }) => {
    disk = mountSmallDisk('4m');
    if (!disk) return skip('no right to mount a small disk here');
    const world = await makeWorld(disk, { withWal: true });
    spoil(disk);
    expect(await cairn(world, 'remember', 'Valkey replaces Redis')).toEqual({
      ...{ stdout: '', exitCode: 1 },
      stderr:
        name === 'full'
          ? 'cairn: The disk is full. Free some space and try again.\n'
          : `cairn: Cairn cannot write to ${world.home}: it is on a read-only file system.\n`,
    });
  });
});

test('a lost event is reported with the memories', async ({ skip }) => {
  disk = mountSmallDisk('4m');
  if (!disk) return skip('no right to mount a small disk here');
  const world = await makeWorld(disk, { withWal: true });
  disk.makeReadOnly();
  const call = (event: string, payload: string) =>
    callHook(world, 'shell', event, { input: recorded(payload, { session_id: 'next', cwd: world.project }) });
  for (let lost = 0; lost < 2; lost++) await call('PostToolUse', 'tools/PostToolUse.Bash');
  const { stdout } = await call('SessionStart', 'events/SessionStart.startup');
  expect(JSON.parse(stdout)).toMatchObject({
    systemMessage: expect.stringContaining('could not keep the last 3 events'),
    hookSpecificOutput: { additionalContext: expect.stringContaining('Redis is the cache') },
  });
  expect((await call('UserPromptSubmit', 'events/UserPromptSubmit')).exitCode).toBe(0);
});
