import type { SearchSource } from '../types/search.ts';
import { ALL_ALIASES } from './aliases.ts';
import type { Database } from './open.ts';

export interface FoundSource {
  source: SearchSource;
  place: PlaceOfDoc;
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

/** @returns null for a deleted document and for a prompt that is private or not by a person. */
export function readSource(db: Database, docId: number): FoundSource | null {
  return docId % 2 === 0 ? readMemory(db, docId / 2) : readPrompt(db, (docId - 1) / 2);
}

type MemoryRow = Omit<SearchSource, JsonColumn | 'parts' | 'isSuperseded'> &
  Record<JsonColumn, string> & {
    parts: string | null;
  } & PlaceOfDoc;

type JsonColumn = 'facts' | 'concepts' | 'aliases' | 'files' | 'symbols' | 'siblings';

function readMemory(db: Database, id: number): FoundSource | null {
  const row = db
    .prepare<MemoryRow>(`
    SELECT m.kind, m.type, m.title, m.subtitle, m.narrative, m.facts, m.concepts, m.parts,
      ${ALL_ALIASES} AS aliases,
      m.branch, m.said_by AS saidBy, m.project_id AS projectId, m.session_id AS sessionId, m.at, s.agent,
      m.scope = 'global' AS isGlobal, m.superseded_by AS supersededBy, m.pinned_at AS pinnedAt,
      m.merged_at AS mergedAt,
      (SELECT json_group_array(DISTINCT path) FROM memory_files WHERE memory_id = m.id) AS files,
      (SELECT json_group_array(json(symbols)) FROM memory_files WHERE memory_id = m.id) AS symbols,
      coalesce((SELECT text FROM prompts WHERE turn_id = m.turn_id AND origin = 'person' AND is_private = 0
        ORDER BY number LIMIT 1), '') AS request,
      CASE WHEN m.kind = 'summary' THEN (SELECT json_group_array(o.title || char(10) || o.narrative || char(10) || o.facts)
        FROM memories o WHERE o.turn_id = m.turn_id AND o.kind = 'observation') ELSE '[]' END AS siblings
    FROM memories m LEFT JOIN sessions s ON s.id = m.session_id WHERE m.id = ?`)
    .get(id);
  if (!row) return null;
  const { kind, type, title, subtitle, narrative, branch, saidBy, request } = row;
  const source: SearchSource = {
    ...{ kind, type, title, subtitle, narrative, branch, saidBy, request },
    siblings: JSON.parse(row.siblings),
    isSuperseded: row.supersededBy !== null,
    facts: JSON.parse(row.facts),
    concepts: JSON.parse(row.concepts),
    parts: row.parts === null ? null : JSON.parse(row.parts),
    aliases: JSON.parse(row.aliases),
    files: JSON.parse(row.files),
    symbols: (JSON.parse(row.symbols) as string[][]).flat(),
  };
  return { source, place: row };
}

type PromptRow = { text: string; branch: string | null } & Pick<
  PlaceOfDoc,
  'projectId' | 'sessionId' | 'at' | 'agent'
>;

function readPrompt(db: Database, id: number): FoundSource | null {
  const row = db
    .prepare<PromptRow>(`
    SELECT p.text, s.branch, s.project_id AS projectId, p.session_id AS sessionId, p.at, s.agent
    FROM prompts p JOIN sessions s ON s.id = p.session_id
    WHERE p.id = ? AND p.origin = 'person' AND p.is_private = 0`)
    .get(id);
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
    request: '',
    siblings: [],
    isSuperseded: false,
  };
  return {
    source,
    place: { ...row, isGlobal: 0, supersededBy: null, pinnedAt: null, mergedAt: null },
  };
}
