import type { Json } from '../../model/json.ts';
import type { HookSighting, RecentSessionsQuery, SessionDigest, StoreCounts } from '../store.ts';
import type { StoredEvent, StoredPrompt } from '../stored.ts';
import { type Database, versionOf } from './open.ts';

const DIGEST = `
  SELECT s.id, s.agent, s.agent_session AS agentSession, s.worktree, s.branch, s.model,
    s.start_source AS startSource, s.end_reason AS endReason,
    s.first_seen AS firstSeen, s.last_seen AS lastSeen, s.ended_at AS endedAt,
    r.root AS projectId, coalesce(p.alias, p.name, '') AS project,
    (SELECT count(*) FROM prompts WHERE session_id = s.id) AS prompts,
    (SELECT count(*) FROM events WHERE session_id = s.id) AS events,
    (SELECT text FROM prompts WHERE session_id = s.id AND origin = 'person' AND is_private = 0
      ORDER BY number LIMIT 1) AS firstPrompt,
    (SELECT text FROM prompts WHERE session_id = s.id AND origin = 'person' AND is_private = 0
      ORDER BY number DESC LIMIT 1) AS lastPrompt,
    (SELECT text FROM events WHERE session_id = s.id AND kind = 'turn-end' AND text <> ''
      ORDER BY at DESC, id DESC LIMIT 1) AS closingWords,
    (SELECT json_group_array(path) FROM (
      SELECT f.path FROM event_files f JOIN events e ON e.id = f.event_id
      WHERE e.session_id = s.id AND e.outcome = 'success' AND f.how = 'write'
      GROUP BY f.path ORDER BY max(e.at) DESC LIMIT 20)) AS changedFiles
  FROM sessions s
  LEFT JOIN project_roots r ON r.id = s.project_id
  LEFT JOIN projects p ON p.id = r.root`;

/** Which ones comes first: a digest is costly, and SQLite would make one of every session before it sorts them. */
export function recentSessions(
  db: Database,
  { projectId, except = '', withPrompt = false, limit }: RecentSessionsQuery,
): SessionDigest[] {
  const inProject = 'AND project_id IN (SELECT id FROM project_roots WHERE root = ?)';
  const asked = `AND EXISTS (
    SELECT 1 FROM prompts WHERE session_id = sessions.id AND origin = 'person' AND is_private = 0)`;
  const rows = db
    .prepare(`${DIGEST} WHERE s.id IN (
      SELECT id FROM sessions
      WHERE agent_session <> ? ${projectId === undefined ? '' : inProject} ${withPrompt ? asked : ''}
      ORDER BY last_seen DESC, id DESC LIMIT ?)
      ORDER BY s.last_seen DESC, s.id DESC`)
    .all(except, ...(projectId === undefined ? [] : [projectId]), limit);
  return rows.map(asDigest);
}

export function findSessions(db: Database, id: string): SessionDigest[] {
  const number = /^s?(\d{1,15})$/.exec(id)?.[1];
  const byNumber = number ? db.prepare(`${DIGEST} WHERE s.id = ?`).all(Number(number)) : [];
  if (byNumber.length) return byNumber.map(asDigest);
  const upTo = `${id}\u{10ffff}`;
  return db
    .prepare(`${DIGEST} WHERE s.agent_session >= ? AND s.agent_session < ?`)
    .all(id, upTo)
    .map(asDigest);
}

function asDigest(row: unknown): SessionDigest {
  const { changedFiles, ...rest } = row as Omit<SessionDigest, 'changedFiles'> & { changedFiles: string };
  return { ...rest, changedFiles: JSON.parse(changedFiles) };
}

export function sessionEvents(
  db: Database,
  sessionId: number,
): { prompts: StoredPrompt[]; events: StoredEvent[] } {
  return {
    prompts: promptRows(db, 'session_id = ?', sessionId),
    events: eventRows(db, 'session_id = ?', [sessionId]),
  };
}

export function promptRows(db: Database, where: string, ...values: number[]): StoredPrompt[] {
  const rows = db
    .prepare(
      `SELECT number, at, text, origin, is_private AS isPrivate FROM prompts WHERE ${where} ORDER BY number`,
    )
    .all(...values) as unknown as (Omit<StoredPrompt, 'isPrivate'> & { isPrivate: number })[];
  return rows.map((prompt) => ({ ...prompt, isPrivate: prompt.isPrivate === 1 }));
}

export function eventRows(
  db: Database,
  where: string,
  values: number[],
  { limit = -1, longestText = Number.POSITIVE_INFINITY }: { limit?: number; longestText?: number } = {},
): StoredEvent[] {
  const rows = db
    .prepare(`
      SELECT id, at, kind, prompt_number AS prompt, tool, does, call_id AS callId, outcome, subagent_type AS subagent,
        priority, duration_ms AS durationMs, input, response, text, spool_name AS spoolName,
        (SELECT json_group_array(json_object('path', path, 'how', how)) FROM event_files
          WHERE event_id = events.id) AS files
      FROM events WHERE ${where} ORDER BY ${limit < 0 ? 'at, id' : 'id'} LIMIT ?`)
    .iterate(...values, limit) as Iterable<EventRow>;
  const events: StoredEvent[] = [];
  for (const event of rows)
    events.push({
      ...event,
      input: parse(event.input, longestText),
      response: parse(event.response, longestText),
      files: JSON.parse(event.files),
    });
  return events;
}

type EventRow = Omit<StoredEvent, 'input' | 'response' | 'files'> & {
  input: string | null;
  response: string | null;
  files: string;
};

function parse(text: string | null, longestText: number): Json {
  if (text === null) return null;
  if (text.length <= longestText) return JSON.parse(text);
  return JSON.parse(text, (_, value) =>
    typeof value === 'string' ? withoutMiddle(value, longestText) : value,
  );
}

function withoutMiddle(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest / 2)}\n…\n${text.slice(-longest / 2)}`;
}

export function hookSightings(db: Database): HookSighting[] {
  const rows = db.prepare('SELECT agent, hook, via, last_at AS lastAt, count FROM hook_sightings').all();
  return rows as unknown as HookSighting[];
}

export function counts(db: Database): StoreCounts {
  const row = db
    .prepare(`
      SELECT (SELECT count(*) FROM projects) AS projects, (SELECT count(*) FROM sessions) AS sessions,
        (SELECT count(*) FROM sessions WHERE ended_at IS NULL) AS openSessions,
        (SELECT count(*) FROM prompts) AS prompts, (SELECT count(*) FROM events) AS events,
        (SELECT count(*) FROM turns) AS turns,
        (SELECT count(*) FROM turns WHERE closed_at IS NULL) AS openTurns,
        (SELECT count(*) FROM jobs WHERE state <> 'dead') AS waitingJobs,
        (SELECT count(*) FROM jobs WHERE state = 'dead') AS deadJobs,
        (SELECT count(*) FROM memories) AS memories`)
    .get() as unknown as Omit<StoreCounts, 'schemaVersion'>;
  return { ...row, schemaVersion: versionOf(db) };
}
