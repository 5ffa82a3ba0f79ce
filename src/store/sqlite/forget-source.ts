import { containsWording, textOfJson, type Wording } from '../../model/wording.ts';
import type { Database } from './open.ts';
import type { IdRow } from './rows.ts';

interface RawIds {
  prompts: number[];
  events: number[];
}

export function findRawOfTurns(db: Database, turns: number[], sessions: number[]): RawIds {
  const [inTurns, inSessions] = [JSON.stringify(turns), JSON.stringify(sessions)];
  const ids = (sql: string) =>
    db
      .prepare<IdRow>(sql)
      .all({ inTurns, inSessions })
      .map(({ id }) => id);
  return {
    // A turn that continues after a compaction has its prompt in an earlier one.
    prompts: ids(`
      SELECT id FROM prompts WHERE text <> '' AND (
        turn_id IN (SELECT value FROM json_each(:inTurns))
        OR session_id IN (SELECT value FROM json_each(:inSessions))
        OR (session_id, number) IN (
          SELECT session_id, prompt_number FROM turns WHERE id IN (SELECT value FROM json_each(:inTurns))))`),
    events: ids(`
      SELECT id FROM events WHERE emptied_at IS NULL AND (
        turn_id IN (SELECT value FROM json_each(:inTurns))
        OR session_id IN (SELECT value FROM json_each(:inSessions)))`),
  };
}

/** All other captured texts that contain one of the sentences. */
export function findRawContaining(db: Database, wording: Wording): RawIds {
  const findRows = (sql: string) => {
    const ids: number[] = [];
    for (const { id, ...texts } of db.prepare<IdRow & Record<string, unknown>>(sql).iterate()) {
      if (containsWording(textOfJson(Object.values(texts).join('\n')), wording)) ids.push(id);
    }
    return ids;
  };
  return {
    prompts: findRows("SELECT id, text FROM prompts WHERE text <> ''"),
    events: findRows('SELECT id, text, input, response, detail FROM events WHERE emptied_at IS NULL'),
  };
}

/** The keys stay: they identify an event that a hook or a transcript reports again. */
export function emptyEvents(db: Database, ids: number[], now: number): void {
  const empty = db.prepare(`
    UPDATE events SET text = NULL, input = NULL, response = NULL, detail = '{}', emptied_at = ?,
      reported_by = CASE WHEN reported_by IS NULL THEN NULL ELSE 'call' END
    WHERE id = ?`);
  const removals = ['event_files', 'errors', 'errors_pending'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE event_id = ?`),
  );
  for (const id of ids) {
    empty.run(now, id);
    for (const remove of removals) remove.run(id);
  }
}

export function emptyPrompts(db: Database, ids: number[]): void {
  const empty = db.prepare("UPDATE prompts SET text = '' WHERE id = ?");
  for (const id of ids) empty.run(id);
}
