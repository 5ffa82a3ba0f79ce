import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { startApiWorker } from '../../test/support/api-worker.ts';
import { ORCHARD } from '../../test/support/captured.ts';
import { rememberTurn } from '../../test/support/memories.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { pathsOf } from '../platform/paths.ts';

const MEMORIES = 10_000;

test('a request is answered before the worker has built a large index', async () => {
  const home = join(tempFolder(), '.cairn');
  const { database } = pathsOf(home);
  const worker = await startApiWorker({
    home,
    fill(store) {
      rememberTurn(store, {
        ...{ at: Date.now() - 60_000, place: ORCHARD },
        observations: [{ title: 'The scion is cut in winter', narrative: 'It keeps until spring.' }],
      });
      copyMemories(database);
    },
  });
  try {
    const { memories } = await worker.get<{ memories: unknown[] }>('/api/memories?limit=3');
    const pending = countPending(database);
    expect(memories).toHaveLength(3);
    expect(pending).toBeGreaterThan(0);
  } finally {
    await worker.stop();
  }
});

/** Leaves the memories that an import would leave if it was killed before indexing. */
function copyMemories(database: string): void {
  const db = new DatabaseSync(database);
  db.exec(`
    INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, tokens, session_id, project_id,
      distiller, at, changed_at)
    WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers LIMIT ${MEMORIES})
    SELECT kind, type, title || ' ' || number, subtitle, narrative || ' Tree ' || number, facts, concepts, tokens,
      session_id, project_id, distiller, at, changed_at FROM memories, numbers WHERE kind = 'observation'`);
  db.close();
}

function countPending(database: string): number {
  const db = new DatabaseSync(database, { timeout: 10_000 });
  const row = db.prepare('SELECT count(*) AS count FROM search_pending').get();
  db.close();
  return Number(row?.count);
}
