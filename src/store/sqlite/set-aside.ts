import { renameSync } from 'node:fs';
import { isMissing } from '../../platform/files.ts';
import { type Database, inTransaction, openDatabase } from './open.ts';

/** In the order in which they refer to each other. */
const TABLES = [
  'projects',
  'project_places',
  'sessions',
  'prompts',
  'events',
  'event_files',
  'spool_files',
  'hook_sightings',
  'jobs',
];

export interface Rebuilt {
  /** Where the damaged database lies now. */
  damaged: string;
  rows: number;
  /** Tables that could not be read to their end. */
  incomplete: string[];
}

/** A damaged database is kept under another name; whatever can be read of it goes into a new one. */
export function rebuildDamaged(path: string, now: number): Rebuilt {
  const damaged = `${path}.damaged-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
  for (const part of ['', '-wal', '-shm']) move(path + part, damaged + part);
  const rebuilt: Rebuilt = { damaged, rows: 0, incomplete: [] };
  const db = openDatabase(path);
  try {
    // Rows are copied as they are found: some may refer to others that are lost.
    db.exec('PRAGMA foreign_keys = OFF');
    copyReadableRows(db, rebuilt);
  } finally {
    db.close();
  }
  return rebuilt;
}

function copyReadableRows(db: Database, rebuilt: Rebuilt): void {
  try {
    db.prepare('ATTACH ? AS old').run(rebuilt.damaged);
    db.prepare('SELECT count(*) FROM old.sqlite_schema').get();
  } catch {
    rebuilt.incomplete.push(...TABLES);
    return;
  }
  for (const table of TABLES) {
    if (!copyTable(db, table, rebuilt)) rebuilt.incomplete.push(table);
  }
}

/** Row by row, from both ends of the key where the middle is damaged. @returns whether all of it was read. */
function copyTable(db: Database, table: string, rebuilt: Rebuilt): boolean {
  let whole = true;
  for (const order of ['', ' ORDER BY 1 DESC']) {
    try {
      inTransaction(db, () => {
        const rows = db.prepare(`SELECT * FROM old.${table}${order}`).iterate();
        try {
          for (const row of rows) rebuilt.rows += insertRow(db, table, row as Record<string, never>);
        } catch {
          whole = false;
        }
      });
    } catch {
      whole = false;
    }
    if (whole) break;
  }
  return whole;
}

function insertRow(db: Database, table: string, row: Record<string, never>): number {
  const columns = Object.keys(row);
  const marks = columns.map(() => '?').join(', ');
  const insert = db.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`);
  return Number(insert.run(...Object.values(row)).changes);
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
