import type { Json } from '../../model/json.ts';
import type { HookSighting, SessionDigest, StoreCounts, StoredEvent, StoredPrompt } from '../store.ts';
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

export function recentSessions(
  db: Database,
  { projectId, except, limit }: { projectId?: number; except?: string; limit: number },
): SessionDigest[] {
  const rows = db
    .prepare(
      `${DIGEST} WHERE (? IS NULL OR r.root = ?) AND s.agent_session <> ? ORDER BY s.last_seen DESC, s.id DESC LIMIT ?`,
    )
    .all(projectId ?? null, projectId ?? null, except ?? '', limit);
  return rows.map(asDigest);
}

export function findSessions(db: Database, id: string): SessionDigest[] {
  const number = /^#?(\d{1,15})$/.exec(id)?.[1];
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
  const prompts = db
    .prepare(
      'SELECT number, at, text, origin, is_private AS isPrivate FROM prompts WHERE session_id = ? ORDER BY number',
    )
    .all(sessionId) as unknown as (Omit<StoredPrompt, 'isPrivate'> & { isPrivate: number })[];
  const events = db
    .prepare(`
      SELECT id, at, kind, prompt_number AS prompt, tool, call_id AS callId, outcome, subagent_type AS subagent,
        priority, duration_ms AS durationMs, input, response, text, spool_name AS spoolName,
        (SELECT json_group_array(json_object('path', path, 'how', how)) FROM event_files
          WHERE event_id = events.id) AS files
      FROM events WHERE session_id = ? ORDER BY at, id`)
    .all(sessionId) as unknown as EventRow[];
  return {
    prompts: prompts.map((prompt) => ({ ...prompt, isPrivate: prompt.isPrivate === 1 })),
    events: events.map((event) => ({
      ...event,
      input: parse(event.input),
      response: parse(event.response),
      files: JSON.parse(event.files),
    })),
  };
}

type EventRow = Omit<StoredEvent, 'input' | 'response' | 'files'> & {
  input: string | null;
  response: string | null;
  files: string;
};

function parse(text: string | null): Json {
  return text === null ? null : JSON.parse(text);
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
        (SELECT count(*) FROM jobs WHERE state = 'waiting') AS waitingJobs`)
    .get() as unknown as Omit<StoreCounts, 'schemaVersion'>;
  return { ...row, schemaVersion: versionOf(db) };
}
