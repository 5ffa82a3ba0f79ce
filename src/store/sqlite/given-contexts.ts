import type { PageStart } from '../types/browse.ts';
import type { GivenContext, GivenContextFilter, NewGivenContext } from '../types/injection.ts';
import type { Database } from './open.ts';
import type { WithJson } from './rows.ts';

const COLUMNS = `id, at, agent, agent_session AS agentSession, source, tokens, budget, text, shown,
  left_out AS leftOut`;
const GAVE = "EXISTS (SELECT 1 FROM json_each(shown) WHERE value ->> 'memoryId' = ?)";

export function addGivenContext(db: Database, context: NewGivenContext): void {
  const { at, agent, agentSession, source, tokens, budget, text, shown, leftOut } = context;
  db.prepare(`
    INSERT INTO given_contexts (at, agent, agent_session, source, tokens, budget, text, shown, left_out)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
    at,
    agent,
    agentSession,
    source,
    tokens,
    budget,
    text,
    JSON.stringify(shown),
    JSON.stringify(leftOut),
  );
}

/** What agents were given, for people who ask. */
export function createGivenContextQueries(db: Database) {
  return {
    /** The latest first. */
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
    /** The one that the same session was given before it. */
    findGivenBefore({ id, agentSession }: Pick<GivenContext, 'id' | 'agentSession'>): number | null {
      const row = db
        .prepare<{ id: number }>(
          'SELECT id FROM given_contexts WHERE agent_session = ? AND id < ? ORDER BY id DESC LIMIT 1',
        )
        .get(agentSession, id);
      return row?.id ?? null;
    },
    /** The latest one stays, so that no number is used twice. @returns how many were deleted. */
    deleteOldContexts(before: number): number {
      const deleted = db
        .prepare('DELETE FROM given_contexts WHERE at < ? AND id < (SELECT max(id) FROM given_contexts)')
        .run(before);
      return Number(deleted.changes);
    },
  };
}

type Row = WithJson<GivenContext, 'shown' | 'leftOut'>;

function toContext(row: Row): GivenContext {
  return { ...row, shown: JSON.parse(row.shown), leftOut: JSON.parse(row.leftOut) };
}
