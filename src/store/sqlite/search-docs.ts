import type { SearchDoc } from '../types/search.ts';
import type { Database } from './open.ts';

const COLUMNS: Record<Exclude<keyof SearchDoc, 'previous' | 'next'>, string> = {
  id: 'd.id',
  kind: 'd.kind',
  type: 'd.type',
  projectId: 'r.root',
  sessionId: 'd.session_id',
  at: 'd.at',
  branch: 'd.branch',
  saidBy: 'd.said_by',
  isGlobal: 'd.is_global',
  supersededBy: 'd.superseded_by',
  pinnedAt: 'd.pinned_at',
  mergedAt: 'd.merged_at',
  asks: 'd.asks',
  mentions: 'd.mentions',
  words: 'd.words',
  title: 'd.title',
  body: 'd.body',
  header: 'd.header',
};

const PREVIOUS = `(SELECT p.id FROM search_docs p WHERE p.session_id = d.session_id AND (p.at, p.id) < (d.at, d.id)
  ORDER BY p.at DESC, p.id DESC LIMIT 1)`;
const NEXT = `(SELECT n.id FROM search_docs n WHERE n.session_id = d.session_id AND (n.at, n.id) > (d.at, d.id)
  ORDER BY n.at, n.id LIMIT 1)`;

/**
 * Reads documents, and for the first `around` also their neighbours in the session. A question has hundreds of
 * documents, so only these few get neighbours, and rows are read as arrays.
 */
export function readDocs(db: Database, ids: number[], around: number): SearchDoc[] {
  const first = read(db, ids.slice(0, around), PREVIOUS, NEXT);
  const others = new Set(ids.slice(around));
  for (const { previous, next } of first) for (const id of [previous, next]) if (id !== null) others.add(id);
  for (const { id } of first) others.delete(id);
  const docs = [...first, ...read(db, [...others], 'NULL', 'NULL')];
  const byId = new Map(docs.map((doc) => [doc.id, doc]));
  for (const { id, previous, next } of first) {
    const before = previous === null ? undefined : byId.get(previous);
    const after = next === null ? undefined : byId.get(next);
    if (before) before.next = id;
    if (after) after.previous = id;
  }
  return docs;
}

function read(db: Database, ids: number[], previous: string, next: string): SearchDoc[] {
  if (ids.length === 0) return [];
  const statement = db.prepare<DocRow>(`
    SELECT ${Object.values(COLUMNS)}, ${previous}, ${next}
    FROM json_each(?) asked JOIN search_docs d ON d.id = asked.value
    LEFT JOIN project_roots r ON r.id = d.project_id`);
  statement.setReturnArrays(true);
  return statement.all(JSON.stringify(ids)).map(toDoc);
}

type DocRow = [
  SearchDoc['id'],
  SearchDoc['kind'],
  SearchDoc['type'],
  SearchDoc['projectId'],
  SearchDoc['sessionId'],
  SearchDoc['at'],
  SearchDoc['branch'],
  SearchDoc['saidBy'],
  SearchDoc['isGlobal'],
  SearchDoc['supersededBy'],
  SearchDoc['pinnedAt'],
  SearchDoc['mergedAt'],
  SearchDoc['asks'],
  SearchDoc['mentions'],
  SearchDoc['words'],
  SearchDoc['title'],
  SearchDoc['body'],
  SearchDoc['header'],
  SearchDoc['previous'],
  SearchDoc['next'],
];

function toDoc(row: DocRow): SearchDoc {
  return {
    id: row[0],
    kind: row[1],
    type: row[2],
    projectId: row[3],
    sessionId: row[4],
    at: row[5],
    branch: row[6],
    saidBy: row[7],
    isGlobal: row[8],
    supersededBy: row[9],
    pinnedAt: row[10],
    mergedAt: row[11],
    asks: row[12],
    mentions: row[13],
    words: row[14],
    title: row[15],
    body: row[16],
    header: row[17],
    previous: row[18],
    next: row[19],
  };
}
