import type { Activity, Period, PeriodSession } from '../types/activity.ts';
import type { Count } from '../types/memory.ts';
import type { Database } from './open.ts';
import { requireRow, type WithJson } from './rows.ts';

const MOST_SESSIONS = 5_000;
const MOST_DAYS = 371;
const DAY = "date(at / 1000, 'unixepoch', 'localtime')";

/** Statistics of what was stored when. */
export function createActivityQueries(db: Database) {
  return {
    describePeriod({ from, to }: { from: number; to: number }): Period {
      const rows = db
        .prepare<WithJson<PeriodSession, 'byType'>>(`
          WITH made AS (
            SELECT session_id, coalesce(type, kind) AS name, count(*) AS count, min(at) AS at FROM memories
            WHERE at >= ? AND at < ? AND session_id IS NOT NULL AND kind != 'summary' GROUP BY 1, 2)
          SELECT s.id, s.agent, coalesce(p.alias, p.name, '?') AS project,
            (SELECT substr(text, 1, 200) FROM prompts WHERE session_id = s.id AND is_private = 0
              ORDER BY number LIMIT 1) AS title,
            s.first_seen AS firstSeen, s.last_seen AS lastSeen, s.ended_at AS endedAt, min(made.at) AS at,
            json_group_array(json_object('name', made.name, 'count', made.count)) AS byType
          FROM made JOIN sessions s ON s.id = made.session_id
          LEFT JOIN project_roots r ON r.id = s.project_id LEFT JOIN projects p ON p.id = r.root
          GROUP BY s.id ORDER BY min(made.at) DESC LIMIT ${MOST_SESSIONS}`)
        .all(from, to);
      const given = db
        .prepare<Omit<Period, 'sessions'>>(`
          SELECT coalesce(sum(tokens), 0) AS tokensGiven,
            coalesce(sum(json_array_length(body, '$.shown')), 0) AS memoriesGiven
          FROM given_contexts WHERE at >= ? AND at < ?`)
        .get(from, to);
      return {
        sessions: rows.map((row) => ({ ...row, byType: JSON.parse(row.byType) })).reverse(),
        ...requireRow(given),
      };
    },
    collectActivity(): Activity {
      const reuse = db
        .prepare<Activity['reuse']>(`
          SELECT (SELECT count(*) FROM memories) AS memories, count(*) AS given,
            coalesce(sum(sessions > 1), 0) AS givenAgain
          FROM (SELECT count(DISTINCT agent_session) AS sessions FROM injections GROUP BY memory_id)`)
        .get();
      return {
        memoriesByDay: db
          .prepare<Count>(
            `SELECT ${DAY} AS name, count(*) AS count FROM memories GROUP BY 1 ORDER BY 1 DESC LIMIT ${MOST_DAYS}`,
          )
          .all(),
        givenByDay: db
          .prepare<Activity['givenByDay'][number]>(`
            SELECT ${DAY} AS name, count(*) AS contexts, sum(tokens) AS tokens FROM given_contexts
            GROUP BY 1 ORDER BY 1 DESC LIMIT ${MOST_DAYS}`)
          .all(),
        reuse: requireRow(reuse),
      };
    },
  };
}
