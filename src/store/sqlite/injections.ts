import type { Injection, InjectionStore } from '../injection-store.ts';
import { type Database, inTransaction } from './open.ts';

export function injectionsOf(db: Database): InjectionStore {
  return {
    noteInjections(injections) {
      inTransaction(db, () => {
        const add = db.prepare(`
          INSERT INTO injections (agent, agent_session, door, memory_id, tokens, reason, at)
          VALUES (?, ?, ?, ?, ?, ?, ?)`);
        for (const { agent, agentSession, door, memoryId, tokens, reason, at } of injections)
          add.run(agent, agentSession, door, memoryId, tokens, reason, at);
      });
    },
    givenTo(agentSession, since = 0) {
      const rows = db
        .prepare('SELECT DISTINCT memory_id AS id FROM injections WHERE agent_session = ? AND at >= ?')
        .all(agentSession, since);
      return new Set((rows as { id: number }[]).map(({ id }) => id));
    },
    injectionsOf(memoryId) {
      const rows = db
        .prepare(`
          SELECT agent, agent_session AS agentSession, door, memory_id AS memoryId, tokens, reason, at
          FROM injections WHERE memory_id = ? ORDER BY at, id`)
        .all(memoryId);
      return rows.map((row) => ({ ...(row as unknown as Injection) }));
    },
  };
}
