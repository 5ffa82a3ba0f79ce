import { containsWording, isRelated, isRepeated, type Wording } from '../../model/wording.ts';
import type { Forgotten, ForgottenMemory } from '../types/curation.ts';
import { FORGOTTEN_TEXT, type GivenBody } from '../types/injection.ts';
import type { MemoryKind, MemoryTexts } from '../types/memory.ts';
import { parseBody } from './given-contexts.ts';
import { collectTexts, countTextTokens, cutTexts } from './memory-texts.ts';
import type { Database } from './open.ts';
import { countRows, type WithJson } from './rows.ts';

export interface MemoryRow extends MemoryTexts {
  id: number;
  kind: MemoryKind;
  concepts: string[];
  aliases: string[];
  turn: number | null;
  projectId: number | null;
  origin: string | null;
  files: string[];
}

export function selectMemoryRows(
  db: Database,
  by: 'id' | 'session_id' | 'turn_id',
  values: number[],
): MemoryRow[] {
  const rows = db
    .prepare<StoredRow>(`${ROWS} WHERE ${by} IN (SELECT value FROM json_each(?)) ORDER BY id`)
    .all(JSON.stringify(values));
  return rows.map(toMemoryRow);
}

/** Memories that it replaced are then replaced by its own replacement, if any. @returns how many injections were removed. */
export function removeMemory(db: Database, id: number): number {
  const count = countRows(db, 'injections WHERE memory_id = ?', id);
  db.prepare(`
    UPDATE memories SET superseded_by = (SELECT superseded_by FROM memories WHERE id = ?)
    WHERE superseded_by = ?`).run(id, id);
  db.prepare('DELETE FROM memories WHERE id = ?').run(id);
  return count;
}

export interface TrimRequest {
  turns: number[];
  wording: Wording;
  /** Searched for in every memory; null: only in those turns. */
  everywhere: Wording | null;
}

/** Removes matching sentences from other memories, and deletes memories that have no other content. */
export function trimMemories(db: Database, { turns, wording, everywhere }: TrimRequest, now: number) {
  const trimmed: { cut: Forgotten['trimmed']; gone: MemoryRow[]; injections: number } = {
    cut: [],
    gone: [],
    injections: 0,
  };
  const goes = everywhere ? isRelated : isRepeated;
  for (const row of selectMemoryRows(db, 'turn_id', turns)) trim(row, (piece) => goes(piece, wording));
  if (everywhere)
    for (const row of findRowsWith(db, everywhere)) trim(row, (piece) => containsWording(piece, everywhere));
  return trimmed;

  function trim(row: MemoryRow, goes: (piece: string) => boolean): void {
    const { left, gone } = cutTexts(row, goes);
    if (!left) {
      trimmed.injections += removeMemory(db, row.id);
      trimmed.gone.push(row);
      return;
    }
    const concepts = row.concepts.filter((word) => !goes(word));
    const aliases = row.aliases.filter((word) => !goes(word));
    const words = row.concepts.length + row.aliases.length - concepts.length - aliases.length;
    if (gone + words === 0) return;
    db.prepare(`
      UPDATE memories SET title = ?, subtitle = ?, narrative = ?, facts = ?, parts = ?, concepts = ?, aliases = ?,
        tokens = ?, changed_at = ? WHERE id = ?`).run(
      left.title,
      left.subtitle,
      left.narrative,
      JSON.stringify(left.facts),
      left.parts && JSON.stringify(left.parts),
      JSON.stringify(concepts),
      JSON.stringify(aliases),
      countTextTokens(left),
      now,
      row.id,
    );
    if (gone > 0) trimmed.cut.push({ ...describeForgotten(left), sentences: gone });
  }
}

/** What callers need to refresh derived data. */
export function describeForgotten({ id, kind, title, projectId, files }: MemoryRow): ForgottenMemory {
  return { id, kind, title, projectId, files };
}

/** Reasons and errors may quote forgotten text. */
export function cleanMentions(db: Database, wording: Wording): void {
  for (const [table, column] of [
    ['injections', 'reason'],
    ['jobs', 'error'],
    ['model_calls', 'error'],
  ]) {
    const rows = db
      .prepare<{ id: number; text: string }>(
        `SELECT id, ${column} AS text FROM ${table} WHERE ${column} <> ''`,
      )
      .all();
    const clean = db.prepare(`UPDATE ${table} SET ${column} = '(forgotten)' WHERE id = ?`);
    for (const { id, text } of rows) if (containsWording(text, wording)) clean.run(id);
  }
  forgetErrors(db, wording);
  forgetSearches(db, wording);
}

/** Contexts that gave one of these memories or contain the wording. Shortened text may not match the wording. */
export function cleanContexts(db: Database, memoryIds: number[], wording: Wording): void {
  const gave = new Set(memoryIds);
  const rows = db.prepare<{ id: number; body: string }>('SELECT id, body FROM given_contexts').iterate();
  const found: number[] = [];
  for (const { id, body } of rows) {
    const { text, shown } = parseBody(body);
    const reasons = shown.flatMap((memory) => memory.reasons).join('\n');
    const isFound =
      shown.some(({ memoryId }) => gave.has(memoryId)) || containsWording(`${text}\n${reasons}`, wording);
    if (isFound) found.push(id);
  }
  const empty: GivenBody = { text: FORGOTTEN_TEXT, shown: [], leftOut: [] };
  db.prepare('UPDATE given_contexts SET body = ? WHERE id IN (SELECT value FROM json_each(?))').run(
    JSON.stringify(empty),
    JSON.stringify(found),
  );
}

/** Search words and learnt aliases are typed by people and may contain forgotten text. */
function forgetSearches(db: Database, wording: Wording): void {
  db.exec('DELETE FROM weak_searches');
  const rows = db
    .prepare<{ memory: number; words: string }>('SELECT memory_id AS memory, words FROM learnt_aliases')
    .all();
  const remove = db.prepare('DELETE FROM learnt_aliases WHERE memory_id = ? AND words = ?');
  for (const { memory, words } of rows) if (containsWording(words, wording)) remove.run(memory, words);
}

/** Removes errors that contain the wording, even if their events are kept. */
function forgetErrors(db: Database, wording: Wording): void {
  const rows = db
    .prepare<{ id: number; text: string }>("SELECT id, name || ' ' || message AS text FROM errors")
    .all();
  const remove = db.prepare('DELETE FROM errors WHERE id = ?');
  for (const { id, text } of rows) if (containsWording(text, wording)) remove.run(id);
}

function findRowsWith(db: Database, wording: Wording): MemoryRow[] {
  const found: MemoryRow[] = [];
  for (const row of db.prepare<StoredRow>(`${ROWS} ORDER BY id`).iterate()) {
    const memory = toMemoryRow(row);
    if (containsWording(collectTexts(memory).join('\n'), wording)) found.push(memory);
  }
  return found;
}

const ROWS = `
  SELECT id, kind, title, subtitle, narrative, facts, concepts, aliases, parts, turn_id AS turn,
    project_id AS projectId, origin,
    (SELECT json_group_array(path) FROM memory_files WHERE memory_id = memories.id) AS files
  FROM memories`;

type StoredRow = WithJson<MemoryRow, 'facts' | 'concepts' | 'aliases' | 'parts' | 'files'>;

function toMemoryRow(stored: StoredRow): MemoryRow {
  return {
    ...stored,
    facts: JSON.parse(stored.facts),
    concepts: JSON.parse(stored.concepts),
    aliases: JSON.parse(stored.aliases),
    parts: stored.parts === null ? null : JSON.parse(stored.parts),
    files: JSON.parse(stored.files),
  };
}
