import type { IndexedText, SearchSource, SearchText } from '../types/search.ts';
import { type ClaimRow, claimRowsOf, clearClaims, replaceClaims } from './claim-index.ts';
import { type Database, inTransaction } from './open.ts';
import { countRows, type IdRow, requireRow } from './rows.ts';
import { keepSchemaPages } from './schema-pages.ts';
import { listScopeTokens } from './search-match.ts';
import { type FoundSource, readSource } from './search-sources.ts';

/** Fills the index. Pending documents are read, indexed and unmarked in one transaction, so no change is lost. */
export function createIndexQueries(db: Database) {
  return {
    /**
     * Indexes new and changed documents in one transaction, at most `docs` of them and until the time is up.
     * @returns how many.
     */
    indexPending(
      make: (source: SearchSource) => IndexedText,
      { docs, until, now }: { docs: number; until: number; now: () => number },
    ): number {
      if (now() >= until || !isAnyPending(db)) return 0;
      return inTransaction(db, () => {
        const done: number[] = [];
        const rows: Row[] = [];
        const claims: ClaimRow[] = [];
        for (const id of newestPending(db, docs)) {
          if (now() >= until) break;
          const found = readSource(db, id);
          if (found) {
            const text = make(found.source);
            rows.push(rowOf(id, found, text));
            if (text.claims) claims.push(...claimRowsOf(id / 2, placeOfClaims(found), text.claims));
          }
          done.push(id);
        }
        replace(db, done, rows);
        replaceClaims(db, done, claims);
        removePending(db, done);
        return done.length;
      });
    },
    countPendingDocs: (): number => countRows(db, 'search_pending'),
    /** Empties the index and queues everything, newest first. */
    reindexEverything(): void {
      inTransaction(db, () => {
        clear(db);
        clearClaims(db);
        db.exec(`
          INSERT OR IGNORE INTO search_pending
            SELECT id * 2 FROM memories UNION ALL SELECT id * 2 + 1 FROM prompts;
          INSERT OR IGNORE INTO errors_pending
            SELECT id FROM events WHERE outcome = 'failure' AND response IS NOT NULL
            UNION SELECT event_id FROM errors`);
      });
      keepSchemaPages(db);
    },
  };
}

function placeOfClaims({ source, place }: FoundSource) {
  return { ...place, type: source.type ?? source.kind };
}

function isAnyPending(db: Database): boolean {
  return db.prepare('SELECT 1 FROM search_pending LIMIT 1').get() !== undefined;
}

function newestPending(db: Database, limit: number): number[] {
  const rows = db.prepare<IdRow>('SELECT id FROM search_pending ORDER BY id DESC LIMIT ?').all(limit);
  return rows.map(({ id }) => id);
}

const COLUMNS = [
  ...['id', 'kind', 'type', 'project_id', 'session_id', 'at', 'agent', 'branch', 'said_by', 'is_global'],
  ...[
    'superseded_by',
    'pinned_at',
    'merged_at',
    'asks',
    'mentions',
    'words',
    'title',
    'body',
    'header',
    'scope',
  ],
];

type Row = (string | number | null)[];

/** The values of a document, in the order of the columns. */
function rowOf(id: number, { source, place }: FoundSource, text: SearchText): Row {
  const { kind, type, branch, saidBy } = source;
  const isGlobal = place.isGlobal === 1;
  return [
    ...[
      id,
      kind,
      type,
      place.projectId,
      place.sessionId,
      place.at,
      place.agent,
      branch,
      saidBy,
      place.isGlobal,
    ],
    ...[place.supersededBy, place.pinnedAt, place.mergedAt, text.asks, text.mentions],
    countWords(text.title) + countWords(text.body),
    ...[text.title, text.body, text.header],
    listScopeTokens({ kind, type, projectId: place.projectId, isGlobal }).join(' '),
  ];
}

function countWords(tokens: string): number {
  return tokens === '' ? 0 : tokens.split(' ').length - 2;
}

/**
 * Deletes and inserts all documents with one statement each, lowest id first: FTS5 collects words in memory, but
 * flushes them at the start of every statement that fires triggers and whenever an id is lower than the one before.
 */
function replace(db: Database, ids: number[], rows: Row[]): void {
  const all = JSON.stringify(ids);
  db.prepare('DELETE FROM search_docs WHERE id IN (SELECT value FROM json_each(?))').run(all);
  db.prepare(`
    INSERT INTO search_docs (${COLUMNS})
    SELECT ${COLUMNS.map((_, index) => `value ->> ${index}`)} FROM json_each(?)`).run(
    JSON.stringify(rows.reverse()),
  );
}

function removePending(db: Database, ids: number[]): void {
  db.prepare('DELETE FROM search_pending WHERE id IN (SELECT value FROM json_each(?))').run(
    JSON.stringify(ids),
  );
}

/** Drops the trigger meanwhile: emptying the full text index at once is faster than deleting documents one by one. */
function clear(db: Database): void {
  const { sql } = requireRow(
    db.prepare<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE name = 'search_docs_out'").get(),
  );
  db.exec(`
    DROP TRIGGER search_docs_out;
    DELETE FROM search_docs;
    DELETE FROM search_totals;
    INSERT INTO search_words (search_words) VALUES ('delete-all');
    ${sql};`);
}
