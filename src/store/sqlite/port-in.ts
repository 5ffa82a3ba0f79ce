import type { AddedMemory, NewMemory, PastPrompt } from '../types/port.ts';
import { isForgotten } from './forgotten.ts';
import { collectTexts, countTextTokens, cutTexts } from './memory-texts.ts';
import type { Database } from './open.ts';
import { findMemoryByKey } from './port-out.ts';
import { type IdRow, requireRow } from './rows.ts';

/** The end reason of imported sessions, which were never open here. */
const IMPORTED = 'imported';

export function addMemory(db: Database, memory: NewMemory, now: number): AddedMemory {
  const known = findMemoryByKey(db, memory.key) ?? twinOf(db, memory);
  if (known !== null) return { outcome: 'known', id: known };
  const left = withoutForgotten(db, memory);
  if (!left) return { outcome: 'forgotten', id: null };
  return { outcome: 'added', id: insert(db, left, now) };
}

/** A memory of the same turn with the same text, distilled independently in two databases. */
function twinOf(db: Database, { session, kind, at, title, narrative }: NewMemory): number | null {
  if (!session) return null;
  const twin = db
    .prepare<IdRow>(`
      SELECT m.id FROM memories m JOIN sessions s ON s.id = m.session_id
      WHERE s.agent = ? AND s.agent_session = ? AND m.at = ? AND m.kind = ? AND m.title = ? AND m.narrative = ?`)
    .get(session.agent, session.id, at, kind, title, narrative);
  return twin?.id ?? null;
}

function withoutForgotten(db: Database, memory: NewMemory): NewMemory | null {
  if (isForgotten(db, { origin: memory.key })) return null;
  const goes = (text: string) => isForgotten(db, { text });
  if (!goes(collectTexts(memory).join('\n'))) return memory;
  const { left } = cutTexts(memory, goes);
  if (!left) return null;
  return {
    ...left,
    concepts: left.concepts.filter((word) => !goes(word)),
    aliases: left.aliases.filter((word) => !goes(word)),
  };
}

function insert(db: Database, memory: NewMemory, now: number): number {
  const { kind, type, title, subtitle, narrative, parts, scope, saidBy, distiller, at } = memory;
  const session = memory.session && sessionOf(db, { ...memory, session: memory.session });
  const added = db
    .prepare(`
      INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, aliases, parts, tokens, strength,
        session_id, project_id, prompt_number, branch, commit_id, distiller, at, changed_at, scope, said_by, pinned_at,
        edited_at, merged_at, origin)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(
      ...[kind, type, title, subtitle, narrative],
      ...[memory.facts, memory.concepts, memory.aliases].map((list) => JSON.stringify(list)),
      parts && JSON.stringify(parts),
      countTextTokens(memory),
      memory.strength,
      ...[session, memory.projectId, memory.prompt, memory.branch, memory.commit],
      ...[distiller, at, now, scope, saidBy, memory.pinnedAt, memory.editedAt, memory.mergedAt],
      memory.key,
    );
  const id = Number(added.lastInsertRowid);
  const addFile = db.prepare(
    'INSERT OR IGNORE INTO memory_files (memory_id, path, how, hash, symbols) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { path, how, hash, symbols } of memory.files)
    addFile.run(id, path, how, hash, JSON.stringify(symbols));
  return id;
}

interface ImportedSession {
  session: { agent: string; id: string };
  projectId: number | null;
  branch?: string | null;
  at: number;
}

/** Stores the agent's session id, by which its transcript is found later. */
function sessionOf(db: Database, { session, projectId, branch = null, at }: ImportedSession): number {
  const { id } = requireRow(
    db
      .prepare<IdRow>(`
      INSERT INTO sessions (agent, agent_session, project_id, branch, first_seen, last_seen, ended_at, end_reason)
      VALUES (?, ?, ?, ?, ?, ?, ?, '${IMPORTED}')
      ON CONFLICT DO UPDATE SET first_seen = min(first_seen, excluded.first_seen) RETURNING id`)
      .get(session.agent, session.id, projectId, branch, at, at, at),
  );
  db.prepare(`
    UPDATE sessions SET last_seen = max(last_seen, ?), ended_at = max(ended_at, ?)
    WHERE id = ? AND end_reason = '${IMPORTED}'`).run(at, at, id);
  return id;
}

/** @returns false if it is known, was forgotten, or belongs to a captured session. */
export function addPastPrompt(db: Database, prompt: PastPrompt): boolean {
  const { session, number, text, at, from } = prompt;
  const others = db
    .prepare(`
      SELECT 1 FROM prompts p JOIN sessions s ON s.id = p.session_id
      WHERE s.agent = ? AND s.agent_session = ? AND (p.via <> ? OR p.number = ?)`)
    .get(session.agent, session.id, from, number);
  if (others || isForgotten(db, { text })) return false;
  db.prepare(`
    INSERT INTO prompts (session_id, number, origin, is_private, text, at, via, digest, spool_name)
    VALUES (?, ?, 'person', 0, ?, ?, ?, '', ?)`).run(
    sessionOf(db, prompt),
    number,
    text,
    at,
    from,
    `${from}:${session.id}:${number}`,
  );
  return true;
}
