import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import { identifyFile } from '../platform/files.ts';
import { workerProgram } from '../platform/installation.ts';
import { createLog } from '../platform/log.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { tryLock } from '../store/sqlite/lock.ts';
import { openDatabase } from '../store/sqlite/open.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { StoreCounts } from '../store/types/session.ts';
import { markDamaged } from './damage-mark.ts';
import { type DrainOptions, drain, drainUntil } from './drain.ts';
import { putInOutbox, takeFromOutbox } from './outbox.ts';
import { listSpool, listTornFiles, writeSpoolFile } from './spool.ts';
import { readStall } from './stall.ts';

const DAY = 86_400_000;

let paths: Paths;
beforeEach(() => {
  paths = pathsOf(join(tempFolder(), 'home'));
});

describe('concurrent intake', () => {
  test('returns busy while another process holds the lock', () => {
    prompt('hello');
    const release = tryLock(paths.intakeLock);
    expect(drainNow()).toEqual({ state: 'busy' });
    expect(listSpool(paths)).toHaveLength(1);
    release?.();
    expect(drainNow()).toEqual({ state: 'done', stored: 1, doubled: 0, setAside: 0, left: 0 });
    expect(listSpool(paths)).toEqual([]);
  });

  test('ingests files that arrive meanwhile', () => {
    prompt('first');
    let arrived = false;
    const now = () => {
      if (!arrived) prompt('second');
      arrived = true;
      return Date.now();
    };
    expect(drainNow({ now })).toMatchObject({ state: 'done' });
    expect(counts().prompts).toBe(2);
  });

  test('several concurrent processes store every event once', async () => {
    for (let i = 0; i < 200; i++) prompt(`number ${i}`);
    const env = { PATH: process.env.PATH ?? '', CAIRN_HOME: paths.home };
    const drainers = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [workerProgram(), 'drain'], { env }),
    );
    const codes = await Promise.all(drainers.map((child) => new Promise((end) => child.on('close', end))));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect({ waiting: listSpool(paths), prompts: counts().prompts }).toEqual({ waiting: [], prompts: 200 });
  });

  test('drainUntil keeps the limits of a hook and skips a busy intake', () => {
    prompt('hello');
    const store = openSqliteStore(paths.database);
    const release = tryLock(paths.intakeLock);
    expect(drainUntil(options(), store, {})).toBeNull();
    release?.();
    expect(drainUntil(options(), store, { until: 0 })).toMatchObject({ stored: 0, left: 1 });
    expect(drainUntil(options(), store, {})).toMatchObject({ stored: 1, left: 0 });
    store.close();
  });
});

describe('database errors', () => {
  test('a damaged database is rebuilt, and the person is notified', () => {
    mkdirSync(paths.home, { recursive: true });
    writeFileSync(paths.database, 'no database at all '.repeat(500));
    prompt('hello');
    expect(drainNow()).toMatchObject({ state: 'done', stored: 1 });
    expect(counts().prompts).toBe(1);
    const kept = readdirSync(paths.home).filter((name) => name.startsWith('cairn.db.damaged-'));
    expect(kept).toHaveLength(1);
    expect(readFileSync(join(paths.home, kept[0] ?? ''), 'utf8')).toContain('no database at all');
    expect(takeFromOutbox(paths)).toBe(
      "Cairn's database was damaged. 0 rows were saved into a new one; " +
        `the damaged file is kept as ${join(paths.home, kept[0] ?? '')}. Run: cairn doctor`,
    );
  });

  test('a database that a reader found damaged is rebuilt, but not its replacement', () => {
    prompt('hello');
    drainNow();
    const damaged = identifyFile(paths.database);
    const listDamaged = () => readdirSync(paths.home).filter((name) => /\.damaged-[\dTZ-]+$/.test(name));
    markDamaged(paths, damaged);
    drainNow();
    expect({ kept: listDamaged().length, prompts: counts().prompts }).toEqual({ kept: 1, prompts: 1 });
    // The mark of another reader, which had opened the file before it was rebuilt.
    markDamaged(paths, damaged);
    drainNow();
    expect({ kept: listDamaged().length, prompts: counts().prompts }).toEqual({ kept: 1, prompts: 1 });
    markDamaged(paths, identifyFile(paths.database));
    drainNow();
    expect(listDamaged()).toHaveLength(2);
  });

  test('a newer database is refused; database and spool stay unchanged', () => {
    const db = openDatabase(paths.database);
    db.exec('PRAGMA user_version = 900; PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    const before = readFileSync(paths.database);
    prompt('hello');
    expect(drainNow()).toEqual({
      state: 'failed',
      error: expect.objectContaining({ code: 'newer' }),
    });
    expect(readFileSync(paths.database).equals(before)).toBe(true);
    expect(listSpool(paths)).toHaveLength(1);
  });

  test('a locked database leaves the spool unchanged', () => {
    prompt('hello');
    const db = openDatabase(paths.database);
    db.exec('BEGIN EXCLUSIVE');
    expect(drainNow({ busyMs: 10 })).toEqual({
      state: 'failed',
      error: expect.objectContaining({ code: 'busy' }),
    });
    expect(listSpool(paths)).toHaveLength(1);
    db.exec('ROLLBACK');
    db.close();
    expect(drainNow()).toMatchObject({ state: 'done', stored: 1 });
  });

  test('failures to open the database are counted until the next success and reported once', () => {
    const old = Date.now() / 1000 - 11 * 60;
    utimesSync(join(paths.spool, prompt('hello')), old, old);
    mkdirSync(paths.database);
    const notices = Array.from({ length: 4 }, () => {
      expect(drainNow().state).toBe('failed');
      return takeFromOutbox(paths);
    });
    expect(notices).toEqual([
      null,
      null,
      expect.stringContaining('could not store events 3 times in a row'),
      null,
    ]);
    expect(readStall(paths)).toMatchObject({ count: 4, isReported: true });
    expect(listSpool(paths)).toHaveLength(1);

    rmdirSync(paths.database);
    expect(drainNow()).toMatchObject({ state: 'done', stored: 1 });
    expect(readStall(paths)).toBeNull();
  });

  test('an unwritable home does not throw', () => {
    prompt('hello');
    rmSync(paths.state, { recursive: true, force: true });
    writeFileSync(paths.state, 'in the way');
    expect(drainNow().state).toBe('failed');
    expect(listSpool(paths)).toHaveLength(1);
  });
});

describe('sweeping', () => {
  test('removes old logs and old torn files', () => {
    const old = Date.now() / 1000 - (8 * DAY) / 1000;
    for (const folder of [paths.torn, paths.logs]) mkdirSync(folder, { recursive: true });
    for (const file of [join(paths.torn, 's1.old'), join(paths.logs, '2001-01-01.jsonl')])
      writeFileSync(file, '');
    utimesSync(join(paths.torn, 's1.old'), old, old);
    drainNow();
    expect({ torn: listTornFiles(paths), logs: readdirSync(paths.logs) }).toEqual({ torn: [], logs: [] });
  });

  test('works without a log folder', () => {
    prompt('hello');
    const silent = createLog({ folder: paths.logs, from: 'test', level: 'off' });
    expect(drainNow({ log: silent })).toMatchObject({ state: 'done', stored: 1 });
  });
});

test('a notice in the outbox is delivered once', () => {
  putInOutbox(paths, 'hear');
  putInOutbox(paths, 'hear, hear');
  expect([takeFromOutbox(paths), takeFromOutbox(paths)]).toEqual(['hear, hear', null]);
});

function options(changes: Partial<DrainOptions> = {}): DrainOptions {
  const { settings } = loadSettings(paths.config, readEnvironment({}));
  return { paths, settings, log: createLog({ folder: paths.logs, from: 'test' }), ...changes };
}

function drainNow(changes: Partial<DrainOptions> = {}) {
  return drain(options(changes));
}

function prompt(text: string): string {
  const header = { agent: 'claude-code', hook: 'UserPromptSubmit', via: 'settings' };
  return writeSpoolFile(paths, header, 's1', Buffer.from(JSON.stringify({ session_id: 's1', prompt: text })));
}

function counts(): StoreCounts {
  const store = openSqliteStore(paths.database);
  try {
    return store.countEverything();
  } finally {
    store.close();
  }
}
