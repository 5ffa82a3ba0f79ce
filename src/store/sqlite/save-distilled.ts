import type { Observation, Summary } from '../../model/memory.ts';
import type { Job } from '../types/job.ts';
import type { CorrectedMemory, DistilledTurn, FilePin, MemoryTexts, NoteEvidence } from '../types/memory.ts';
import { readForgottenOfTurn, type TurnForgotten } from './forgotten.ts';
import { findHandEdited } from './hand-edited.ts';
import { countTextTokens, cutTexts } from './memory-texts.ts';
import type { Database } from './open.ts';
import { addJob, finishJob } from './queue.ts';
import { countRows, type IdRow, requireRow } from './rows.ts';

/** A memory that a person edited or pinned is never changed or superseded by distilling. */
const IS_UNTOUCHED = 'edited_at IS NULL AND pinned_at IS NULL';

/** Must run within a transaction. @returns false if the job changed meanwhile; then nothing is saved. */
export function saveDistilled(db: Database, job: Job, distilled: DistilledTurn, now: number): boolean {
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
  const observations = distilled.observations.flatMap((observation) => {
    if (
      kept.isTwin(observation) ||
      forgotten?.wasReplaced(observation.title) ||
      forgotten?.isMadeFrom(observation.events)
    )
      return [];
    const left = forgotten ? withoutForgotten({ ...observation, parts: null }, forgotten) : observation;
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
      db.prepare(`UPDATE memories SET superseded_by = ?1 WHERE id = ?2 AND id <> ?1 AND ${IS_UNTOUCHED}`).run(
        id,
        observation.supersedes,
      );
  }
  for (const each of distilled.corrected ?? []) correct(db, each, saved[0], now);
  for (const id of oldIds.slice(fresh.length)) remove(db, id);
  for (const { same } of observations) if (same !== undefined) strengthen(db, same, job.turnId, now);
  for (const evidence of distilled.notes ?? []) addEvidence(db, evidence, place, now);

  const [oldSummary] = idsOf(db, job.turnId, 'summary');
  const row = distilled.summary && asRow(distilled.summary);
  const summary = row && forgotten ? withoutForgotten(row, forgotten) : row;
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

/** Reuses the old id if there is one: people and agents may have quoted it. */
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

/** Keeps the type and the files that the agent set. */
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

function correct(
  db: Database,
  { memory, left }: CorrectedMemory,
  successor: number | undefined,
  now: number,
): void {
  if (countRows(db, `memories WHERE id = ? AND ${IS_UNTOUCHED}`, memory) === 0) return;
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

/** Counts each turn that repeats a memory once, even if the turn is distilled several times. */
function strengthen(db: Database, id: number, turn: number, now: number): void {
  const added = db
    .prepare('INSERT OR IGNORE INTO memory_turns (memory_id, turn_id) VALUES (?, ?)')
    .run(id, turn);
  if (added.changes)
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
