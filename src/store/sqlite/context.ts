import type { Redacted } from '../../model/redacted.ts';
import type {
  BranchMemories,
  Candidate,
  CandidateQuery,
  TeamShare,
  UndistilledTurn,
} from '../types/context.ts';
import type { Injection, NewGivenContext } from '../types/injection.ts';
import type { StoredMemory } from '../types/memory.ts';
import { addGivenContext } from './given-contexts.ts';
import { selectMemories } from './memories.ts';
import { type Database, inTransaction } from './open.ts';
import type { IdRow, WithJson } from './rows.ts';

const CANDIDATE = `
  SELECT m.id, m.kind, m.type, m.strength, m.branch, m.merged_at AS mergedAt, m.pinned_at AS pinnedAt,
    m.said_by AS saidBy, m.scope, m.session_id AS sessionId, m.at FROM memories m`;

/** SQLite uses a partial index only if the query repeats its condition exactly. */
const IS_STANDING = "superseded_by IS NULL AND (pinned_at IS NOT NULL OR type = 'preference')";
const IS_GLOBAL = "superseded_by IS NULL AND scope = 'global'";
const IS_TELLING = `superseded_by IS NULL
    AND (kind = 'note' OR type IN ('preference', 'decision', 'bugfix', 'gotcha', 'how-it-works'))`;

const OF_COLLEAGUE = `EXISTS (
  SELECT 1 FROM team_items t
  WHERE t.what = 'memory' AND t.row_id = m.id AND t.author <> (SELECT member FROM team))`;
const IS_WELCOME: Record<TeamShare, string> = {
  all: 'TRUE',
  notes: `(m.kind = 'note' OR NOT ${OF_COLLEAGUE})`,
  off: `NOT ${OF_COLLEAGUE}`,
};

/** Limits for the list of files: many memories are about the same few files, and search finds the older ones. */
const FILE_MEMORIES_READ = { perFile: 4, most: 600 };
const BRANCHES_READ = 500;
/** Other projects have files with the same path (README.md), so this many times more memories are read than needed. */
const SHARED_PATHS = 3;
/** Expected summaries per session: usually few, or so many that some sessions are missed. */
const CHECKPOINTS_OF_A_SESSION = { usual: 2, most: 10 };

/** Queries while an agent waits: small rows to choose from, full memories only for the chosen. */
export function createContextQueries(db: Database) {
  return {
    /** Observations and notes that are not superseded, latest first. */
    listCandidates: (query: CandidateQuery): Candidate[] => listCandidates(db, query),
    getMemories: (ids: number[]): StoredMemory[] =>
      byId(
        db,
        ids.map((id) => ({ id })),
      ),
    /** The last summary of each of the latest sessions, latest first, without those of colleagues. */
    listLastSummaries({ projectId, limit }: { projectId: number; limit: number }): StoredMemory[] {
      const lasts = ofProject(db, projectId, limit, (id) => {
        const { usual, most } = CHECKPOINTS_OF_A_SESSION;
        const found = lastOfSessions(db, id, limit * usual);
        return found.length < limit ? lastOfSessions(db, id, limit * most) : found;
      });
      return byId(db, lasts);
    },
    /** A session's own memories, latest first. */
    listSessionMemories(agentSession: string, limit: number): StoredMemory[] {
      const rows = db
        .prepare<IdRow>(`
          SELECT id FROM memories WHERE session_id IN (SELECT id FROM sessions WHERE agent_session = ?)
            AND superseded_by IS NULL ORDER BY at DESC, id DESC LIMIT ?`)
        .all(agentSession, limit);
      return byId(db, rows);
    },
    /** Memories to give before this file is read, latest first. */
    listFileMemories({
      projectId,
      path,
      limit,
      team,
    }: {
      projectId: number;
      path: string;
      limit: number;
      team: TeamShare;
    }): StoredMemory[] {
      const rows = db
        .prepare<IdRow>(`
          SELECT DISTINCT m.id, m.at FROM memory_files f JOIN memories m ON m.id = f.memory_id
          WHERE f.path = ? AND m.project_id IN (SELECT id FROM project_roots WHERE root = ?) AND ${IS_TELLING}
            AND ${IS_WELCOME[team]}
          ORDER BY m.at DESC, m.id DESC LIMIT ?`)
        .all(path, projectId, limit);
      return byId(db, rows);
    },
    /** Whether agents may be given this memory without asking. */
    isWelcome: (id: number, team: TeamShare): boolean =>
      team === 'all' ||
      db.prepare(`SELECT 1 FROM memories m WHERE m.id = ? AND ${IS_WELCOME[team]}`).get(id) !== undefined,
    /** The files that have memories to give, newest first. */
    listNotableFiles({
      projectId,
      unknownTo,
      limit,
    }: {
      projectId: number;
      unknownTo: { agentSession: string; since: number };
      limit: number;
    }): string[] {
      const known = JSON.stringify([...findKnownMemories(db, unknownTo.agentSession, unknownTo.since)]);
      const readLimit = Math.min(limit * FILE_MEMORIES_READ.perFile, FILE_MEMORIES_READ.most);
      const rows = ofProject(db, projectId, limit, (id) =>
        db
          .prepare<{ path: string; at: number }>(`
            SELECT f.path, max(m.at) AS at FROM (
              SELECT id, at FROM memories WHERE project_id = ? AND ${IS_TELLING} ORDER BY at DESC LIMIT ?) m
            JOIN memory_files f ON f.memory_id = m.id
            WHERE m.id NOT IN (SELECT value FROM json_each(?)) GROUP BY f.path ORDER BY at DESC LIMIT ?`)
          .all(id, readLimit, known, limit),
      );
      return [...new Set(rows.map(({ path }) => path))];
    },
    /** Memories that the session was given in full since then, and those made from the session itself. */
    findKnownMemories: (agentSession: string, since: number): Set<number> =>
      findKnownMemories(db, agentSession, since),
    /** The claims that a session has been given since then, by memory. */
    findKnownClaims(agentSession: string, since: number): Map<number, Set<number>> {
      const rows = db
        .prepare<{ id: number; position: number }>(`
          SELECT memory_id AS id, claim.value AS position FROM injections, json_each(injections.claims) claim
          WHERE agent_session = ? AND at >= ? AND claims IS NOT NULL`)
        .all(agentSession, since);
      const known = new Map<number, Set<number>>();
      for (const { id, position } of rows) known.set(id, (known.get(id) ?? new Set()).add(position));
      return known;
    },
    /** When a session was last seen, and when its context was last compacted away. */
    getSessionTimes(agentSession: string): { lastSeen: number; compactedAt: number } | null {
      const row = db
        .prepare<{ lastSeen: number; compactedAt: number }>(`
          SELECT s.last_seen AS lastSeen, coalesce((
            SELECT max(at) FROM events WHERE session_id = s.id AND kind = 'compact-start'), 0) AS compactedAt
          FROM sessions s WHERE s.agent_session = ? ORDER BY s.id DESC LIMIT 1`)
        .get(agentSession);
      return row ? { ...row } : null;
    },
    /** When an open session was last seen; null for any other. */
    openSessionLastSeen(agent: string, agentSession: string): number | null {
      const row = db
        .prepare<{ lastSeen: number }>(`
          SELECT last_seen AS lastSeen FROM sessions s WHERE agent = ? AND agent_session = ? AND (
            ended_at IS NULL OR EXISTS (SELECT 1 FROM turns WHERE session_id = s.id AND closed_at IS NULL))`)
        .get(agent, agentSession);
      return row?.lastSeen ?? null;
    },
    /** The request and files of the last undistilled turn of another session. */
    lastUndistilledTurn(projectId: number, { except }: { except: string }): UndistilledTurn | null {
      const row = db
        .prepare<WithJson<UndistilledTurn, 'changedFiles'>>(`
          SELECT t.last_at AS at, s.branch,
            coalesce((SELECT text FROM prompts WHERE session_id = s.id AND number = t.prompt_number
              AND origin = 'person' AND is_private = 0), '') AS request,
            (SELECT json_group_array(path) FROM (
              SELECT f.path FROM event_files f JOIN events e ON e.id = f.event_id
              WHERE e.turn_id = t.id AND e.outcome = 'success' AND f.how = 'write'
              GROUP BY f.path ORDER BY max(e.at) DESC LIMIT 5)) AS changedFiles
          FROM jobs j JOIN turns t ON t.id = j.turn_id JOIN sessions s ON s.id = t.session_id
          WHERE j.kind = 'distil' AND j.state <> 'dead' AND j.priority <> 'low' AND t.distilled_at IS NULL
            AND s.agent_session <> ? AND s.project_id IN (SELECT id FROM project_roots WHERE root = ?)
          ORDER BY t.last_at DESC LIMIT 1`)
        .get(except, projectId);
      return row ? { ...row, changedFiles: JSON.parse(row.changedFiles) } : null;
    },
    /**
     * Records memories about to be given, except those that this session received since then in any way. `describe`
     * makes the context that is stored with them. @returns what was recorded.
     */
    recordNewInjections: (
      injections: Redacted<Injection>[],
      since: number,
      describe?: (recorded: Injection[]) => Redacted<NewGivenContext> | null,
    ): Injection[] => recordNewInjections(db, injections, since, describe),
    /** Memories that apply to one branch only, grouped by branch and commit. Those of a main branch apply everywhere. */
    listBranchMemories(mainBranches: { place: string; branch: string }[]): BranchMemories[] {
      const rows = db
        .prepare<BranchMemories>(`
          SELECT p.path AS place, m.branch, m.commit_id AS "commit", coalesce(min(s.first_seen), min(m.at)) AS sessionBegan
          FROM memories m JOIN project_places p ON p.project_id = m.project_id
          LEFT JOIN sessions s ON s.id = m.session_id
          JOIN json_each(?) main ON main.value ->> 'place' = p.path
          WHERE m.merged_at IS NULL AND m.branch <> main.value ->> 'branch' AND m.commit_id IS NOT NULL
          GROUP BY p.path, m.branch, m.commit_id ORDER BY max(m.at) DESC LIMIT ?`)
        .all(JSON.stringify(mainBranches), BRANCHES_READ);
      return rows;
    },
    /** Makes the memories of a merged commit apply everywhere. @returns how many. */
    markMerged(
      { place, branch, commit }: Pick<BranchMemories, 'place' | 'branch' | 'commit'>,
      at: number,
    ): number {
      const result = db
        .prepare(`
          UPDATE memories SET merged_at = ? WHERE merged_at IS NULL AND branch = ? AND commit_id = ?
            AND project_id = (SELECT project_id FROM project_places WHERE path = ?)`)
        .run(at, branch, commit, place);
      return Number(result.changes);
    },
  };
}

/** No index covers summaries: finding the next one reads all memories in between. */
function lastOfSessions(db: Database, projectId: number, summaries: number): { id: number; at: number }[] {
  return db
    .prepare<{ id: number; at: number }>(`
      SELECT max(id) AS id, max(at) AS at FROM (
        SELECT id, session_id, at FROM memories m
        WHERE project_id = ? AND kind = 'summary' AND superseded_by IS NULL AND NOT ${OF_COLLEAGUE}
        ORDER BY at DESC LIMIT ?)
      GROUP BY coalesce(session_id, -id)`)
    .all(projectId, summaries);
}

function recordNewInjections(
  db: Database,
  injections: Injection[],
  since: number,
  describe: (recorded: Injection[]) => NewGivenContext | null = () => null,
): Injection[] {
  return inTransaction(db, () => {
    const add = db.prepare(`
      INSERT INTO injections (agent, agent_session, door, memory_id, tokens, reason, claims, at)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE NOT EXISTS (
        SELECT 1 FROM injections WHERE agent_session = ?2 AND memory_id = ?4 AND at >= ?9
          AND (claims IS NULL OR claims = ?7))`);
    const recorded = injections.filter(
      ({ agent, agentSession, source, memoryId, tokens, reason, claims, at }) =>
        add.run(
          agent,
          agentSession,
          source,
          memoryId,
          tokens,
          reason,
          claims ? JSON.stringify(claims) : null,
          at,
          since,
        ).changes > 0,
    );
    const context = describe(recorded);
    if (context) addGivenContext(db, context);
    return recorded;
  });
}

function findKnownMemories(db: Database, agentSession: string, since: number): Set<number> {
  const rows = db
    .prepare<IdRow>(`
      SELECT memory_id AS id FROM injections WHERE agent_session = ?1 AND at >= ?2 AND claims IS NULL
      UNION SELECT id FROM memories
        WHERE session_id IN (SELECT id FROM sessions WHERE agent_session = ?1) AND at >= ?2`)
    .all(agentSession, since);
  return new Set(rows.map(({ id }) => id));
}

function listCandidates(db: Database, query: CandidateQuery): Candidate[] {
  const { projectId, limit, team } = query;
  const some = (where: string, ...values: (string | number)[]) =>
    ofProject(db, projectId, limit, (id) =>
      db
        .prepare<Candidate>(
          `${CANDIDATE} WHERE m.project_id = ? AND ${where} AND ${IS_WELCOME[team]} ORDER BY m.at DESC LIMIT ?`,
        )
        .all(id, ...values, limit),
    );
  const isCandidate = "m.superseded_by IS NULL AND m.kind <> 'summary'";
  switch (query.which) {
    case 'recent':
      return some(isCandidate);
    case 'branch':
      return some(`m.branch = ? AND ${isCandidate}`, query.branch);
    case 'standing': {
      const everywhere = db
        .prepare<Candidate>(
          `${CANDIDATE} WHERE ${IS_GLOBAL} AND ${IS_WELCOME[team]} ORDER BY m.at DESC LIMIT ?`,
        )
        .all(limit);
      const own = some(`${IS_STANDING} AND kind <> 'summary'`);
      const global = everywhere.filter(({ id }) => !own.some((known) => known.id === id));
      return [...own, ...global];
    }
    case 'files':
      return db
        .prepare<Candidate>(`
            ${CANDIDATE} WHERE ${isCandidate} AND ${IS_WELCOME[team]} AND m.project_id IN (SELECT id FROM project_roots WHERE root = ?)
              AND m.id IN (SELECT memory_id FROM memory_files WHERE path IN (SELECT value FROM json_each(?))
                ORDER BY memory_id DESC LIMIT ?)
            ORDER BY m.at DESC LIMIT ?`)
        .all(projectId, JSON.stringify(query.files), limit * SHARED_PATHS, limit);
  }
}

/** One query per project: an index in order of time serves only one project. */
function ofProject<T extends { at: number }>(
  db: Database,
  projectId: number,
  limit: number,
  ask: (id: number) => T[],
): T[] {
  const members = db.prepare<IdRow>('SELECT id FROM project_roots WHERE root = ?').all(projectId);
  const rows = members.flatMap(({ id }) => ask(id));
  return rows.sort((a, b) => b.at - a.at).slice(0, limit);
}

function byId(db: Database, rows: { id: number }[]): StoredMemory[] {
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const memories = selectMemories(db, 'm.id IN (SELECT value FROM json_each(?))', ids);
  return memories.sort((a, b) => b.at - a.at || b.id - a.id);
}
