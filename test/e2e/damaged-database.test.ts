import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cairn, complaintsOfDoctor, endAll, integrityOf, withDatabase } from '../support/home-watch.ts';
import { type HookWorld, makeHookWorld } from '../support/hook-call.ts';
import { tempFolder } from '../support/temp.ts';

/** The database loses its content: the person is told as long as the damaged file is kept, and never without a reason. */

const MISSING = expect.stringMatching(
  /^The database was damaged on [\d-]{10} and memories may be missing\. See: \S.* doctor\n$/,
);

async function makeWorld(): Promise<HookWorld> {
  const world = makeHookWorld(tempFolder());
  expect(await cairn(world, 'remember', 'Redis is the cache of the shop')).toMatchObject({ exitCode: 0 });
  expect(await cairn(world, 'search', 'redis')).toMatchObject({ stdout: expect.stringContaining('#1') });
  // Everything is in the main file; the WAL of a running worker may still have it.
  withDatabase(world, (db) => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  return world;
}

function copiesIn({ home }: HookWorld): string[] {
  return readdirSync(home).filter((name) => /\.damaged-.*Z$/.test(name));
}

const damages: [string, (database: string) => void][] = [
  ['overwritten', (database) => writeFileSync(database, randomBytes(400_000))],
  ['emptied', (database) => truncateSync(database)],
];

describe.each(damages)('a database that was %s', (_name, damage) => {
  test('is kept, and reported until its copy is deleted', async () => {
    const world = await makeWorld();
    damage(world.paths.database);
    const size = statSync(world.paths.database).size;
    expect(await cairn(world, 'search', 'redis')).toEqual({
      stdout: expect.stringContaining('Nothing about "redis"'),
      stderr: MISSING,
      exitCode: 0,
    });
    const [copy = '', ...more] = copiesIn(world);
    expect({ more, size: statSync(join(world.home, copy)).size }).toEqual({ more: [], size });
    expect(await cairn(world, 'search', 'redis', '--json')).toMatchObject({
      stdout: '[]\n',
      stderr: MISSING,
    });
    expect(await cairn(world, 'recent')).toMatchObject({ stderr: MISSING });
    expect((await cairn(world, 'status')).stdout).toMatch(/damage: .+memories may be missing.+cairn import/s);
    expect(await complaintsOfDoctor(world)).toEqual({
      damage: expect.stringMatching(
        /^the database was damaged on .+ and rebuilt with \d+ rows?; memories may be missing$/,
      ),
    });
    expect(integrityOf(world)).toEqual([{ integrity_check: 'ok' }]);

    await cairn(world, 'remember', 'Postgres keeps the orders');
    expect(await cairn(world, 'search', 'postgres')).toMatchObject({ stderr: '' });
    for (const name of readdirSync(world.home)) if (name.startsWith(copy)) rmSync(join(world.home, name));
    expect(await cairn(world, 'search', 'redis')).toMatchObject({ stderr: '' });
    expect(await complaintsOfDoctor(world)).toEqual({});
  });
});

test('what an emptied database has in its WAL is saved', async () => {
  const world = makeHookWorld(tempFolder());
  await cairn(world, 'remember', 'Redis is the cache of the shop');
  if (!existsSync(`${world.paths.database}-wal`)) throw new Error('there is no WAL to save from');
  truncateSync(world.paths.database);
  expect(await cairn(world, 'search', 'redis')).toMatchObject({
    stdout: expect.stringContaining('#1'),
    stderr: '',
  });
  expect(copiesIn(world)).toHaveLength(1);
});

test.each(damages)(
  'while a worker runs, a database that was %s gives no stack trace',
  async (_name, damage) => {
    const world = await makeWorld();
    const { CAIRN_NO_WORKER: _, ...env } = world.env;
    const live = { ...world, env };
    expect(await cairn(live, 'worker', 'start')).toMatchObject({ exitCode: 0 });
    try {
      damage(world.paths.database);
      for (const words of [['search', 'redis'], ['recent'], ['status'], ['search', 'redis']]) {
        const { stderr, exitCode } = await cairn(live, ...words);
        // A clear sentence at most: the worker may be rebuilding the database.
        expect({ words, stderr, exitCode }).toEqual({
          ...{ words, exitCode: expect.toSatisfy((code) => code === 0 || code === 1) },
          stderr: expect.not.stringMatching(/^ {4}at /m),
        });
      }
      // What is written while the worker rebuilds the database may be refused or lost with the damaged file.
      await expect
        .poll(
          async () => {
            await cairn(live, 'remember', 'Postgres keeps the orders');
            return (await cairn(live, 'search', 'postgres')).stdout;
          },
          { timeout: 30_000 },
        )
        .toContain('Postgres keeps the orders');
    } finally {
      expect(await endAll(live)).toEqual([]);
    }
  },
);

test('a new home, and one whose database was removed, report nothing', async () => {
  const world = makeHookWorld(tempFolder());
  expect(await cairn(world, 'search', 'redis')).toMatchObject({ stderr: '', exitCode: 0 });
  await cairn(world, 'remember', 'Redis is the cache of the shop');
  for (const part of ['', '-wal', '-shm']) rmSync(world.paths.database + part, { force: true });
  expect(await cairn(world, 'search', 'redis')).toMatchObject({ stderr: '', exitCode: 0 });
  expect({ copies: copiesIn(world), doctor: await complaintsOfDoctor(world) }).toEqual({
    copies: [],
    doctor: {},
  });
});

test('damage that only a search meets is repaired by it, and nothing is missing', async () => {
  const world = await makeWorld();
  await cairn(world, 'remember', 'Redis listens on 6380');
  const pages = withDatabase(world, (db) => {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return db.prepare("SELECT pageno FROM dbstat WHERE name GLOB 'search_[dp]*'").all();
  }) as { pageno: number }[];
  const file = openSync(world.paths.database, 'r+');
  for (const { pageno } of pages) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (pageno - 1) * 4096);
  closeSync(file);
  expect(await cairn(world, 'search', 'redis')).toMatchObject({
    ...{ stdout: expect.stringMatching(/#2.*#1/s), stderr: '', exitCode: 0 },
  });
  expect(await complaintsOfDoctor(world)).toEqual({ damage: expect.stringContaining('nothing is missing') });
});
