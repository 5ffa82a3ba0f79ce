import type { ImportedMemory, PortStore, PortWriting } from '../port-store.ts';
import type { Database } from './open.ts';
import { addMemory, addPastPrompt } from './port-in.ts';
import { portableMemories, rowWithKey } from './port-out.ts';
import { projectFor } from './port-projects.ts';

export function portOf(db: Database): PortStore {
  return {
    portableMemories: (query) => portableMemories(db, query),
    projectFor: (project, options) => writing(db, false, () => projectFor(db, project, options)),
    addMemories: (memories, { now, isDryRun }) =>
      writing(db, isDryRun, () => memories.map((memory) => addMemory(db, memory, now))),
    addPastPrompts: (prompts, options) => addPastPrompts(db, prompts, options),
    replaceMemories: (pairs) =>
      writing(db, false, () => {
        for (const { old, by } of pairs) replace(db, old, by);
      }),
    reviveMemories(ids) {
      db.prepare('UPDATE memories SET superseded_by = NULL WHERE id IN (SELECT value FROM json_each(?))').run(
        JSON.stringify(ids),
      );
    },
    memoryByKey: (key) => rowWithKey(db, key),
    memoriesFrom(originPrefix) {
      const rows = db
        .prepare(`
          SELECT id, origin, title, narrative, superseded_by AS supersededBy FROM memories
          WHERE origin >= ? AND origin < ? ORDER BY id`)
        .all(originPrefix, `${originPrefix}\u{10ffff}`);
      return rows.map((row) => ({ ...(row as unknown as ImportedMemory) }));
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

function addPastPrompts(
  db: Database,
  prompts: Parameters<PortStore['addPastPrompts']>[0],
  { isDryRun }: PortWriting,
): number {
  return writing(db, isDryRun, () => prompts.filter((prompt) => addPastPrompt(db, prompt)).length);
}

/** A memory never takes the place of what took its own. */
function replace(db: Database, old: number, by: number): void {
  const { isCircle } = db
    .prepare(`
      WITH RECURSIVE later (id) AS (
        VALUES (?) UNION SELECT m.superseded_by FROM memories m JOIN later ON m.id = later.id
        WHERE m.superseded_by IS NOT NULL)
      SELECT EXISTS (SELECT 1 FROM later WHERE id = ?) AS isCircle`)
    .get(by, old) as { isCircle: number };
  if (isCircle) return;
  db.prepare('UPDATE memories SET superseded_by = ? WHERE id = ? AND superseded_by IS NULL').run(by, old);
}
