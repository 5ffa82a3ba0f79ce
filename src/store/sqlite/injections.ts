import type { Redacted } from '../../model/redacted.ts';
import type { Injection, NewGivenContext } from '../types/injection.ts';
import { addGivenContext } from './given-contexts.ts';
import { type Database, inTransaction } from './open.ts';

/** Memories given to agents: prevents repetition, and lets people see the reasons. */
export function createInjectionQueries(db: Database) {
  return {
    /** `context`: the text in which they were given, if it should be stored. */
    recordInjections(injections: Redacted<Injection>[], context?: Redacted<NewGivenContext>): void {
      inTransaction(db, () => {
        if (context) addGivenContext(db, context);
        const add = db.prepare(`
          INSERT INTO injections (agent, agent_session, door, memory_id, tokens, reason, claims, at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
        for (const { agent, agentSession, source, memoryId, tokens, reason, claims, at } of injections)
          add.run(
            agent,
            agentSession,
            source,
            memoryId,
            tokens,
            reason,
            claims ? JSON.stringify(claims) : null,
            at,
          );
      });
    },
    listInjections(memoryId: number): Injection[] {
      const rows = db
        .prepare<Omit<Injection, 'claims'> & { claims: string | null }>(`
          SELECT agent, agent_session AS agentSession, door AS source, memory_id AS memoryId, tokens, reason, claims, at
          FROM injections WHERE memory_id = ? ORDER BY at, id`)
        .all(memoryId);
      return rows.map(({ claims, ...row }) => ({ ...row, ...(claims && { claims: JSON.parse(claims) }) }));
    },
  };
}
