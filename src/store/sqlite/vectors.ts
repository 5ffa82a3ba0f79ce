import type { Redacted } from '../../model/redacted.ts';
import type { SearchFilter } from '../types/search.ts';
import type { NewVector, VectorComparison, VectorIndex, VectorSource } from '../types/vector.ts';
import { type Database, inTransaction } from './open.ts';
import { countRows, requireRow, type WithJson } from './rows.ts';
import { buildConditions, listMemberProjects } from './search.ts';

/** Every search compares all of these vectors, the newest ones. This many take half a second. */
const MOST_COMPARED = 50_000;

/** The vectors of memories: derived, from one embedder at a time. */
export function createVectorQueries(db: Database) {
  return {
    /** Null if no embedder is in use. */
    getVectorIndex(): VectorIndex | null {
      const row = db
        .prepare<VectorIndex>(`
        SELECT embedder, dimension, begun_at AS begunAt,
          (SELECT count(*) FROM vectors_pending) AS pending
        FROM embedder_index`)
        .get();
      return row ?? null;
    },
    countVectors: (): number => countRows(db, 'memory_vectors'),
    /** Deletes all vectors and starts an index for this embedder. */
    startVectorIndex(embedder: Redacted, now: number): void {
      inTransaction(db, () => {
        dropAll(db);
        db.prepare('INSERT INTO embedder_index VALUES (1, ?, NULL, ?)').run(embedder, now);
        db.exec('INSERT INTO vectors_pending SELECT id, 1 FROM memories');
      });
    },
    /** Deletes the vectors and the index. */
    dropVectors: (): void => inTransaction(db, () => dropAll(db)),
    /** The next memories without a vector, newest first. */
    listPendingVectors(limit: number): VectorSource[] {
      const rows = db
        .prepare<WithJson<VectorSource, 'facts' | 'parts' | 'aliases'>>(`
        SELECT m.id AS memoryId, w.changes, m.title, m.subtitle, m.narrative, m.facts, m.parts, m.aliases
        FROM vectors_pending w JOIN memories m ON m.id = w.memory_id ORDER BY w.memory_id DESC LIMIT ?`)
        .all(limit);
      return rows.map((row) => ({
        ...row,
        facts: JSON.parse(row.facts),
        aliases: JSON.parse(row.aliases),
        parts: row.parts === null ? null : JSON.parse(row.parts),
      }));
    },
    /**
     * Saves the vectors of memories that have not changed since they were requested. All vectors of an index have the
     * same length; if these differ, none is saved and the result is `other-length`.
     */
    saveVectors(vectors: NewVector[]): 'saved' | 'other-length' {
      return inTransaction(db, () => {
        const { dimension } = requireRow(
          db
            .prepare<{ dimension: number }>(
              'SELECT coalesce(max(dimension), ?) AS dimension FROM embedder_index',
            )
            .get(vectors[0]?.vector.length ?? 0),
        );
        if (vectors.some(({ vector }) => vector.length !== dimension)) return 'other-length';
        db.prepare('UPDATE embedder_index SET dimension = ?').run(dimension);
        const done = db.prepare('DELETE FROM vectors_pending WHERE memory_id = ? AND changes = ?');
        const keep = db.prepare('INSERT OR REPLACE INTO memory_vectors VALUES (?, ?, ?)');
        for (const { memoryId, changes, vector } of vectors) {
          if (done.run(memoryId, changes).changes === 0) continue;
          const { scale, bytes } = inBytes(vector);
          keep.run(memoryId, scale, bytes);
        }
        return 'saved';
      });
    },
    /** The similarity of each matching memory to a vector; empty if the lengths differ. */
    compareVectors(vector: Float32Array, filter: SearchFilter): VectorComparison {
      const { sql, values } = buildConditions(filter);
      const statement = db.prepare<[id: number, scale: number, bytes: Uint8Array]>(`
        SELECT v.memory_id, v.scale, v.bytes
        FROM memory_vectors v JOIN search_docs d ON d.id = v.memory_id * 2
        WHERE length(v.bytes) = ?1 AND d.kind IN (SELECT value FROM json_each(?2))
          AND (?3 = 'null' OR d.is_global OR d.project_id IN (SELECT value FROM json_each(?3)))
          AND (?4 = '[]' OR d.type IN (SELECT value FROM json_each(?4))) ${sql}
        ORDER BY v.memory_id DESC LIMIT ${MOST_COMPARED}`);
      statement.setReturnArrays(true);
      const rows = statement.iterate(
        vector.length,
        JSON.stringify(filter.kinds),
        JSON.stringify(listMemberProjects(db, filter)),
        JSON.stringify(filter.types),
        ...values,
      );
      const docs: number[] = [];
      const cosines: number[] = [];
      for (const [id, scale, bytes] of rows) {
        docs.push(id * 2);
        cosines.push(dotProduct(vector, bytes) * scale);
      }
      return { docs, cosines };
    },
  };
}

function dropAll(db: Database): void {
  db.exec('DELETE FROM vectors_pending; DELETE FROM memory_vectors; DELETE FROM embedder_index');
}

/** Bytes take a quarter of the space of floats, and the error is far below the differences between memories. */
function inBytes(vector: Float32Array): { scale: number; bytes: Uint8Array } {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = largest / 127 || 1;
  const bytes = Int8Array.from(vector, (value) => Math.round(value / scale));
  return { scale, bytes: new Uint8Array(bytes.buffer) };
}

function dotProduct(vector: Float32Array, bytes: Uint8Array): number {
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  let sum = 0;
  for (let at = 0; at < numbers.length; at++) sum += (vector[at] ?? 0) * (numbers[at] ?? 0);
  return sum;
}
