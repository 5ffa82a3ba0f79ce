import type { Redacted } from '../../model/redacted.ts';
import { wordsIn } from '../../model/wording.ts';
import type {
  ForgetOptions,
  ForgetTargets,
  Forgotten,
  MemoryChange,
  MemoryHistory,
  NewNote,
  TrashEntry,
} from '../types/curation.ts';
import type { MemoryTexts } from '../types/memory.ts';
import { forget } from './forget.ts';
import { isForgotten, recordReplaced } from './forgotten.ts';
import { countTextTokens } from './memory-texts.ts';
import { type Database, inTransaction } from './open.ts';
import { findOrAddProject, findProject } from './projects.ts';
import { type IdRow, requireRow } from './rows.ts';
import { deleteTrash, findNextTrashTime, listTrash, restoreEntry, saveTrashTime } from './trash.ts';
import { vacuumAndTruncate } from './wipe.ts';

/** Changes to memories by people and agents. */
export function createCurationQueries(db: Database) {
  return {
    /** If the project has a note with the same text, that note is strengthened instead. */
    addNote: (note: Redacted<NewNote>, now: number): { id: number; isNew: boolean } =>
      inTransaction(db, () => addNote(db, note, now)),
    /** From then on distilling leaves the memory unchanged. @returns false if there is no such memory. */
    editMemory: (id: number, change: Redacted<MemoryChange>, now: number): boolean =>
      inTransaction(db, () => editMemory(db, id, change, now)),
    /** Null unpins. @returns false if there is no such memory. */
    pinMemory(id: number, pinnedAt: number | null): boolean {
      return db.prepare('UPDATE memories SET pinned_at = ? WHERE id = ?').run(pinnedAt, id).changes > 0;
    },
    /** With `by` null they are no longer superseded. */
    supersedeMemories: (ids: number[], by: number | null, now: number): void =>
      inTransaction(db, () => supersede(db, ids, by, now)),
    /** Changes `into`, which also gets the sources of the others and supersedes them. */
    mergeMemories: (into: number, from: number[], change: Redacted<MemoryChange>, now: number): void =>
      inTransaction(db, () => {
        editMemory(db, into, change, now);
        copySources(db, into, from);
        supersede(db, from, into, now);
      }),
    getMemoryHistory: (id: number): MemoryHistory | null => getMemoryHistory(db, id),
    /**
     * Removes memories and repetitions of them in other memories. Afterwards neither distilling nor an import brings
     * them back. If any target does not exist, nothing is removed.
     */
    forget: (targets: ForgetTargets, options: ForgetOptions, now: number): Forgotten =>
      forget(db, targets, options, now),
    /** Restorable entries, latest first. */
    listTrash: (): TrashEntry[] => listTrash(db),
    /** Changes the due time of these entries; skips entries that follow `forget.undoDays`. */
    saveTrashTime: (entryIds: number[], dueAt: number): void => saveTrashTime(db, entryIds, dueAt),
    /** When the next entry that has its own time is due. */
    findNextTrashTime: (): number | null => findNextTrashTime(db),
    /** Restores what an entry removed. Later changes stay. */
    restoreFromTrash: (entryId: number, now: number): void =>
      inTransaction(db, () => restoreEntry(db, entryId, now)),
    deleteTrash: (entryIds: number[]): void => inTransaction(db, () => deleteTrash(db, entryIds)),
    /** Whether a part of this text, or everything of this origin, was forgotten. */
    isForgotten: (what: { origin?: string; text?: string }): boolean => isForgotten(db, what),
    /**
     * Rewrites the whole database to remove every byte of deleted rows from its files. @returns false if another
     * process is reading and keeps old pages alive.
     */
    vacuumAndTruncate: (): boolean => vacuumAndTruncate(db),
  };
}

function addNote(db: Database, note: NewNote, now: number): { id: number; isNew: boolean } {
  const project =
    note.scope === 'global'
      ? (findProject(db, note.place)?.id ?? null)
      : findOrAddProject(db, note.place, now);
  const known = findSameNote(db, note, project);
  const id = known ?? insertNote(db, note, project, now);
  if (known !== null) strengthen(db, known, note, now);
  const addFile = db.prepare(
    "INSERT OR IGNORE INTO memory_files (memory_id, path, how, hash, symbols) VALUES (?, ?, 'read', ?, ?)",
  );
  for (const path of note.files) {
    const pin = note.pins.find((row) => row.path === path);
    addFile.run(id, path, pin?.hash ?? null, JSON.stringify(pin?.symbols ?? []));
  }
  if (note.isPinned) db.prepare('UPDATE memories SET pinned_at = ? WHERE id = ?').run(now, id);
  if (note.replaces) supersede(db, note.replaces, id, now);
  return { id, isNew: known === null };
}

function findSameNote(db: Database, note: NewNote, project: number | null): number | null {
  const rows = db
    .prepare<{ id: number; title: string; narrative: string }>(`
      SELECT m.id, m.title, m.narrative FROM memories m
      WHERE m.kind = 'note' AND m.scope = ? AND lower(m.title) = lower(?) AND m.superseded_by IS NULL
        AND (m.scope = 'global' OR m.project_id IN (
          SELECT r.id FROM project_roots r JOIN project_roots own ON own.root = r.root WHERE own.id = ?))
      ORDER BY m.id`)
    .all(note.scope, note.title, project);
  const words = (row: { title: string; narrative: string }) =>
    wordsIn(`${row.title} ${row.narrative}`).join(' ');
  return rows.find((row) => words(row) === words(note))?.id ?? null;
}

function strengthen(db: Database, id: number, { aliases }: NewNote, now: number): void {
  const { aliases: known } = requireRow(
    db.prepare<{ aliases: string }>('SELECT aliases FROM memories WHERE id = ?').get(id),
  );
  const all = [...new Set([...JSON.parse(known), ...aliases])];
  db.prepare('UPDATE memories SET strength = strength + 1, aliases = ?, changed_at = ? WHERE id = ?').run(
    JSON.stringify(all),
    now,
    id,
  );
}

function insertNote(db: Database, note: NewNote, project: number | null, now: number): number {
  const session = note.agentSession
    ? db
        .prepare<{ id: number; prompt: number | null; turn: number | null }>(`
          SELECT s.id, (SELECT max(number) FROM prompts WHERE session_id = s.id) AS prompt,
            (SELECT max(id) FROM turns WHERE session_id = s.id) AS turn
          FROM sessions s WHERE s.agent_session = ? ORDER BY s.id DESC LIMIT 1`)
        .get(note.agentSession)
    : undefined;
  const { type, title, narrative, aliases, scope, saidBy, place, commit } = note;
  const tokens = countTextTokens({ title, subtitle: '', narrative, facts: [], parts: null });
  const added = db
    .prepare(`
      INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, tokens, turn_id, session_id, project_id,
        prompt_number, branch, commit_id, distiller, at, changed_at, scope, said_by, aliases)
      VALUES ('note', ?, ?, '', ?, '[]', '[]', ?, ?, ?, ?, ?, ?, ?, 'hand', ?, ?, ?, ?, ?)`)
    .run(
      type,
      title,
      narrative,
      tokens,
      session?.turn ?? null,
      session?.id ?? null,
      project,
      session?.prompt ?? null,
      place.branch ?? null,
      commit ?? null,
      now,
      now,
      scope,
      saidBy,
      JSON.stringify(aliases),
    );
  return Number(added.lastInsertRowid);
}

function supersede(db: Database, ids: number[], by: number | null, now: number): void {
  const others = ids.filter((id) => id !== by);
  db.prepare(`
    UPDATE memories SET superseded_by = ?, changed_at = ? WHERE id IN (SELECT value FROM json_each(?))`).run(
    by,
    now,
    JSON.stringify(others),
  );
}

function copySources(db: Database, into: number, from: number[]): void {
  const others = JSON.stringify(from);
  const ofOthers = 'WHERE memory_id IN (SELECT value FROM json_each(?))';
  for (const [table, columns] of [
    ['memory_files', 'path, how, hash, symbols'],
    ['memory_events', 'event_id'],
    ['memory_turns', 'turn_id'],
  ])
    db.prepare(
      `INSERT OR IGNORE INTO ${table} (memory_id, ${columns}) SELECT ?, ${columns} FROM ${table} ${ofOthers}`,
    ).run(into, others);
  db.prepare(`
    UPDATE memories SET strength = strength
      + (SELECT coalesce(sum(strength), 0) FROM memories WHERE id IN (SELECT value FROM json_each(?)))
    WHERE id = ?`).run(others, into);
}

interface EditedRow {
  type: string | null;
  title: string;
  subtitle: string;
  narrative: string;
  facts: string;
  aliases: string;
  scope: string;
  parts: string | null;
  turn: number | null;
}

function editMemory(db: Database, id: number, change: MemoryChange, now: number): boolean {
  const row = db
    .prepare<EditedRow>(`
      SELECT type, title, subtitle, narrative, facts, aliases, scope, parts, turn_id AS turn
      FROM memories WHERE id = ?`)
    .get(id);
  if (!row) return false;
  const texts: MemoryTexts = {
    title: change.title ?? row.title,
    subtitle: change.subtitle ?? row.subtitle,
    narrative: change.narrative ?? row.narrative,
    facts: change.facts ?? JSON.parse(row.facts),
    parts: change.parts ?? (row.parts === null ? null : JSON.parse(row.parts)),
  };
  db.prepare(`
    UPDATE memories SET type = ?, title = ?, subtitle = ?, narrative = ?, facts = ?, parts = ?, aliases = ?, scope = ?,
      tokens = ?, edited_at = ?, changed_at = ? WHERE id = ?`).run(
    change.type === undefined ? row.type : change.type,
    texts.title,
    texts.subtitle,
    texts.narrative,
    JSON.stringify(texts.facts),
    texts.parts && JSON.stringify(texts.parts),
    change.aliases ? JSON.stringify(change.aliases) : row.aliases,
    change.scope ?? row.scope,
    countTextTokens(texts),
    now,
    now,
    id,
  );
  if (row.turn !== null && texts.title !== row.title) recordReplaced(db, row.turn, row.title, now);
  return true;
}

function getMemoryHistory(db: Database, id: number): MemoryHistory | null {
  const row = db
    .prepare<Pick<MemoryHistory, 'prompt' | 'agent' | 'agentSession'>>(`
      SELECT p.text AS prompt, s.agent, s.agent_session AS agentSession FROM memories m
      LEFT JOIN sessions s ON s.id = m.session_id
      LEFT JOIN prompts p ON p.session_id = m.session_id AND p.number = m.prompt_number AND p.text <> ''
      WHERE m.id = ?`)
    .get(id);
  if (!row) return null;
  const repeatedIn = db
    .prepare<MemoryHistory['repeatedIn'][number]>(`
      SELECT t.session_id AS sessionId, t.prompt_number AS prompt, t.last_at AS at
      FROM memory_turns m JOIN turns t ON t.id = m.turn_id WHERE m.memory_id = ? ORDER BY t.last_at`)
    .all(id);
  const replaced = db.prepare<IdRow>('SELECT id FROM memories WHERE superseded_by = ? ORDER BY id').all(id);
  return {
    ...row,
    repeatedIn: repeatedIn.map((row) => ({ ...row })),
    replaced: replaced.map((row) => row.id),
  };
}
