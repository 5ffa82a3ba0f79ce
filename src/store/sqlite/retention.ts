import type { Database } from './open.ts';
import { keepSchemaPages } from './schema-pages.ts';

/** Small batches keep transactions short, because hooks wait for them. */
const STEP = 500;

/** Only events of distilled turns. */
export function emptyOldEvents(
  db: Database,
  { before, maxBytes }: { before: number; maxBytes: number },
): number {
  const empty = db.prepare(`
    UPDATE events SET input = NULL, response = NULL, text = NULL, detail = '{}', emptied_at = ?
    WHERE id IN (
      SELECT e.id FROM events e LEFT JOIN turns t ON t.id = e.turn_id
      WHERE e.emptied_at IS NULL AND e.at < ? AND (t.id IS NULL OR t.distilled_at IS NOT NULL)
      ORDER BY e.at LIMIT ${STEP})`);
  let emptied = 0;
  for (let step = STEP; step === STEP; emptied += step) step = Number(empty.run(before, before).changes);
  while (usedBytes(db) > maxBytes) {
    const step = Number(empty.run(before, Number.MAX_SAFE_INTEGER).changes);
    emptied += step;
    if (step === 0) break;
  }
  if (emptied > 0) {
    db.exec('PRAGMA incremental_vacuum');
    keepSchemaPages(db);
  }
  return emptied;
}

function usedBytes(db: Database): number {
  const number = (pragma: string) =>
    Object.values(db.prepare<Record<string, number>>(`PRAGMA ${pragma}`).get() ?? {})[0] ?? 0;
  return (number('page_count') - number('freelist_count')) * number('page_size');
}
