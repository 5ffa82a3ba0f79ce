import type { Count, MemoryStats } from '../types/memory.ts';
import type { Database } from './open.ts';

export function collectStats(db: Database): MemoryStats {
  const rows = (sql: string) => db.prepare<Count>(sql).all();
  const day = "date(at / 1000, 'unixepoch', 'localtime')";
  const byDay = (table: string) =>
    rows(`SELECT ${day} AS name, count(*) AS count FROM ${table} GROUP BY 1 ORDER BY 1 DESC LIMIT 14`);
  return {
    byType: rows(
      'SELECT coalesce(type, kind) AS name, count(*) AS count FROM memories GROUP BY 1 ORDER BY 2 DESC',
    ),
    byProject: rows(`
      SELECT coalesce(p.alias, p.name, '?') AS name, count(*) AS count FROM memories m
      LEFT JOIN project_roots r ON r.id = m.project_id LEFT JOIN projects p ON p.id = r.root
      GROUP BY r.root ORDER BY 2 DESC LIMIT 20`),
    byDay: byDay('events'),
    modelCallsByDay: byDay('model_calls'),
  };
}
