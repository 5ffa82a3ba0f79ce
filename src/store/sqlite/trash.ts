import { containsWording, textOfJson, type Wording } from '../../model/wording.ts';
import type { TrashEntry } from '../types/curation.ts';
import type { Database } from './open.ts';
import { type RowChange, undoChanges } from './row-changes.ts';

export function addToTrash(db: Database, entry: Omit<TrashEntry, 'id'>, changes: RowChange[]): void {
  const { at, ...rest } = entry;
  db.prepare('INSERT INTO trash (at, entry, changes) VALUES (?, ?, ?)').run(
    at,
    JSON.stringify(rest),
    JSON.stringify(changes),
  );
}

export function listTrash(db: Database): TrashEntry[] {
  const rows = db
    .prepare<{ id: number; at: number; entry: string }>('SELECT id, at, entry FROM trash ORDER BY id DESC')
    .all();
  return rows.map(({ id, at, entry }) => ({ id, at, ...JSON.parse(entry) }));
}

/** See `restoreTrash` in curation.ts. */
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
