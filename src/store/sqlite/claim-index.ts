import type { ClaimWords } from '../types/search.ts';
import type { Database } from './open.ts';
import { requireRow } from './rows.ts';

/** Ids reserved per memory: one for the header, the others for its claims. */
export const CLAIM_IDS = 64;

/** id, project_id, is_global, type, words, request, scope. */
export type ClaimRow = [number, number | null, number, string, string, string, string];

/** The header first: ids in ascending order are cheap for the full text index. */
export function claimRowsOf(
  memoryId: number,
  { projectId, isGlobal, type }: { projectId: number | null; isGlobal: number; type: string },
  { header, request, claims }: ClaimWords,
): ClaimRow[] {
  const scope = isGlobal ? `m${projectId ?? 0} mglobal` : `m${projectId ?? 0}`;
  const row = (position: number, words: string, requestWords: string): ClaimRow => [
    memoryId * CLAIM_IDS + position,
    projectId,
    isGlobal,
    type,
    words,
    requestWords,
    scope,
  ];
  return [row(0, header, request), ...claims.map(({ position, words }) => row(position, words, ''))];
}

/** Deletes and inserts all claims with one statement each; see `replace` in search-index.ts for the reason. */
export function replaceClaims(db: Database, docIds: number[], rows: ClaimRow[]): void {
  const memoryIds = docIds.filter((id) => id % 2 === 0).map((id) => id / 2);
  if (memoryIds.length === 0) return;
  db.prepare(`
    DELETE FROM claim_docs WHERE id IN (
      SELECT d.id FROM json_each(?1) memory JOIN claim_docs d
        ON d.id BETWEEN memory.value * ${CLAIM_IDS} AND memory.value * ${CLAIM_IDS} + ${CLAIM_IDS - 1})`).run(
    JSON.stringify(memoryIds),
  );
  const ascending = rows.sort(([one], [other]) => one - other);
  db.prepare(`
    INSERT INTO claim_docs (id, project_id, is_global, type, words, request, scope)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 FROM json_each(?)`).run(
    JSON.stringify(ascending),
  );
}

/** Drops the trigger meanwhile; see `clear` in search-index.ts for the reason. */
export function clearClaims(db: Database): void {
  const { sql } = requireRow(
    db.prepare<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE name = 'claim_docs_out'").get(),
  );
  db.exec(`
    DROP TRIGGER claim_docs_out;
    DELETE FROM claim_docs;
    DELETE FROM claim_totals;
    INSERT INTO claim_words (claim_words) VALUES ('delete-all');
    ${sql};`);
}
