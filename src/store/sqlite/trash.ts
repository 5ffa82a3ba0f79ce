import { containsWording, textOfJson, type Wording } from '../../model/wording.ts';
import type { TrashEntry } from '../types/curation.ts';
import type { Database } from './open.ts';
import { type RowChange, undoChanges } from './row-changes.ts';

/** @returns the number of the entry. */
export function addToTrash(db: Database, entry: Omit<TrashEntry, 'id'>, changes: RowChange[]): number {
  const { at, dueAt, ...rest } = entry;
  const added = db
    .prepare('INSERT INTO trash (at, due_at, entry, changes) VALUES (?, ?, ?, ?)')
    .run(at, dueAt, JSON.stringify(rest), JSON.stringify(changes));
  return Number(added.lastInsertRowid);
}

export function saveTrashTime(db: Database, entryIds: number[], dueAt: number): void {
  db.prepare(
    'UPDATE trash SET due_at = ? WHERE due_at IS NOT NULL AND id IN (SELECT value FROM json_each(?))',
  ).run(dueAt, JSON.stringify(entryIds));
}

export function findNextTrashTime(db: Database): number | null {
  return db.prepare<{ at: number | null }>('SELECT min(due_at) AS at FROM trash').get()?.at ?? null;
}

export function listTrash(db: Database): TrashEntry[] {
  const rows = db
    .prepare<{ id: number; at: number; dueAt: number | null; entry: string }>(
      'SELECT id, at, due_at AS dueAt, entry FROM trash ORDER BY id DESC',
    )
    .all();
  return rows.map(({ entry, ...row }) => ({ ...row, ...JSON.parse(entry) }));
}

/** See `restoreFromTrash` in curation.ts. */
export function restoreEntry(db: Database, entryId: number, now: number): void {
  const row = db.prepare<{ changes: string }>('SELECT changes FROM trash WHERE id = ?').get(entryId);
  if (!row) return;
  const changes: RowChange[] = JSON.parse(row.changes);
  undoChanges(db, changes);
  for (const { table, key } of changes)
    if (table === 'works')
      db.prepare('UPDATE works SET changed_at = ? WHERE id = ?').run(now, key.id ?? null);
  deleteTrash(db, [entryId]);
}

export function deleteTrash(db: Database, entryIds: number[]): void {
  db.prepare('DELETE FROM trash WHERE id IN (SELECT value FROM json_each(?))').run(JSON.stringify(entryIds));
}

/** Text that is removed for good must not stay in the trash of another memory. */
export function deleteTrashContaining(db: Database, wording: Wording): void {
  const rows = db.prepare<{ id: number; changes: string }>('SELECT id, changes FROM trash').all();
  const containsText = (changes: RowChange[]) =>
    changes.some(({ before }) =>
      Object.values(before ?? {}).some(
        (value) => typeof value === 'string' && containsWording(textOfJson(value), wording),
      ),
    );
  deleteTrash(
    db,
    rows.filter(({ changes }) => containsText(JSON.parse(changes))).map(({ id }) => id),
  );
}
