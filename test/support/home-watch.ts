import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { type HookWorld, runProgram } from './hook-call.ts';
import type { ProcessRun } from './hooks-library.ts';

const repository = join(import.meta.dirname, '../..');

/** Runs the built `cairn` as a person in the world's project does. */
export function cairn(world: HookWorld, ...args: string[]): Promise<ProcessRun> {
  const program = join(repository, 'dist', 'cli.mjs');
  const env = { ...world.env, CLAUDECODE: '' };
  return runProgram(process.execPath, [program, ...args], { cwd: world.project, env });
}

/** No client is connected in a test, and the home was prepared from source. */
const NOT_OF_THE_HOME = ['Claude Code', 'program'];

/** The messages of doctor's checks that are not ok, by name. */
export async function complaintsOfDoctor(world: HookWorld): Promise<Record<string, string>> {
  const { stdout } = await cairn(world, 'doctor', '--json');
  const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; message: string }[] };
  const wrong = checks.filter(({ state, name }) => state !== 'ok' && !NOT_OF_THE_HOME.includes(name));
  return Object.fromEntries(wrong.map(({ name, message }) => [name, message]));
}

/** Read directly from the tables: the spool file of each row, and a key that distinguishes rows. */
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

/** The number of rows of every table. */
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
    // Fails if a process has left a lock behind.
    db.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return db.prepare('PRAGMA integrity_check').all();
  });
}

/** Opens the file directly: Cairn's store would migrate it first. */
export function withDatabase<T>({ paths }: HookWorld, ask: (db: Database) => T): T {
  const db = new DatabaseSync(paths.database, { timeout: 0 });
  try {
    return ask(db);
  } finally {
    db.close();
  }
}

type Database = InstanceType<typeof DatabaseSync>;

/** All processes with this home, started by hooks or by tests. */
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
 * Stops workers and waits for all other processes. A worker that a hook has just started may miss the first request to
 * stop, which is therefore repeated. @returns the processes that still run after the time limit.
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
