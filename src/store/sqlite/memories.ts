import type { Observation, ObservationType, Summary } from '../../model/memory.ts';
import type { Redacted } from '../../model/redacted.ts';
import type { StoredEvent } from '../types/event.ts';
import type { Job } from '../types/job.ts';
import type {
  CorrectedMemory,
  DistilledTurn,
  FilePin,
  MemoryKind,
  MemoryStats,
  MemoryTexts,
  ModelCall,
  NoteEvidence,
  StoredMemory,
  StoredTurn,
  TurnNote,
} from '../types/memory.ts';
import { readForgottenOfTurn, type TurnForgotten } from './forgotten.ts';
import { findHandEdited } from './hand-edited.ts';
import { countTextTokens, cutTexts } from './memory-texts.ts';
import { type Database, inTransaction } from './open.ts';
import { addJob, finishJob } from './queue.ts';
import { emptyOldEvents } from './retention.ts';
import { countRows, type IdRow, requireRow, type WithJson } from './rows.ts';
import { selectEvents } from './sessions.ts';
import { collectStats } from './stats.ts';
import { closeSilentTurns, listTurnEvents, readStoredTurn } from './stored-turns.ts';

/** The colleague who made it; null for what this member made, on any machine. */
const AUTHOR = `(
  SELECT nullif(t.author, (SELECT member FROM team)) FROM team_items t WHERE t.what = 'memory' AND t.row_id = m.id)`;

const MEMORY = `
  SELECT m.id, m.kind, m.type, m.title, m.subtitle, m.narrative, m.facts, m.concepts, m.parts, m.tokens, m.strength,
    m.superseded_by AS supersededBy, m.turn_id AS turnId, m.session_id AS sessionId,
    coalesce(p.alias, p.name) AS project, m.prompt_number AS prompt, m.branch, m.commit_id AS "commit", m.distiller, m.at,
    r.root AS projectId, m.scope, m.said_by AS saidBy, m.aliases, m.pinned_at AS pinnedAt, m.edited_at AS editedAt,
    m.merged_at AS mergedAt, m.origin, ${AUTHOR} AS author,
    (SELECT json_group_array(json_object('path', path, 'hash', hash, 'symbols', json(symbols)))
      FROM memory_files WHERE memory_id = m.id AND hash IS NOT NULL) AS pins,
    (SELECT json_group_array(path) FROM memory_files WHERE memory_id = m.id AND how = 'read') AS filesRead,
    (SELECT json_group_array(path) FROM memory_files WHERE memory_id = m.id AND how = 'write') AS filesModified
  FROM memories m
  LEFT JOIN project_roots r ON r.id = m.project_id
  LEFT JOIN projects p ON p.id = r.root`;

/** Captured turns and the memories distilled from them. */
export function createMemoryQueries(db: Database) {
  return {
    readTurn: (turnId: number): StoredTurn | null => readStoredTurn(db, turnId),
    listTurnIds(sessionId: number): number[] {
      const rows = db.prepare<IdRow>('SELECT id FROM turns WHERE session_id = ? ORDER BY id').all(sessionId);
      return rows.map(({ id }) => id);
    },
    /** The next turns of the same session that are distilled already. */
    listDistilledAfter(turnId: number, limit: number): number[] {
      const rows = db
        .prepare<IdRow>(`
          SELECT later.id FROM turns t JOIN turns later ON later.session_id = t.session_id AND later.id > t.id
          WHERE t.id = ? AND later.distilled_at IS NOT NULL ORDER BY later.id LIMIT ?`)
        .all(turnId, limit);
      return rows.map(({ id }) => id);
    },
    /** In order, a piece at a time; long texts only with their beginning and end. */
    listTurnEvents: (turnId: number, afterEvent: number, limit: number): StoredEvent[] =>
      listTurnEvents(db, turnId, afterEvent, limit),
    /** Observations and summaries of earlier turns of the same session, oldest first, unless replaced or edited by hand. */
    listEarlierMemories: (turnId: number): StoredMemory[] =>
      selectMemories(
        db,
        `m.kind <> 'note' AND m.superseded_by IS NULL AND m.edited_at IS NULL AND m.turn_id < ?1
          AND m.session_id = (SELECT session_id FROM turns WHERE id = ?1) ORDER BY m.turn_id, m.id`,
        turnId,
      ),
    /** The agent's id of the last call of a turn's own agent; null without any. */
    findLastCallId(turnId: number): string | null {
      const row = db
        .prepare<{ callId: string }>(`
          SELECT call_id AS callId FROM events
          WHERE turn_id = ? AND kind = 'tool-end' AND call_id IS NOT NULL AND subagent_id IS NULL
          ORDER BY id DESC LIMIT 1`)
        .get(turnId);
      return row?.callId ?? null;
    },
    /**
     * Closes turns without an end that have been silent since then; also those last seen in the future, after a clock
     * was set back. @returns how many were closed.
     */
    closeSilentTurns: (silentSince: number, notBeyond?: number): number =>
      inTransaction(db, () => closeSilentTurns(db, silentSince, notBeyond)),
    countOpenTurns(): number {
      return countRows(db, 'turns WHERE closed_at IS NULL');
    },
    /**
     * Memories that a new observation could be the same as: of the same project and type, not superseded, about
     * one of the same files if it is about files at all; the latest hundred.
     */
    findSimilarMemories(turnId: number, type: ObservationType, files: string[]): StoredMemory[] {
      const sharesFile = `AND m.id IN (
        SELECT memory_id FROM memory_files WHERE path IN (SELECT value FROM json_each(?)))`;
      const rows = db
        .prepare<MemoryRow>(`
          ${MEMORY} JOIN turns t ON t.id = ? JOIN sessions s ON s.id = t.session_id
          JOIN project_roots own ON own.id = s.project_id
          WHERE m.kind = 'observation' AND m.type = ? AND r.root = own.root AND m.superseded_by IS NULL
            AND m.turn_id <> t.id ${files.length > 0 ? sharesFile : ''}
          ORDER BY m.at DESC LIMIT 100`)
        .all(turnId, type, ...(files.length > 0 ? [JSON.stringify(files)] : []));
      return rows.map(toMemory);
    },
    /** Notes that the agent saved during the turn, also those saved before the session or the turn was known. */
    listTurnNotes(turnId: number): TurnNote[] {
      const rows = db
        .prepare<TurnNote>(`
          SELECT m.id, m.title, m.narrative FROM turns t
          JOIN sessions s ON s.id = t.session_id
          JOIN project_roots own ON own.id = s.project_id
          JOIN project_roots r ON r.root = own.root
          JOIN memories m ON m.project_id = r.id AND m.at BETWEEN t.opened_at AND t.last_at
          WHERE t.id = ? AND m.kind = 'note' AND m.said_by = 'agent' AND m.superseded_by IS NULL
            AND coalesce(m.session_id, s.id) = s.id
          ORDER BY m.id`)
        .all(turnId);
      return rows.map((row) => ({ ...row }));
    },
    /**
     * Replaces the turn's memories, keeps their ids, and finishes the job, in one transaction. @returns false if the
     * job changed meanwhile: then nothing was done.
     */
    saveDistilled: (job: Job, distilled: Redacted<DistilledTurn>, now: number): boolean =>
      inTransaction(db, () => saveDistilled(db, job, distilled, now)),
    /** The memories that these replaced. */
    listReplaced(ids: number[]): { id: number; by: number }[] {
      return db
        .prepare<{ id: number; by: number }>(`
          SELECT id, superseded_by AS by FROM memories
          WHERE superseded_by IN (SELECT value FROM json_each(?)) ORDER BY id`)
        .all(JSON.stringify(ids))
        .map(({ id, by }) => ({ id, by }));
    },
    listRecentMemories({
      projectId,
      kind,
      limit,
    }: {
      projectId?: number;
      kind?: MemoryKind;
      limit: number;
    }): StoredMemory[] {
      const rows = db
        .prepare<MemoryRow>(`
          ${MEMORY} WHERE (? IS NULL OR r.root = ?) AND (? IS NULL OR m.kind = ?)
          ORDER BY m.at DESC, m.id DESC LIMIT ?`)
        .all(projectId ?? null, projectId ?? null, kind ?? null, kind ?? null, limit);
      return rows.map(toMemory);
    },
    getMemory(id: number): StoredMemory | null {
      const row = db.prepare<MemoryRow>(`${MEMORY} WHERE m.id = ?`).get(id);
      return row ? toMemory(row) : null;
    },
    listMemoryEvents: (id: number): StoredEvent[] =>
      selectEvents(db, 'id IN (SELECT event_id FROM memory_events WHERE memory_id = ?)', [id]),
    /** Raw events older than this, or more than fit, lose their content; their keys stay. @returns how many. */
    emptyOldEvents: (limits: { before: number; maxBytes: number }): number => emptyOldEvents(db, limits),
    collectStats: (): MemoryStats => collectStats(db),
    recordModelCall({ at, provider, model, turnId, tokensIn, tokensOut, error }: Redacted<ModelCall>): void {
      db.prepare(`
        INSERT INTO model_calls (at, provider, model, turn_id, tokens_in, tokens_out, error)
        VALUES (?, ?, ?, ?, ?, ?, ?)`).run(at, provider, model, turnId, tokensIn, tokensOut, error);
    },
    countModelCalls(at: number): { calls: number; tokens: number } {
      const row = db
        .prepare<{ calls: number; tokens: number }>(
          'SELECT count(*) AS calls, coalesce(sum(tokens_in + tokens_out), 0) AS tokens FROM model_calls WHERE at >= ?',
        )
        .get(at);
      return { ...requireRow(row) };
    },
  };
}

/** Full memories `m`, unordered. */
export function selectMemories(db: Database, where: string, ...values: (string | number)[]): StoredMemory[] {
  return db
    .prepare<MemoryRow>(`${MEMORY} WHERE ${where}`)
    .all(...values)
    .map(toMemory);
}

function saveDistilled(db: Database, job: Job, distilled: DistilledTurn, now: number): boolean {
  const current = db.prepare<{ generation: number }>('SELECT generation FROM jobs WHERE id = ?').get(job.id);
  if (current?.generation !== job.generation) return false;
  const place = requireRow(
    db
      .prepare<TurnPlace>(`
      SELECT t.id AS turn, t.session_id AS session, t.prompt_number AS prompt, t.last_at AS at, s.project_id AS project,
        s.branch FROM turns t JOIN sessions s ON s.id = t.session_id WHERE t.id = ?`)
      .get(job.turnId),
  );

  const forgotten = readForgottenOfTurn(db, job.turnId);
  if (forgotten?.isWhole) {
    finishJob(db, job);
    return true;
  }
  const kept = findHandEdited(db, job.turnId);
  const observations = distilled.observations.flatMap((made) => {
    if (kept.isTwin(made) || forgotten?.wasReplaced(made.title) || forgotten?.isMadeFrom(made.events))
      return [];
    const left = forgotten ? withoutForgotten({ ...made, parts: null }, forgotten) : made;
    return left ? [left] : [];
  });
  const fresh = observations.filter(({ same }) => same === undefined);
  const oldIds = idsOf(db, job.turnId, 'observation').filter((id) => !kept.ids.has(id));
  const saved: number[] = [];
  for (const [index, observation] of fresh.entries()) {
    const id = put(
      db,
      oldIds[index],
      place,
      distilled,
      { kind: 'observation', ...observation, parts: null },
      now,
    );
    saved.push(id);
    if (observation.supersedes)
      db.prepare('UPDATE memories SET superseded_by = ? WHERE id = ? AND id <> ?').run(
        id,
        observation.supersedes,
        id,
      );
  }
  for (const each of distilled.corrected ?? []) correct(db, each, saved[0], now);
  for (const id of oldIds.slice(fresh.length)) remove(db, id);
  for (const { same } of observations) if (same !== undefined) strengthen(db, same, job.turnId, now);
  for (const evidence of distilled.notes ?? []) addEvidence(db, evidence, place, now);

  const [oldSummary] = idsOf(db, job.turnId, 'summary');
  const made = distilled.summary && asRow(distilled.summary);
  const summary = made && forgotten ? withoutForgotten(made, forgotten) : made;
  if (oldSummary === undefined || !kept.ids.has(oldSummary)) {
    if (summary) put(db, oldSummary, place, distilled, summary, now);
    else if (oldSummary !== undefined) remove(db, oldSummary);
  }

  db.prepare('UPDATE turns SET distilled_at = ?, distiller = ? WHERE id = ?').run(
    now,
    distilled.distiller,
    job.turnId,
  );
  finishJob(db, job);
  // A model would word forgotten text differently.
  if (distilled.next && !forgotten?.isAny) addJob(db, distilled.next, job.turnId, job.priority, now);
  return true;
}

interface TurnPlace {
  turn: number;
  session: number;
  prompt: number | null;
  at: number;
  project: number | null;
  branch: string | null;
}

type Row = Omit<Observation, 'type'> & {
  kind: string;
  type: string | null;
  tokens: number;
  parts: Summary | null;
  pins?: FilePin[];
};

function asRow(summary: NonNullable<DistilledTurn['summary']>): Row {
  const { tokens, title, ...parts } = summary;
  return {
    kind: 'summary',
    type: null,
    title,
    subtitle: '',
    narrative: '',
    facts: [],
    concepts: [],
    filesRead: parts.filesRead,
    filesModified: parts.filesModified,
    events: [],
    tokens,
    parts,
  };
}

function withoutForgotten<T extends MemoryTexts & { tokens: number }>(
  made: T,
  forgotten: TurnForgotten,
): T | null {
  const { left, gone } = cutTexts(made, forgotten.isForgotten);
  return left && gone > 0 ? { ...left, tokens: countTextTokens(left) } : left;
}

/** Under the old id, if there is one: it may have been quoted. */
function put(
  db: Database,
  oldId: number | undefined,
  place: TurnPlace,
  from: DistilledTurn,
  row: Row,
  now: number,
): number {
  const { id } = requireRow(
    db
      .prepare<IdRow>(`
      INSERT INTO memories (id, kind, type, title, subtitle, narrative, facts, concepts, parts, tokens, turn_id,
        session_id, project_id, prompt_number, branch, commit_id, distiller, at, changed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET type = excluded.type, title = excluded.title, subtitle = excluded.subtitle,
        narrative = excluded.narrative, facts = excluded.facts, concepts = excluded.concepts, parts = excluded.parts,
        tokens = excluded.tokens, distiller = excluded.distiller, at = excluded.at, changed_at = excluded.changed_at
      RETURNING id`)
      .get(
        oldId ?? null,
        row.kind,
        row.type,
        row.title,
        row.subtitle,
        row.narrative,
        JSON.stringify(row.facts),
        JSON.stringify(row.concepts),
        row.parts && JSON.stringify(row.parts),
        row.tokens,
        place.turn,
        place.session,
        place.project,
        place.prompt,
        place.branch,
        from.commit ?? null,
        from.distiller,
        place.at,
        now,
      ),
  );
  db.prepare('DELETE FROM memory_files WHERE memory_id = ?').run(id);
  db.prepare('DELETE FROM memory_events WHERE memory_id = ?').run(id);
  addSources(db, id, row);
  return id;
}

type Sources = Pick<Row, 'filesRead' | 'filesModified' | 'pins' | 'events'>;

function addSources(
  db: Database,
  id: number,
  { filesRead, filesModified, pins = [], events }: Sources,
): void {
  const addFile = db.prepare(
    'INSERT OR IGNORE INTO memory_files (memory_id, path, how, hash, symbols) VALUES (?, ?, ?, ?, ?)',
  );
  const pinOf = new Map(pins.map((pin) => [pin.path, pin]));
  for (const [how, paths] of [
    ['read', filesRead],
    ['write', filesModified],
  ] as const)
    for (const path of paths) {
      const pin = pinOf.get(path);
      addFile.run(id, path, how, pin?.hash ?? null, JSON.stringify(pin?.symbols ?? []));
    }
  const addEvent = db.prepare('INSERT OR IGNORE INTO memory_events (memory_id, event_id) VALUES (?, ?)');
  for (const event of events) addEvent.run(id, event);
}

/** A type that the agent gave stays, and so do the files it named. */
function addEvidence(
  db: Database,
  { note, type, ...sources }: NoteEvidence,
  scene: TurnPlace,
  now: number,
): void {
  const changed = db
    .prepare(`
      UPDATE memories SET type = coalesce(type, ?), turn_id = ?, session_id = ?, prompt_number = ?, changed_at = ?
      WHERE id = ? AND kind = 'note'`)
    .run(type, scene.turn, scene.session, scene.prompt, now, note);
  if (changed.changes) addSources(db, note, sources);
}

/** What a person edited or pinned stays as it is. */
function correct(
  db: Database,
  { memory, left }: CorrectedMemory,
  successor: number | undefined,
  now: number,
): void {
  const isFree =
    countRows(db, 'memories WHERE id = ? AND edited_at IS NULL AND pinned_at IS NULL', memory) > 0;
  if (!isFree) return;
  if (left)
    db.prepare(`
      UPDATE memories SET title = ?, subtitle = ?, narrative = ?, facts = ?, parts = ?, tokens = ?, changed_at = ?
      WHERE id = ?`).run(
      left.title,
      left.subtitle,
      left.narrative,
      JSON.stringify(left.facts),
      left.parts && JSON.stringify(left.parts),
      countTextTokens(left),
      now,
      memory,
    );
  else if (successor === undefined) remove(db, memory);
  else db.prepare('UPDATE memories SET superseded_by = ? WHERE id = ?').run(successor, memory);
}

/** Once per turn in which it was repeated, however often the turn is distilled. */
function strengthen(db: Database, id: number, turn: number, now: number): void {
  const met = db
    .prepare('INSERT OR IGNORE INTO memory_turns (memory_id, turn_id) VALUES (?, ?)')
    .run(id, turn);
  if (met.changes)
    db.prepare('UPDATE memories SET strength = strength + 1, changed_at = ? WHERE id = ?').run(now, id);
}

function remove(db: Database, id: number): void {
  db.prepare('UPDATE memories SET superseded_by = NULL WHERE superseded_by = ?').run(id);
  db.prepare('DELETE FROM memories WHERE id = ?').run(id);
}

function idsOf(db: Database, turn: number, kind: string): number[] {
  const rows = db
    .prepare<IdRow>('SELECT id FROM memories WHERE turn_id = ? AND kind = ? ORDER BY id')
    .all(turn, kind);
  return rows.map(({ id }) => id);
}

type JsonColumn = 'facts' | 'concepts' | 'parts' | 'filesRead' | 'filesModified' | 'aliases' | 'pins';
type MemoryRow = WithJson<StoredMemory, JsonColumn>;

/** In the row itself: a start reads sixty, and to copy their columns takes it a millisecond. */
function toMemory(stored: MemoryRow): StoredMemory {
  return Object.assign(stored as Omit<StoredMemory, JsonColumn>, {
    facts: JSON.parse(stored.facts),
    concepts: JSON.parse(stored.concepts),
    parts: stored.parts === null ? null : JSON.parse(stored.parts),
    filesRead: JSON.parse(stored.filesRead),
    filesModified: JSON.parse(stored.filesModified),
    aliases: JSON.parse(stored.aliases),
    pins: JSON.parse(stored.pins),
  });
}
