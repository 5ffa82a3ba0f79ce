import type { Database } from './open.ts';
import { type CountRow, requireRow } from './rows.ts';

const INDEXES = {
  search_words: 'search_docs',
  claim_words: 'claim_docs',
} as const;

/** Counts matching documents up to `most`; beyond that the number is estimated from the ids counted so far. */
export function createMatchCounter(db: Database, index: keyof typeof INDEXES) {
  const counted = db.prepare<CountRow & { last: number }>(`
    SELECT count(*) AS count, max(rowid) AS last FROM (
      SELECT rowid FROM ${index} WHERE ${index} MATCH ? LIMIT ?)`);
  const { last } = requireRow(
    db.prepare<{ last: number | null }>(`SELECT max(id) AS last FROM ${INDEXES[index]}`).get(),
  );
  return (match: string, most: number): number => {
    const found = requireRow(counted.get(match, most));
    return found.count < most ? found.count : (found.count * (last ?? 1)) / found.last;
  };
}
