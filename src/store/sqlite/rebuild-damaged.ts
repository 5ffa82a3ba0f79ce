import { linkSync, renameSync, rmSync } from 'node:fs';
import { isMissing } from '../../platform/files.ts';
import { currentVersion } from '../migrations/all.ts';
import { withStoreErrors } from './convert-errors.ts';
import { type Database, inTransaction, isEmptied, openDatabase, openUnchecked, versionOf } from './open.ts';
import { repairReferences } from './repair-references.ts';
import { copyWithKeptSchema, readKeptSchema } from './schema-pages.ts';

/** Derived from other tables: rebuilt instead of copied. */
const DERIVED = new Set([
  'search_pending',
  'search_docs',
  'search_totals',
  'claim_docs',
  'claim_totals',
  'errors_pending',
  'embedder_index',
  'memory_vectors',
  'vectors_pending',
  'changes',
]);

/** Every table of the schema that is not derived, in the order of their references. */
export function listPrimaryTables(db: Database): string[] {
  return db
    .prepare<{ name: string }>(`
      SELECT s.name FROM sqlite_schema s JOIN pragma_table_list l ON l.schema = 'main' AND l.name = s.name
      WHERE l.type = 'table' AND s.name NOT GLOB 'sqlite_*' ORDER BY s.rowid`)
    .all()
    .map(({ name }) => name)
    .filter((name) => !DERIVED.has(name));
}

export interface RebuildResult {
  /** The path of the damaged database. */
  damaged: string;
  rows: number;
  /** Tables that could not be read to their end. */
  incomplete: string[];
}

/**
 * Keeps the damaged database under another name and copies everything readable into a new one, which replaces it only
 * when it is complete: a full disk or a kill leaves everything unchanged.
 */
export function rebuildDamaged(path: string, now: number): RebuildResult {
  const damaged = `${path}.damaged-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
  const rebuilt: RebuildResult = { damaged, rows: 0, incomplete: [] };
  const next = `${path}.next`;
  const mended = `${path}.mended`;
  return withStoreErrors(() => {
    try {
      removeDatabase(next);
      salvage({ path, next, mended }, rebuilt);
      linkSync(path, damaged);
      for (const part of ['-wal', '-shm']) move(path + part, damaged + part);
      renameSync(next, path);
      move(readKeptSchema(next), readKeptSchema(path));
      return rebuilt;
    } finally {
      removeDatabase(next);
      removeDatabase(mended);
    }
  });
}

function salvage(
  { path, next, mended }: Record<'path' | 'next' | 'mended', string>,
  rebuilt: RebuildResult,
): void {
  const db = openDatabase(next);
  try {
    // Rows are copied as found: some may refer to lost ones.
    db.exec('PRAGMA foreign_keys = OFF; DELETE FROM followed; PRAGMA wal_checkpoint(TRUNCATE)');
    const whole = isEmptied(path) ? null : openReadable(path);
    const old = whole ?? openReadable(copyWithKeptSchema(path, mended));
    for (const table of listPrimaryTables(db)) {
      if (!old || !copyTable(old, db, table, rebuilt)) rebuilt.incomplete.push(table);
    }
    old?.close();
    repairReferences(db);
    // Only the main file is moved, so the WAL must be empty.
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/** A separate connection: read errors must not undo what was written. */
function openReadable(path: string | null): Database | null {
  if (path === null) return null;
  const old = openUnchecked(path);
  try {
    old.prepare('SELECT count(*) FROM sqlite_schema').get();
    return old;
  } catch {
    old.close();
    return null;
  }
}

/** Row by row, from both ends of the key if the middle is damaged. @returns whether all of it was read. */
function copyTable(old: Database, db: Database, table: string, rebuilt: RebuildResult): boolean {
  if (isNewerThan(old, table)) return true;
  for (const order of ['', ' ORDER BY 1 DESC']) {
    const whole = inTransaction(db, () => {
      const rows = readRows(old, `SELECT * FROM ${table}${order}`);
      let row = rows.next();
      for (; !row.done; row = rows.next()) rebuilt.rows += insertRow(db, table, row.value);
      return row.value;
    });
    if (whole) return order === '';
  }
  return false;
}

/** The damaged database was older and did not have this table. */
function isNewerThan(old: Database, table: string): boolean {
  if (versionOf(old) >= currentVersion()) return false;
  return old.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) === undefined;
}

/** @returns whether they could be read to the end. */
function* readRows(old: Database, query: string): Generator<Record<string, never>, boolean> {
  try {
    yield* old.prepare<Record<string, never>>(query).iterate();
    return true;
  } catch {
    return false;
  }
}

function insertRow(db: Database, table: string, row: Record<string, never>): number {
  const columns = Object.keys(row);
  const marks = columns.map(() => '?').join(', ');
  const insert = db.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`);
  try {
    return Number(insert.run(...Object.values(row)).changes);
  } catch (error) {
    // An invalid row is skipped. A full disk has ended the transaction, which is an error.
    if (!db.isTransaction) throw error;
    return 0;
  }
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function removeDatabase(path: string): void {
  for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true });
  rmSync(readKeptSchema(path), { force: true });
}
