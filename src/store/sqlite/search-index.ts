import type { SearchSource, SearchStore, SearchText } from '../search-store.ts';
import { type Database, inTransaction } from './open.ts';
import { scopeTokens } from './search-match.ts';

type Filling = Pick<SearchStore, 'indexPending' | 'pendingSearchDocs' | 'reindexEverything'>;

/** Fills the index. What is pending is read and removed in the transaction that indexes it: no change is lost. */
export function searchIndexOf(db: Database): Filling {
  return {
    indexPending(make, { docs, until, now }) {
      if (now() >= until || pendingCount(db) === 0) return 0;
      return inTransaction(db, () => {
        const statements = prepare(db);
        let done = 0;
        for (; done < docs && now() < until; done++) {
          const next = statements.next.get() as { id: number } | undefined;
          if (!next) break;
          indexOne(statements, next.id, make);
        }
        return done;
      });
    },
    pendingSearchDocs: () => pendingCount(db),
    reindexEverything() {
      db.exec(`
        INSERT OR IGNORE INTO search_pending
          SELECT id * 2 FROM memories UNION ALL SELECT id * 2 + 1 FROM prompts UNION ALL SELECT id FROM search_docs`);
    },
  };
}

function pendingCount(db: Database): number {
  return (db.prepare('SELECT count(*) AS count FROM search_pending').get() as { count: number }).count;
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: Database) {
  return {
    next: db.prepare('SELECT id FROM search_pending ORDER BY id DESC LIMIT 1'),
    done: db.prepare('DELETE FROM search_pending WHERE id = ?'),
    remove: db.prepare('DELETE FROM search_docs WHERE id = ?'),
    memory: db.prepare(`
      SELECT m.kind, m.type, m.title, m.subtitle, m.narrative, m.facts, m.concepts, m.parts, m.aliases,
        m.branch, m.said_by AS saidBy, m.project_id AS projectId, m.session_id AS sessionId, m.at, s.agent,
        m.scope = 'global' AS isGlobal, m.superseded_by AS supersededBy, m.pinned_at AS pinnedAt,
        m.merged_at AS mergedAt,
        (SELECT json_group_array(DISTINCT path) FROM memory_files WHERE memory_id = m.id) AS files,
        (SELECT json_group_array(json(symbols)) FROM memory_files WHERE memory_id = m.id) AS symbols
      FROM memories m LEFT JOIN sessions s ON s.id = m.session_id WHERE m.id = ?`),
    prompt: db.prepare(`
      SELECT p.text, s.branch, s.project_id AS projectId, p.session_id AS sessionId, p.at, s.agent
      FROM prompts p JOIN sessions s ON s.id = p.session_id
      WHERE p.id = ? AND p.origin = 'person' AND p.is_private = 0`),
    add: db.prepare(`
      INSERT INTO search_docs (id, kind, type, project_id, session_id, at, agent, branch, said_by, is_global,
        superseded_by, pinned_at, merged_at, asks, mentions, words, title, body, header, scope)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
  };
}

function indexOne(statements: Statements, id: number, make: (source: SearchSource) => SearchText): void {
  const found = id % 2 === 0 ? readMemory(statements, id / 2) : readPrompt(statements, (id - 1) / 2);
  statements.remove.run(id);
  if (found) {
    const { source, place } = found;
    const text = make(source);
    statements.add.run(
      id,
      source.kind,
      source.type,
      place.projectId,
      place.sessionId,
      place.at,
      place.agent,
      source.branch,
      source.saidBy,
      place.isGlobal,
      place.supersededBy,
      place.pinnedAt,
      place.mergedAt,
      text.asks,
      text.mentions,
      countWords(text.title) + countWords(text.body),
      text.title,
      text.body,
      text.header,
      scopeTokens({ ...place, kind: source.kind, type: source.type, isGlobal: place.isGlobal === 1 }).join(
        ' ',
      ),
    );
  }
  statements.done.run(id);
}

interface PlaceOfDoc {
  projectId: number | null;
  sessionId: number | null;
  at: number;
  agent: string | null;
  isGlobal: number;
  supersededBy: number | null;
  pinnedAt: number | null;
  mergedAt: number | null;
}

interface Found {
  source: SearchSource;
  place: PlaceOfDoc;
}

function readMemory({ memory }: Statements, id: number): Found | null {
  const row = memory.get(id) as unknown as
    | (Omit<SearchSource, 'facts' | 'concepts' | 'parts' | 'aliases' | 'files' | 'symbols'> &
        Record<'facts' | 'concepts' | 'aliases' | 'files' | 'symbols', string> & {
          parts: string | null;
        } & PlaceOfDoc)
    | undefined;
  if (!row) return null;
  const { kind, type, title, subtitle, narrative, branch, saidBy } = row;
  const source: SearchSource = {
    ...{ kind, type, title, subtitle, narrative, branch, saidBy },
    facts: JSON.parse(row.facts),
    concepts: JSON.parse(row.concepts),
    parts: row.parts === null ? null : JSON.parse(row.parts),
    aliases: JSON.parse(row.aliases),
    files: JSON.parse(row.files),
    symbols: (JSON.parse(row.symbols) as string[][]).flat(),
  };
  return { source, place: row };
}

function readPrompt({ prompt }: Statements, id: number): Found | null {
  const row = prompt.get(id) as unknown as
    | ({ text: string; branch: string | null } & Pick<PlaceOfDoc, 'projectId' | 'sessionId' | 'at' | 'agent'>)
    | undefined;
  if (!row) return null;
  const source: SearchSource = {
    kind: 'prompt',
    type: null,
    title: '',
    subtitle: '',
    narrative: row.text,
    facts: [],
    concepts: [],
    parts: null,
    aliases: [],
    files: [],
    symbols: [],
    branch: row.branch,
    saidBy: 'person',
  };
  return {
    source,
    place: { ...row, isGlobal: 0, supersededBy: null, pinnedAt: null, mergedAt: null },
  };
}

function countWords(tokens: string): number {
  return tokens === '' ? 0 : tokens.split(' ').length - 2;
}
