import { type Database, openReadOnly } from '../../platform/sqlite.ts';
import { countRows } from './rows.ts';

/** How long to wait for claude-mem's own worker. */
const BUSY_MS = 10_000;

const TABLES = ['observations', 'session_summaries', 'user_prompts'] as const;
export type ClaudeMemTable = (typeof TABLES)[number];

/** A row as stored: the columns depend on the version that made the database. */
export type ClaudeMemRow = Record<string, unknown> & { id: number };

/** The database of claude-mem, read-only; its worker may be writing. */
export interface ClaudeMem {
  tables: ClaudeMemTable[];
  count(table: ClaudeMemTable): number;
  rows(table: ClaudeMemTable, after: number, limit: number): ClaudeMemRow[];
  /** The agent's session id for claude-mem's own. */
  sessions(): Map<string, ClaudeMemSession>;
  close(): void;
}

export interface ClaudeMemSession {
  agent: string;
  id: string;
  project: unknown;
}

/** @returns null if it is not a database of claude-mem. */
export function openClaudeMem(path: string): ClaudeMem | null {
  const db = openReadOnly(path, BUSY_MS);
  try {
    const present = tablesIn(db);
    const tables = TABLES.filter((table) => present.has(table));
    if (!tables.includes('observations') && !tables.includes('session_summaries')) {
      db.close();
      return null;
    }
    return {
      tables,
      count: (table) => countRows(db, table),
      rows: (table, after, limit) =>
        db.prepare<ClaudeMemRow>(`SELECT * FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`).all(after, limit),
      sessions: () => (present.has('sdk_sessions') ? sessionsIn(db) : new Map()),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function tablesIn(db: Database): Set<string> {
  const rows = db.prepare<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return new Set(rows.map(({ name }) => name));
}

function sessionsIn(db: Database): Map<string, ClaudeMemSession> {
  const sessions = new Map<string, ClaudeMemSession>();
  for (const row of db.prepare<Record<string, unknown>>('SELECT * FROM sdk_sessions').iterate()) {
    const id = row.content_session_id ?? row.claude_session_id;
    if (typeof id !== 'string' || id === '') continue;
    const agent = agentOf(row.platform_source);
    for (const name of [row.memory_session_id, row.sdk_session_id, id])
      if (typeof name === 'string') sessions.set(name, { agent, id, project: row.project });
  }
  return sessions;
}

/** claude-mem calls Claude Code `claude`, and its rows may lack a platform. Other names are kept. */
function agentOf(platform: unknown): string {
  return typeof platform === 'string' && platform !== '' && platform !== 'claude' ? platform : 'claude-code';
}
