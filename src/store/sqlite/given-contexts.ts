import type { PageStart } from '../types/browse.ts';
import type { GivenBody, GivenContext, GivenContextFilter, NewGivenContext } from '../types/injection.ts';
import type { Database } from './open.ts';

const COLUMNS = 'id, at, agent, agent_session AS agentSession, source, tokens, budget, body';
const GAVE = `json_valid(body)
  AND EXISTS (SELECT 1 FROM json_each(body, '$.shown') WHERE value ->> 'memoryId' = ?)`;

export function addGivenContext(db: Database, context: NewGivenContext): void {
  const { at, agent, agentSession, source, tokens, budget, body } = context;
  db.prepare(`
    INSERT INTO given_contexts (at, agent, agent_session, source, tokens, budget, body)
    VALUES (?, ?, ?, ?, ?, ?, ?)`).run(at, agent, agentSession, source, tokens, budget, body);
}

/** The contexts that agents received, for people to inspect. */
export function createGivenContextQueries(db: Database) {
  return {
    /** Latest first. */
    listGivenContexts(filter: GivenContextFilter, limit: number, start?: PageStart): GivenContext[] {
      const { agentSession, memoryId, source } = filter;
      const conditions = [
        agentSession !== undefined && ['agent_session = ?', agentSession],
        memoryId !== undefined && [GAVE, memoryId],
        source !== undefined && ['source = ?', source],
        start !== undefined && ['(at, id) < (?, ?)', start.at, start.id],
      ].filter((condition) => condition !== false);
      const where = conditions.map(([text]) => text).join(' AND ') || 'TRUE';
      return db
        .prepare<Row>(
          `SELECT ${COLUMNS} FROM given_contexts WHERE ${where} ORDER BY at DESC, id DESC LIMIT ?`,
        )
        .all(...conditions.flatMap(([, ...values]) => values), limit)
        .map(toContext);
    },
    getGivenContext(id: number): GivenContext | null {
      const row = db.prepare<Row>(`SELECT ${COLUMNS} FROM given_contexts WHERE id = ?`).get(id);
      return row ? toContext(row) : null;
    },
    /** The previous context of the same session. */
    findGivenBefore({ id, agentSession }: Pick<GivenContext, 'id' | 'agentSession'>): number | null {
      const row = db
        .prepare<{ id: number }>(
          'SELECT id FROM given_contexts WHERE agent_session = ? AND id < ? ORDER BY id DESC LIMIT 1',
        )
        .get(agentSession, id);
      return row?.id ?? null;
    },
    /** Keeps the latest one, otherwise its number would be used again. @returns how many were deleted. */
    deleteOldContexts(before: number): number {
      const deleted = db
        .prepare('DELETE FROM given_contexts WHERE at < ? AND id < (SELECT max(id) FROM given_contexts)')
        .run(before);
      return Number(deleted.changes);
    },
  };
}

type Row = Omit<GivenContext, keyof GivenBody> & { body: string };

function toContext({ body, ...row }: Row): GivenContext {
  return { ...row, ...parseBody(body) };
}

/** If redaction has made the JSON of a body invalid, the body is shown as raw text. */
export function parseBody(body: string): GivenBody {
  try {
    return JSON.parse(body);
  } catch {
    return { text: body, shown: [], leftOut: [] };
  }
}
