import type { Json } from '../../model/json.ts';
import type { StoredEvent, StoredPrompt } from '../types/event.ts';
import type { HookActivity, RecentSessionsQuery, SessionDigest, StoreCounts } from '../types/session.ts';
import { type Database, versionOf } from './open.ts';
import { requireRow, type WithFlags, type WithJson } from './rows.ts';

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

/** Selects the sessions first: a digest is expensive, and SQLite would build one for every session before sorting. */
export function listRecentSessions(
  db: Database,
  { projectId, except = '', withPrompt = false, limit }: RecentSessionsQuery,
): SessionDigest[] {
  const inProject = 'AND project_id IN (SELECT id FROM project_roots WHERE root = ?)';
  const promptCondition = `AND EXISTS (
    SELECT 1 FROM prompts WHERE session_id = sessions.id AND origin = 'person' AND is_private = 0)`;
  const rows = db
    .prepare<DigestRow>(`${DIGEST} WHERE s.id IN (
      SELECT id FROM sessions
      WHERE agent_session <> ? ${projectId === undefined ? '' : inProject} ${withPrompt ? promptCondition : ''}
      ORDER BY last_seen DESC, id DESC LIMIT ?)
      ORDER BY s.last_seen DESC, s.id DESC`)
    .all(except, ...(projectId === undefined ? [] : [projectId]), limit);
  return rows.map(toDigest);
}

export function findSessions(db: Database, id: string): SessionDigest[] {
  const number = /^s?(\d{1,15})$/.exec(id)?.[1];
  const byNumber = number ? db.prepare<DigestRow>(`${DIGEST} WHERE s.id = ?`).all(Number(number)) : [];
  if (byNumber.length) return byNumber.map(toDigest);
  const upTo = `${id}\u{10ffff}`;
  return db
    .prepare<DigestRow>(`${DIGEST} WHERE s.agent_session >= ? AND s.agent_session < ?`)
    .all(id, upTo)
    .map(toDigest);
}

/** Digests of sessions `s`, unordered. */
export function selectDigests(db: Database, where: string, ...values: (string | number)[]): SessionDigest[] {
  return db
    .prepare<DigestRow>(`${DIGEST} WHERE ${where}`)
    .all(...values)
    .map(toDigest);
}

type DigestRow = WithJson<SessionDigest, 'changedFiles'>;

function toDigest({ changedFiles, ...rest }: DigestRow): SessionDigest {
  return { ...rest, changedFiles: JSON.parse(changedFiles) };
}

export function listSessionEvents(
  db: Database,
  sessionId: number,
): { prompts: StoredPrompt[]; events: StoredEvent[] } {
  return {
    prompts: selectPrompts(db, 'session_id = ?', sessionId),
    events: selectEvents(db, 'session_id = ?', [sessionId]),
  };
}

export function selectPrompts(db: Database, where: string, ...values: number[]): StoredPrompt[] {
  const rows = db
    .prepare<WithFlags<StoredPrompt, 'isPrivate'>>(
      `SELECT number, at, text, origin, is_private AS isPrivate FROM prompts WHERE ${where} ORDER BY number`,
    )
    .all(...values);
  return rows.map((prompt) => ({ ...prompt, isPrivate: prompt.isPrivate === 1 }));
}

export function selectEvents(
  db: Database,
  where: string,
  values: number[],
  { limit = -1, longestText = Number.POSITIVE_INFINITY }: { limit?: number; longestText?: number } = {},
): StoredEvent[] {
  const rows = db
    .prepare<EventRow>(`
      SELECT id, at, kind, prompt_number AS prompt, tool, does, call_id AS callId, outcome, subagent_type AS subagent,
        priority, duration_ms AS durationMs, input, response, text, spool_name AS spoolName,
        (SELECT json_group_array(json_object('path', path, 'how', how)) FROM event_files
          WHERE event_id = events.id) AS files
      FROM events WHERE ${where} ORDER BY ${limit < 0 ? 'at, id' : 'id'} LIMIT ?`)
    .iterate(...values, limit);
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

type EventRow = WithJson<StoredEvent, 'input' | 'response' | 'files'>;

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

export function listHookActivity(db: Database): HookActivity[] {
  const rows = db
    .prepare<HookActivity>('SELECT agent, hook, via, last_at AS lastAt, count FROM hook_sightings')
    .all();
  return rows;
}

export function countEverything(db: Database): StoreCounts {
  const row = requireRow(
    db
      .prepare<Omit<StoreCounts, 'schemaVersion'>>(`
      SELECT (SELECT count(*) FROM projects) AS projects, (SELECT count(*) FROM sessions) AS sessions,
        (SELECT count(*) FROM sessions WHERE ended_at IS NULL) AS openSessions,
        (SELECT count(*) FROM prompts) AS prompts, (SELECT count(*) FROM events) AS events,
        (SELECT count(*) FROM turns) AS turns,
        (SELECT count(*) FROM turns WHERE closed_at IS NULL) AS openTurns,
        (SELECT count(*) FROM jobs WHERE state <> 'dead') AS waitingJobs,
        (SELECT count(*) FROM jobs WHERE state = 'dead') AS deadJobs,
        (SELECT count(*) FROM memories) AS memories`)
      .get(),
  );
  return { ...row, schemaVersion: versionOf(db) };
}
