import { dirname, join } from 'node:path';
import { type Json, parseJson } from '../../model/json.ts';
import {
  iterateOtherDatabase,
  readOtherDatabase,
  UnreadableDatabase,
} from '../../platform/other-database.ts';
import type { Database } from '../../platform/sqlite.ts';
import type { RecordSpan, TranscriptFile, TranscriptRecord } from '../agent.ts';
import { fileAt } from '../transcript-files.ts';

/**
 * OpenCode and agents based on it keep all sessions in one SQLite database: tables `session`, `message` and `part`, the
 * last two with JSON in `data`. Here the transcript of a session has the path `<database>/<session>`, its records are
 * messages with their parts, and offsets count the bytes of the parts plus one for each message.
 */

export interface SessionRow {
  id: string;
  /** The person's session; differs from `id` only for a subagent. */
  root: string;
  folder: string;
  createdAt: number;
  updatedAt: number;
  size: number;
}

export interface SessionMessage {
  id: string;
  at: number;
  message: Json;
  parts: Json[];
}

/** The person's sessions, or one of them, each followed by the sessions of its subagents. */
export function listSessions(database: string, id?: string): SessionRow[] {
  if (!fileAt(database)) return [];
  return readOtherDatabase(database, (db) => {
    refuseOtherTables(db, database);
    return db
      .prepare<SessionRow>(`
        WITH RECURSIVE tree (id, root, depth) AS (
          SELECT id, id, 0 FROM session WHERE parent_id IS NULL AND id = coalesce(?, id)
          UNION ALL
          SELECT session.id, root, depth + 1 FROM session JOIN tree ON parent_id = tree.id
        )
        SELECT id, root, directory AS folder, time_created AS createdAt, time_updated AS updatedAt,
          (SELECT count(*) FROM message WHERE session_id = session.id)
          + (SELECT coalesce(sum(octet_length(data)), 0) FROM part WHERE session_id = session.id) AS size
        FROM session JOIN tree USING (id) ORDER BY depth, time_created, id`)
      .all(id ?? null);
  });
}

/** A newer OpenCode prepares another table for messages; a database that uses only it must not look empty. */
function refuseOtherTables(db: Database, path: string): void {
  const exists = (table: string) =>
    db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !== undefined;
  const hasRows = (table: string) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined;
  if (!hasRows('message') && exists('session_message') && hasRows('session_message'))
    throw new UnreadableDatabase(path, 'this version of Cairn does not know its tables (session_message)');
}

export function toFile(database: string, { id, root, size, updatedAt }: SessionRow): TranscriptFile {
  const file = { path: join(database, id), size, changedAt: updatedAt };
  // Hooks do not report the type of a subagent, and the database does not record that it has finished.
  return id === root ? file : { ...file, subagent: { id, type: '', isFinished: false } };
}

/** The session of a transcript's path, followed by the sessions of its subagents. */
export function readSession(path: string): SessionRow[] {
  return listSessions(dirname(path), sessionOf(path));
}

export function* readMessages(path: string, offset: number): Generator<TranscriptRecord> {
  yield* iterateOtherDatabase(dirname(path), function* (db) {
    const listParts = db.prepare<{ data: string }>('SELECT data FROM part WHERE message_id = ? ORDER BY id');
    for (const { id, at, data, start, end } of listMessages(db, path)) {
      if (start < offset) continue;
      const message = parseJson(data);
      const parts = listParts.all(id).map((part) => parseJson(part.data));
      const whole = parts.filter((part) => part !== undefined);
      if (message === undefined || whole.length < parts.length)
        yield { start, end, where: `${path}, message ${id}`, problem: 'it is not JSON' };
      else yield { start, end, value: { id, at, message, parts: whole } satisfies SessionMessage };
    }
  });
}

export function isMessageStart(path: string, offset: number): boolean {
  if (offset === 0) return true;
  const spans = readOtherDatabase(dirname(path), (db) => listMessages(db, path));
  return spans.some(({ start, end }) => offset === start || offset === end);
}

interface MessageRow {
  id: string;
  at: number;
  data: string;
  size: number;
}

function listMessages(db: Database, path: string): (MessageRow & RecordSpan)[] {
  let end = 0;
  return db
    .prepare<MessageRow>(`
      SELECT id, time_created AS at, data,
        (SELECT 1 + coalesce(sum(octet_length(data)), 0) FROM part WHERE message_id = message.id) AS size
      FROM message WHERE session_id = ? ORDER BY time_created, id`)
    .all(sessionOf(path))
    .map((row) => {
      const start = end;
      end += row.size;
      return { ...row, start, end };
    });
}

function sessionOf(path: string): string {
  return path.slice(dirname(path).length + 1);
}
