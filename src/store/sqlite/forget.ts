import { analyzeWording } from '../../model/wording.ts';
import type { ForgetOptions, ForgetTargets, Forgotten } from '../types/curation.ts';
import {
  cleanContexts,
  cleanMentions,
  describeForgotten,
  type MemoryRow,
  removeMemory,
  selectMemoryRows,
  trimMemories,
} from './forget-memories.ts';
import { emptyEvents, emptyPrompts, findRawContaining, findRawOfTurns } from './forget-source.ts';
import { forgetInWorkItems } from './forget-work-items.ts';
import { recordForgotten, recordWholeTurn } from './forgotten.ts';
import { collectTexts } from './memory-texts.ts';
import type { Database } from './open.ts';
import { recordChanges } from './row-changes.ts';
import type { IdRow } from './rows.ts';
import { watchForgotten } from './team-forget.ts';
import { addToTrash, deleteTrashContaining } from './trash.ts';

/** Sentences with fewer words may be in another turn by coincidence. */
const ELSEWHERE_WORDS = 6;

/** See `forget` in curation.ts. A dry run is rolled back. */
export function forget(
  db: Database,
  targets: ForgetTargets,
  { withSource, isDryRun, isUndoable = false, dueAt = null }: ForgetOptions,
  now: number,
): Forgotten {
  // Forgotten text must not be left in a temporary file.
  if (!isDryRun) db.exec('PRAGMA temp_store = MEMORY');
  db.exec('BEGIN IMMEDIATE');
  try {
    const recording = isDryRun ? null : recordChanges(db);
    const team = watchForgotten(db);
    const { texts, ...forgotten } = forgetNow(db, targets, withSource, now);
    team.end(
      forgotten.wording,
      forgotten.trimmed.map(({ id }) => id),
    );
    const { memories, renamedWorks } = forgotten;
    if (!isUndoable) deleteTrashContaining(db, forgotten.wording);
    // What is forgotten for good is due at once: if the process ends before logs and files are clean, the worker goes on.
    const entry = {
      at: now,
      dueAt: isUndoable ? dueAt : now,
      targets,
      memories,
      withSource,
      texts,
      renamedWorks,
    };
    const trashId = recording ? addToTrash(db, entry, recording.end()) : null;
    const { missing } = forgotten;
    const isAnyMissing = missing.memories.length + missing.prompts.length + missing.sessions.length > 0;
    db.exec(isDryRun || isAnyMissing ? 'ROLLBACK' : 'COMMIT');
    return { ...forgotten, trashId: isAnyMissing ? null : trashId };
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function forgetNow(
  db: Database,
  targets: ForgetTargets,
  withSource: boolean,
  now: number,
): Omit<Forgotten, 'trashId'> & { texts: string[] } {
  const named = selectMemoryRows(db, 'id', targets.memories);
  const isNamed = new Set(targets.memories);
  const ofSessions = selectMemoryRows(db, 'session_id', targets.sessions).filter(
    ({ id }) => !isNamed.has(id),
  );
  const memories = [...named, ...ofSessions];
  const prompts = promptsBy(db, targets.prompts);
  const turnsOfSessions = ids(db, 'SELECT id FROM turns WHERE session_id IN (LIST)', targets.sessions);
  const turns = new Set([
    ...memories.flatMap((memory) => turnsOf(db, memory)),
    ...prompts.flatMap(({ turn }) => turn ?? []),
    ...turnsOfSessions,
  ]);

  for (const memory of memories) record(db, memory, memories, now);
  for (const { turn, text } of prompts) recordForgotten(db, { turn, texts: [text] }, now);
  for (const turn of withSource ? turns : turnsOfSessions) recordWholeTurn(db, turn, now);
  // A model would word it differently.
  ids(db, "DELETE FROM jobs WHERE kind <> 'distil' AND turn_id IN (LIST) RETURNING id", [...turns]);

  const namedTexts = [...named.flatMap(collectTexts), ...prompts.map(({ text }) => text)];
  const texts = [...namedTexts, ...ofSessions.flatMap(collectTexts)];
  const wording = analyzeWording(texts);
  const everywhere = withSource ? analyzeWording(namedTexts, { words: ELSEWHERE_WORDS }) : null;
  const injections = memories.reduce((sum, { id }) => sum + removeMemory(db, id), 0);
  const trimmed = trimMemories(db, { turns: [...turns], wording, everywhere }, now);

  const own = findRawOfTurns(db, [...turns], targets.sessions);
  const elsewhere = everywhere ? findRawContaining(db, everywhere) : { prompts: [], events: [] };
  const events = withSource ? new Set([...own.events, ...elsewhere.events]) : new Set<number>();
  const promptIds = new Set(prompts.filter(({ text }) => text !== '').map(({ id }) => id));
  if (withSource) for (const id of [...own.prompts, ...elsewhere.prompts]) promptIds.add(id);
  for (const turn of turnsWith(db, elsewhere)) recordWholeTurn(db, turn, now);
  const raw = promptsBy(db, [...promptIds]);
  const rawTexts = raw.map(({ text }) => text);
  const inWorks = forgetInWorkItems(
    db,
    {
      wording,
      ownWording: analyzeWording([...texts, ...rawTexts]),
      prompts: rawTexts,
      sessions: [...targets.sessions, ...sessionsOf(db, [...turns], [...promptIds])],
    },
    now,
  );
  emptyEvents(db, [...events], now);
  emptyPrompts(db, [...promptIds]);
  cleanMentions(db, wording);
  cleanContexts(
    db,
    [...memories, ...trimmed.gone].map(({ id }) => id),
    analyzeWording([...texts, ...rawTexts]),
  );
  return {
    missing: {
      memories: findMissing(targets.memories, named),
      prompts: findMissing(targets.prompts, prompts),
      sessions: findMissing(
        targets.sessions,
        ids(db, 'SELECT id FROM sessions WHERE id IN (LIST)', targets.sessions).map((id) => ({ id })),
      ),
    },
    memories: [...memories, ...trimmed.gone].map(describeForgotten),
    trimmed: trimmed.cut,
    prompts: promptIds.size,
    events: events.size,
    keptEvents: withSource ? 0 : own.events.length,
    injections: injections + trimmed.injections,
    ...inWorks,
    wording,
    texts,
  };
}

/** Recorded for the memory's own turn and each in which it was repeated: distilling any of them could recreate it. */
function record(db: Database, memory: MemoryRow, all: MemoryRow[], now: number): void {
  const texts = collectTexts(memory);
  const [first = null, ...others] = turnsOf(db, memory);
  recordForgotten(
    db,
    { turn: first, origin: memory.origin, texts, events: findOwnEvents(db, memory, all) },
    now,
  );
  for (const turn of others) recordForgotten(db, { turn, texts }, now);
}

/** Events that no remaining memory was made from. */
function findOwnEvents(db: Database, { id, turn }: MemoryRow, all: MemoryRow[]): number[] {
  const rows = db
    .prepare<IdRow>(`
      SELECT event_id AS id FROM memory_events WHERE memory_id = ? AND event_id NOT IN (
        SELECT e.event_id FROM memories m JOIN memory_events e ON e.memory_id = m.id
        WHERE m.turn_id = ? AND m.id NOT IN (SELECT value FROM json_each(?)))`)
    .all(id, turn, JSON.stringify(all.map((event) => event.id)));
  return rows.map((row) => row.id);
}

function turnsOf(db: Database, { id, turn }: MemoryRow): number[] {
  const repeatedIn = ids(db, 'SELECT turn_id AS id FROM memory_turns WHERE memory_id IN (LIST)', [id]);
  return turn === null ? repeatedIn : [turn, ...repeatedIn];
}

/** Distilling these turns again would lose content: less of it is left than their memories were made from. */
function turnsWith(db: Database, { prompts, events }: { prompts: number[]; events: number[] }): Set<number> {
  const turns = (table: string, list: number[]) =>
    ids(db, `SELECT turn_id AS id FROM ${table} WHERE turn_id IS NOT NULL AND id IN (LIST)`, list);
  return new Set([...turns('prompts', prompts), ...turns('events', events)]);
}

function sessionsOf(db: Database, turns: number[], prompts: number[]): number[] {
  return [
    ...ids(db, 'SELECT session_id AS id FROM turns WHERE id IN (LIST)', turns),
    ...ids(db, 'SELECT session_id AS id FROM prompts WHERE id IN (LIST)', prompts),
  ];
}

interface PromptRow {
  id: number;
  turn: number | null;
  text: string;
}

function promptsBy(db: Database, wanted: number[]): PromptRow[] {
  return db
    .prepare<PromptRow>(
      'SELECT id, turn_id AS turn, text FROM prompts WHERE id IN (SELECT value FROM json_each(?))',
    )
    .all(JSON.stringify(wanted));
}

/** The rows for a list of numbers, which replaces LIST. */
function ids(db: Database, sql: string, list: number[]): number[] {
  const rows = db
    .prepare<IdRow>(sql.replace('LIST', 'SELECT value FROM json_each(?)'))
    .all(JSON.stringify(list));
  return rows.map(({ id }) => id);
}

function findMissing(wanted: number[], found: { id: number }[]): number[] {
  return wanted.filter((id) => !found.some((event) => event.id === id));
}
