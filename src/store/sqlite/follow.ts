import type { Json } from '../../model/json.ts';
import type { Redacted } from '../../model/redacted.ts';
import type { ActiveSession, FollowedEvent, WindowUsage } from '../types/work.ts';
import type { Database } from './open.ts';
import { requireRow } from './rows.ts';

/** Captured events that are not yet applied to work items; each is listed until `markFollowed`. */
export function createFollowQueries(db: Database) {
  return {
    /**
     * Prompts and events together, in the order in which they were stored. Input and response are null except for
     * calls of `tools`.
     */
    listEventsToFollow: (query: { tools: string[]; limit: number }): FollowedEvent[] =>
      listEventsToFollow(db, query),
    /** Marks everything up to and including this event as applied. */
    markFollowed({ promptId, eventId }: FollowedEvent): void {
      db.prepare('UPDATE followed SET prompt_id = max(prompt_id, ?), event_id = max(event_id, ?)').run(
        promptId,
        eventId,
      );
    },
    getWindowUsage(agentSession: string): WindowUsage | null {
      const row = db
        .prepare<WindowUsage>(`
          SELECT tokens, window, model, told_at AS warnedAt, at FROM context_fills WHERE agent_session = ?`)
        .get(agentSession);
      return row ? { ...row } : null;
    },
    saveContextFill(
      agentSession: Redacted,
      { tokens, window, model, warnedAt, at }: Redacted<WindowUsage>,
    ): void {
      db.prepare(`
        INSERT INTO context_fills (agent_session, tokens, window, model, told_at, at)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET tokens = excluded.tokens, window = excluded.window, model = excluded.model,
          told_at = excluded.told_at, at = excluded.at
      `).run(agentSession, tokens, window, model, warnedAt, at);
    },
    /** Sessions with an open turn and a transcript, for the meter. */
    listActiveSessions(): ActiveSession[] {
      const rows = db
        .prepare<ActiveSession>(`
          SELECT agent, agent_session AS agentSession, transcript, coalesce(worktree, folder) AS folder FROM sessions
          WHERE ended_at IS NULL AND transcript IS NOT NULL
            AND id IN (SELECT session_id FROM turns WHERE closed_at IS NULL)
          ORDER BY last_seen DESC`)
        .all();
      return rows.map((row) => ({ ...row }));
    },
  };
}

/** Prompts and events have separate numbers, so time decides the order between them. */
function listEventsToFollow(
  db: Database,
  { tools, limit }: { tools: string[]; limit: number },
): FollowedEvent[] {
  const last = requireRow(
    db
      .prepare<{ promptId: number; eventId: number }>(
        'SELECT prompt_id AS promptId, event_id AS eventId FROM followed',
      )
      .get(),
  );
  let { promptId, eventId } = last;
  const prompts = rowsOf<PromptRow>(db, PROMPTS, promptId, limit);
  const events = rowsOf<EventRow>(db, EVENTS, eventId, limit, JSON.stringify(tools));
  const findPlace = createPlaceFinder(db);
  const followed: FollowedEvent[] = [];
  while (followed.length < limit) {
    const [prompt, event] = [prompts[0], events[0]];
    if (prompt && (!event || prompt.at <= event.at)) {
      prompts.shift();
      promptId = prompt.id;
      followed.push(asFollowed({ promptId, eventId }, findPlace(prompt.sessionId), prompt));
    } else if (event) {
      events.shift();
      eventId = event.id;
      followed.push(asFollowed({ promptId, eventId }, findPlace(event.sessionId), event));
    } else break;
  }
  return followed;
}

interface Row {
  id: number;
  sessionId: number;
  at: number;
  permissionMode: string | null;
}

interface PromptRow extends Row, Pick<FollowedEvent, 'text' | 'origin'> {
  what: 'prompt';
}

interface EventRow extends Row, Pick<FollowedEvent, 'kind' | 'tool' | 'outcome' | 'reason'> {
  what: 'event';
  subagent: string | null;
  input: string | null;
  response: string | null;
}

const PROMPTS = `
  SELECT id, 'prompt' AS what, session_id AS sessionId, at, permission_mode AS permissionMode, text, origin
  FROM prompts WHERE id > ?1 ORDER BY id LIMIT ?2`;

const OF_INTEREST = 'CASE WHEN tool IN (SELECT value FROM json_each(?3)) THEN';
const EVENTS = `
  SELECT id, 'event' AS what, session_id AS sessionId, at, permission_mode AS permissionMode, kind, tool, outcome,
    subagent_id AS subagent, ${OF_INTEREST} input END AS input, ${OF_INTEREST} response END AS response,
    coalesce(detail ->> 'source', detail ->> 'reason') AS reason
  FROM events WHERE id > ?1 ORDER BY id LIMIT ?2`;

function rowsOf<T extends Row>(db: Database, sql: string, ...values: (number | string)[]): T[] {
  return db.prepare<T>(sql).all(...values);
}

/** Past events only advance the position. Properties are listed by name for speed: there may be very many events. */
function asFollowed(
  { promptId, eventId }: Pick<FollowedEvent, 'promptId' | 'eventId'>,
  { isPast, agent, agentSession, projectId, branch, worktree, folder }: SessionPlace,
  row: PromptRow | EventRow,
): FollowedEvent {
  const prompt = !isPast && row.what === 'prompt' ? row : null;
  const event = !isPast && row.what === 'event' ? row : null;
  return {
    promptId,
    eventId,
    what: prompt ? 'prompt' : 'event',
    agent,
    agentSession,
    projectId,
    branch,
    worktree,
    folder,
    at: row.at,
    kind: prompt ? 'prompt' : (event?.kind ?? 'past'),
    permissionMode: isPast ? null : row.permissionMode,
    isSubagent: event !== null && event.subagent !== null,
    text: prompt?.text ?? '',
    origin: prompt?.origin ?? 'machine',
    tool: event?.tool ?? null,
    outcome: event?.outcome ?? null,
    input: parsed(event?.input),
    response: parsed(event?.response),
    reason: event?.reason ?? null,
  };
}

function parsed(json: string | null | undefined): Json {
  return json === null || json === undefined ? null : JSON.parse(json);
}

interface SessionPlace
  extends Pick<FollowedEvent, 'agent' | 'agentSession' | 'projectId' | 'branch' | 'worktree' | 'folder'> {
  isPast: number;
}

/** The place of a session. `isPast` if no hook has seen it: an import must not reopen work items. */
function createPlaceFinder(db: Database): (sessionId: number) => SessionPlace {
  const find = db.prepare<SessionPlace>(`
    SELECT s.agent, s.agent_session AS agentSession, r.root AS projectId, s.branch, s.worktree, s.folder,
      NOT EXISTS (SELECT 1 FROM events WHERE session_id = s.id AND via <> 'transcript') AND NOT EXISTS (
        SELECT 1 FROM prompts WHERE session_id = s.id AND via <> 'transcript'
          AND spool_name IN (SELECT name FROM spool_files)) AS isPast
    FROM sessions s LEFT JOIN project_roots r ON r.id = s.project_id WHERE s.id = ?`);
  const known = new Map<number, SessionPlace>();
  return (sessionId) => {
    const place = known.get(sessionId) ?? requireRow(find.get(sessionId));
    known.set(sessionId, place);
    return place;
  };
}
