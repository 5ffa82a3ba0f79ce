import type { Redacted } from '../../model/redacted.ts';
import type {
  AddedMemory,
  ImportedMemory,
  ImportWriteOptions,
  NewMemory,
  PastPrompt,
  PortableProject,
  PortPage,
  PortQuery,
} from '../types/port.ts';
import type { Database } from './open.ts';
import { addMemory, addPastPrompt } from './port-in.ts';
import { findMemoryByKey, listPortableMemories } from './port-out.ts';
import { projectFor } from './port-projects.ts';
import { requireRow } from './rows.ts';

/** Export and import of memories. */
export function createPortQueries(db: Database) {
  return {
    /** A page of memories, ordered by number. */
    listPortableMemories: (query: PortQuery): PortPage => listPortableMemories(db, query),
    /**
     * Finds a project by remote. Without a remote: by folder, then by name, if exactly one project without a remote that is
     * not in `apartFrom` has it. With `now` the project is created if there is none.
     */
    projectFor: (
      project: Redacted<PortableProject>,
      options: { apartFrom?: number[]; now?: number },
    ): number | null => writing(db, false, () => projectFor(db, project, options)),
    /** Atomic. Known and forgotten memories are skipped. */
    addMemories: (memories: Redacted<NewMemory>[], { now, isDryRun }: ImportWriteOptions): AddedMemory[] =>
      writing(db, isDryRun, () => memories.map((memory) => addMemory(db, memory, now))),
    /** Atomic. Skips sessions whose prompts were captured. @returns how many are new. */
    addPastPrompts: (prompts: Redacted<PastPrompt>[], options: ImportWriteOptions): number =>
      addPastPrompts(db, prompts, options),
    /** `by` replaces `old`, unless `old` is replaced already. */
    replaceMemories: (pairs: { old: number; by: number }[]): void =>
      writing(db, false, () => {
        for (const { old, by } of pairs) replace(db, old, by);
      }),
    reviveMemories(ids: number[]): void {
      db.prepare('UPDATE memories SET superseded_by = NULL WHERE id IN (SELECT value FROM json_each(?))').run(
        JSON.stringify(ids),
      );
    },
    findMemoryByKey: (key: string): number | null => findMemoryByKey(db, key),
    /** The imported memories of one source, by their key there. */
    listImportedMemories(originPrefix: string): ImportedMemory[] {
      const rows = db
        .prepare<ImportedMemory>(`
          SELECT id, origin, title, narrative, superseded_by AS supersededBy FROM memories
          WHERE origin >= ? AND origin < ? ORDER BY id`)
        .all(originPrefix, `${originPrefix}\u{10ffff}`);
      return rows.map((row) => ({ ...row }));
    },
  };
}

function writing<T>(db: Database, isDryRun: boolean, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec(isDryRun ? 'ROLLBACK' : 'COMMIT');
    return result;
  } catch (error) {
    // A full disk has rolled it back already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function addPastPrompts(db: Database, prompts: PastPrompt[], { isDryRun }: ImportWriteOptions): number {
  return writing(db, isDryRun, () => prompts.filter((prompt) => addPastPrompt(db, prompt)).length);
}

/** Prevents cycles. */
function replace(db: Database, old: number, by: number): void {
  const { isCircle } = requireRow(
    db
      .prepare<{ isCircle: number }>(`
      WITH RECURSIVE later (id) AS (
        VALUES (?) UNION SELECT m.superseded_by FROM memories m JOIN later ON m.id = later.id
        WHERE m.superseded_by IS NOT NULL)
      SELECT EXISTS (SELECT 1 FROM later WHERE id = ?) AS isCircle`)
      .get(by, old),
  );
  if (isCircle) return;
  db.prepare('UPDATE memories SET superseded_by = ? WHERE id = ? AND superseded_by IS NULL').run(by, old);
}
