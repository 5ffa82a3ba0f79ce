import { wordsIn } from '../../model/wording.ts';
import type { CurationStore, MemoryChange, MemoryHistory, NewNote } from '../curation-store.ts';
import { forget } from './forget.ts';
import { isForgotten, recordReplaced } from './forgotten.ts';
import { type MemoryTexts, tokensOf } from './memory-texts.ts';
import { type Database, inTransaction } from './open.ts';
import { findProject, projectAt } from './projects.ts';
import { wipeRemains } from './wipe.ts';

export function curationOf(db: Database): CurationStore {
  return {
    addNote: (note, now) => inTransaction(db, () => addNote(db, note, now)),
    editMemory: (id, change, now) => inTransaction(db, () => editMemory(db, id, change, now)),
    pinMemory(id, pinnedAt) {
      return db.prepare('UPDATE memories SET pinned_at = ? WHERE id = ?').run(pinnedAt, id).changes > 0;
    },
    memoryHistory: (id) => memoryHistory(db, id),
    forget: (targets, options, now) => forget(db, targets, options, now),
    isForgotten: (what) => isForgotten(db, what),
    wipeRemains: () => wipeRemains(db),
  };
}

function addNote(db: Database, note: NewNote, now: number): { id: number; isNew: boolean } {
  const project =
    note.scope === 'global' ? (findProject(db, note.place)?.id ?? null) : projectAt(db, note.place, now);
  const known = sameNote(db, note, project);
  const id = known ?? insertNote(db, note, project, now);
  if (known !== null) strengthen(db, known, note, now);
  const addFile = db.prepare(
    "INSERT OR IGNORE INTO memory_files (memory_id, path, how, hash, symbols) VALUES (?, ?, 'read', ?, ?)",
  );
  for (const path of note.files) {
    const pin = note.pins.find((each) => each.path === path);
    addFile.run(id, path, pin?.hash ?? null, JSON.stringify(pin?.symbols ?? []));
  }
  if (note.isPinned) db.prepare('UPDATE memories SET pinned_at = ? WHERE id = ?').run(now, id);
  return { id, isNew: known === null };
}

function sameNote(db: Database, note: NewNote, project: number | null): number | null {
  const rows = db
    .prepare(`
      SELECT m.id, m.title, m.narrative FROM memories m
      WHERE m.kind = 'note' AND m.scope = ? AND lower(m.title) = lower(?) AND m.superseded_by IS NULL
        AND (m.scope = 'global' OR m.project_id IN (
          SELECT r.id FROM project_roots r JOIN project_roots own ON own.root = r.root WHERE own.id = ?))
      ORDER BY m.id`)
    .all(note.scope, note.title, project) as { id: number; title: string; narrative: string }[];
  const words = (each: { title: string; narrative: string }) =>
    wordsIn(`${each.title} ${each.narrative}`).join(' ');
  return rows.find((each) => words(each) === words(note))?.id ?? null;
}

function strengthen(db: Database, id: number, { aliases }: NewNote, now: number): void {
  const { aliases: known } = db.prepare('SELECT aliases FROM memories WHERE id = ?').get(id) as {
    aliases: string;
  };
  const all = [...new Set([...JSON.parse(known), ...aliases])];
  db.prepare('UPDATE memories SET strength = strength + 1, aliases = ?, changed_at = ? WHERE id = ?').run(
    JSON.stringify(all),
    now,
    id,
  );
}

function insertNote(db: Database, note: NewNote, project: number | null, now: number): number {
  const session = note.agentSession
    ? (db
        .prepare(`
          SELECT s.id, (SELECT max(number) FROM prompts WHERE session_id = s.id) AS prompt,
            (SELECT max(id) FROM turns WHERE session_id = s.id) AS turn
          FROM sessions s WHERE s.agent_session = ? ORDER BY s.id DESC LIMIT 1`)
        .get(note.agentSession) as { id: number; prompt: number | null; turn: number | null } | undefined)
    : undefined;
  const { type, title, narrative, aliases, scope, saidBy, place, commit } = note;
  const tokens = tokensOf({ title, subtitle: '', narrative, facts: [], parts: null });
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
    .prepare(`
      SELECT type, title, subtitle, narrative, facts, aliases, scope, parts, turn_id AS turn
      FROM memories WHERE id = ?`)
    .get(id) as EditedRow | undefined;
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
    tokensOf(texts),
    now,
    now,
    id,
  );
  if (row.turn !== null && texts.title !== row.title) recordReplaced(db, row.turn, row.title, now);
  return true;
}

function memoryHistory(db: Database, id: number): MemoryHistory | null {
  const row = db
    .prepare(`
      SELECT p.text AS prompt, s.agent, s.agent_session AS agentSession FROM memories m
      LEFT JOIN sessions s ON s.id = m.session_id
      LEFT JOIN prompts p ON p.session_id = m.session_id AND p.number = m.prompt_number AND p.text <> ''
      WHERE m.id = ?`)
    .get(id) as Pick<MemoryHistory, 'prompt' | 'agent' | 'agentSession'> | undefined;
  if (!row) return null;
  const metIn = db
    .prepare(`
      SELECT t.session_id AS sessionId, t.prompt_number AS prompt, t.last_at AS at
      FROM memory_turns m JOIN turns t ON t.id = m.turn_id WHERE m.memory_id = ? ORDER BY t.last_at`)
    .all(id) as unknown as MemoryHistory['metIn'];
  const replaced = db.prepare('SELECT id FROM memories WHERE superseded_by = ? ORDER BY id').all(id);
  return {
    ...row,
    metIn: metIn.map((each) => ({ ...each })),
    replaced: (replaced as { id: number }[]).map((each) => each.id),
  };
}
