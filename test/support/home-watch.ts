import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { type HookWorld, runProgram } from './hook-call.ts';
import type { ProcessRun } from './hooks-library.ts';

const repository = join(import.meta.dirname, '../..');

/** A command of the built `cairn`, typed by a person in the world's project. */
export function cairn(world: HookWorld, ...args: string[]): Promise<ProcessRun> {
  const program = join(repository, 'dist', 'cli.mjs');
  const env = { ...world.env, CLAUDECODE: '' };
  return runProgram(process.execPath, [program, ...args], { cwd: world.project, env });
}

/** In a test no client is connected, and the home was prepared from source. */
const NOT_OF_THE_HOME = ['Claude Code', 'program'];

/** What doctor does not find in order, by name. */
export async function complaintsOfDoctor(world: HookWorld): Promise<Record<string, string>> {
  const { stdout } = await cairn(world, 'doctor', '--json');
  const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; message: string }[] };
  const wrong = checks.filter(({ state, name }) => state !== 'ok' && !NOT_OF_THE_HOME.includes(name));
  return Object.fromEntries(wrong.map(({ name, message }) => [name, message]));
}

/** Straight from the tables: which file each row came from, and what tells rows apart. */
export function storedRows(world: HookWorld): { key: string; spoolName: string }[] {
  return withDatabase(world, (db) => {
    const rows = db
      .prepare(
        `SELECT coalesce(call_id, text, kind) AS key, spool_name AS spoolName FROM events
         UNION ALL SELECT text, spool_name FROM prompts`,
      )
      .all();
    return rows as { key: string; spoolName: string }[];
  });
}

/** Of every table, how many rows it has. */
export function rowCounts(world: HookWorld): Record<string, number> {
  return withDatabase(world, (db) => {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    const counts = tables.map(({ name }) => {
      const row = db.prepare(`SELECT count(*) AS rows FROM "${name}"`).get();
      return [String(name), Number(row?.rows)];
    });
    return Object.fromEntries(counts);
  });
}

export function integrityOf(world: HookWorld): unknown {
  return withDatabase(world, (db) => {
    // A lock that somebody left behind would refuse this.
    db.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return db.prepare('PRAGMA integrity_check').all();
  });
}

/** As it is: nothing of Cairn's own brings it up to date first. */
export function withDatabase<T>({ paths }: HookWorld, ask: (db: Database) => T): T {
  const db = new DatabaseSync(paths.database, { timeout: 0 });
  try {
    return ask(db);
  } finally {
    db.close();
  }
}

type Database = InstanceType<typeof DatabaseSync>;

/** Processes that live with this home: all that hooks and tests have started for it. */
export function processesOf(world: HookWorld): number[] {
  const mark = `CAIRN_HOME=${world.home}\0`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/**
 * Asks workers to go and waits for everything else. One that a hook has just woken may not have begun
 * when the first is asked, so it is asked again. @returns what is still there after the time.
 */
export async function endAll(world: HookWorld, limitMs = 60_000): Promise<number[]> {
  const until = Date.now() + limitMs;
  for (;;) {
    await cairn(world, 'worker', 'stop');
    const alive = processesOf(world);
    if (alive.length === 0 || Date.now() > until) return alive;
    await sleep(100);
  }
}
