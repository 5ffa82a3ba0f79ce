import type {
  QueryWords,
  ScopeCounts,
  SearchDoc,
  SearchFilter,
  SearchKind,
  SearchScope,
  SearchSource,
} from '../types/search.ts';
import { createMatchCounter } from './count-matches.ts';
import type { Database } from './open.ts';
import { countRows, type IdRow, requireRow } from './rows.ts';
import { readDocs } from './search-docs.ts';
import { createIndexQueries } from './search-index.ts';
import { buildMatch, buildScopeMatch, inText, matchAll, quoteTerm } from './search-match.ts';
import { readSource } from './search-sources.ts';

/** A term in more documents than this is common; its frequency is estimated from a sample. */
const COUNTED = 1_000;

/**
 * Only the newest this many documents are ranked: for very common words the rank means little, and ranking a million
 * takes a second.
 */
const MOST_ORDERED = 4_000;

/** The index over memories and prompts: derived, and can be rebuilt at any time. */
export function createSearchQueries(db: Database) {
  return {
    ...createIndexQueries(db),
    /** The number of documents in a scope, and how many contain each term: an estimate above `counted`. */
    countTerms(scope: SearchScope, terms: string[], most = COUNTED): ScopeCounts {
      const members = listMemberProjects(db, scope);
      const scopeMatch = buildScopeMatch({ ...scope, kinds: kindsToMatch(scope, members) }, members);
      const count = createMatchCounter(db, 'search_words');
      const counts = terms.map((term) => count(matchAll([scopeMatch, quoteTerm(term)]), most));
      return { ...countTotals(db, members), terms: counts };
    },
    /** The documents that match these words best, at most `limit`. Of very many matches only the newest are ranked. */
    findSearchCandidates(words: QueryWords, filter: SearchFilter, limit: number): number[] {
      if (words.any.length + words.pairs.length === 0) return [];
      const members = listMemberProjects(db, filter);
      const matched = isScopeMatched(db, members) ? members : null;
      const match = buildMatch(words, { ...filter, kinds: kindsToMatch(filter, matched) }, matched);
      const { sql, values } = buildConditions(filter);
      const matchSql = `
        FROM search_words JOIN search_docs d ON d.id = search_words.rowid
        WHERE search_words MATCH ?1 AND ${IN_SCOPE} ${sql}`;
      const matchValues = [match, JSON.stringify(members), JSON.stringify(filter.kinds), ...values];
      const oldest = isMatchEnough(filter, members, matched)
        ? findOldestMatch(db, match)
        : hasMany(db, match)
          ? findOldestFitting(db, matchSql, matchValues)
          : 0;
      const rows = db
        .prepare<IdRow>(`SELECT d.id ${matchSql} AND search_words.rowid >= ? ORDER BY rank LIMIT ?`)
        .all(...matchValues, oldest, limit);
      return rows.map(({ id }) => id);
    },
    /** The agents and branches that memories and prompts are from. */
    listSources: (): { agents: string[]; branches: string[] } => ({
      agents: listDistinct(db, 'agent'),
      branches: listDistinct(db, 'branch'),
    }),
    /** The newest documents with this term, unranked: ranking a common one takes as long as a whole search. */
    listNewestWithTerm(term: string, scope: SearchScope, limit: number): number[] {
      const scopeMatch = buildScopeMatch(scope, listMemberProjects(db, scope));
      const match = matchAll([inText(quoteTerm(term)), scopeMatch]);
      const rows = db
        .prepare<IdRow>(
          'SELECT rowid AS id FROM search_words WHERE search_words MATCH ? ORDER BY rowid DESC LIMIT ?',
        )
        .all(match, limit);
      return rows.map(({ id }) => id);
    },
    /** The indexed terms that begin with one of these, in order of these; at most `most`. */
    listIndexedTerms(prefixes: string[], most: number): string[] {
      const rows = db
        .prepare<{ term: string }>(`
        SELECT t.term FROM json_each(?) asked CROSS JOIN search_terms t
        WHERE t.term >= asked.value AND t.term < asked.value || char(0x10ffff) LIMIT ?`)
        .all(JSON.stringify(prefixes), most);
      return [...new Set(rows.map(({ term }) => term))];
    },
    /** The newest documents that match. */
    listNewestDocs(filter: SearchFilter, limit: number): number[] {
      const { sql, values } = buildConditions(filter);
      const texts = buildTextConditions(filter);
      const rows = db
        .prepare<IdRow>(`
        SELECT d.id FROM search_docs d
        WHERE (?1 = '[]' OR d.type IN (SELECT value FROM json_each(?1))) AND ${IN_SCOPE} ${sql} ${texts.sql}
        ORDER BY d.at DESC, d.id DESC LIMIT ?`)
        .all(
          JSON.stringify(filter.types),
          JSON.stringify(listMemberProjects(db, filter)),
          JSON.stringify(filter.kinds),
          ...values,
          ...texts.values,
          limit,
        );
      return rows.map(({ id }) => id);
    },
    /** Unordered; for the first `around` also their neighbours in the session. */
    readSearchDocs: (ids: number[], around: number): SearchDoc[] => readDocs(db, ids, around),
    /** What a document was indexed from; null if it is gone. */
    readSearchSource: (id: number): SearchSource | null => readSource(db, id)?.source ?? null,
  };
}

/** Whether more documents match than are ranked. */
function hasMany(db: Database, match: string): boolean {
  if (countTotals(db, null).docs <= MOST_ORDERED) return false;
  const some = '(SELECT 1 FROM search_words WHERE search_words MATCH ? LIMIT ?)';
  return countRows(db, some, match, MOST_ORDERED + 1) > MOST_ORDERED;
}

/** The oldest document that is ranked. */
function findOldestFitting(db: Database, matchSql: string, matchValues: (string | number)[]): number {
  const sql = `SELECT min(id) AS id FROM (SELECT d.id ${matchSql} ORDER BY search_words.rowid DESC LIMIT ?)`;
  return db.prepare<{ id: number | null }>(sql).get(...matchValues, MOST_ORDERED)?.id ?? 0;
}

/** The same for memories of every kind, which have even ids. Without the join it takes a tenth of the time. */
function findOldestMatch(db: Database, match: string): number {
  const sql = `SELECT rowid AS id FROM search_words WHERE search_words MATCH ? AND rowid % 2 = 0
    ORDER BY rowid DESC LIMIT 1 OFFSET ?`;
  return db.prepare<IdRow>(sql).get(match, MOST_ORDERED - 1)?.id ?? 0;
}

/** Whether the full text index alone applies the whole filter, without a join with the documents. */
function isMatchEnough(filter: SearchFilter, members: number[] | null, matched: number[] | null): boolean {
  const isMatched = members === null || matched !== null;
  const isEveryMemory = !filter.kinds.includes('prompt') && filter.kinds.length === MEMORY_KINDS.length;
  return isMatched && isEveryMemory && buildConditions(filter).sql === '';
}

const AMONG = 'IN (SELECT value FROM json_each(?))';

/** Global memories are in every scope. */
const IN_SCOPE = `(?2 = 'null' OR d.is_global OR d.project_id IN (SELECT value FROM json_each(?2)))
  AND d.kind IN (SELECT value FROM json_each(?3))`;

const MEMORY_KINDS: SearchKind[] = ['observation', 'summary', 'note'];

/**
 * The kinds to include in the full text query. Most documents are observations, and to rank by that word FTS5 would
 * read all of them. All memories are matched instead, and the few of other kinds are filtered out afterwards.
 */
function kindsToMatch({ kinds }: SearchScope, members: number[] | null): SearchKind[] {
  if (!kinds.includes('observation')) return kinds;
  return members === null || kinds.includes('prompt') ? [...MEMORY_KINDS, 'prompt'] : MEMORY_KINDS;
}

/** A typical number of documents that match the words of a long question. */
const USUALLY_ORDERED = 2_000;
/** Ranking one document takes as long as counting this many. */
const COUNTED_MEANWHILE = 25;

/**
 * If the query includes the scope's words, FTS5 counts all their documents to compute ranks. If that takes longer than
 * ranking matches of other projects, the join applies the scope instead.
 */
function isScopeMatched(db: Database, members: number[] | null): boolean {
  if (members === null) return false;
  const inside = countTotals(db, members).docs;
  const outside = countTotals(db, null).docs - inside;
  return (outside / inside) * USUALLY_ORDERED * COUNTED_MEANWHILE > inside;
}

/** Includes merged projects. */
export function listMemberProjects(db: Database, { projects }: SearchScope): number[] | null {
  if (projects === null) return null;
  if (projects.every((project) => typeof project === 'number')) return listMembersOf(db, projects);
  const rows = db
    .prepare<IdRow>(`
    SELECT DISTINCT m.id FROM project_roots m
    JOIN project_roots asked ON asked.root = m.root JOIN projects p ON p.id = asked.id
    WHERE asked.id ${AMONG} OR lower(coalesce(p.alias, p.name)) ${AMONG}`)
    .all(
      JSON.stringify(projects.filter((project) => typeof project === 'number')),
      JSON.stringify(projects.map((project) => String(project).toLowerCase())),
    );
  return rows.map(({ id }) => id);
}

/** A faster query for numbers only: a hook calls it three times per prompt. */
function listMembersOf(db: Database, projects: number[]): number[] {
  const rows = db
    .prepare<IdRow>(`
    SELECT id FROM project_roots WHERE root IN (SELECT root FROM project_roots WHERE id ${AMONG})`)
    .all(JSON.stringify(projects));
  return rows.map(({ id }) => id);
}

function countTotals(db: Database, members: number[] | null): Omit<ScopeCounts, 'terms'> {
  const row = requireRow(
    db
      .prepare<{ docs: number; words: number }>(`
    SELECT coalesce(sum(docs), 0) AS docs, coalesce(sum(words), 0) AS words FROM search_totals
    WHERE ?1 = 'null' OR project_id IN (SELECT value FROM json_each(?1))`)
      .get(JSON.stringify(members)),
  );
  const { docs, words } = row;
  return { docs, averageWords: docs > 0 ? words / docs : 0 };
}

function listDistinct(db: Database, column: 'agent' | 'branch'): string[] {
  return db
    .prepare<{ name: string }>(
      `SELECT DISTINCT ${column} AS name FROM search_docs WHERE ${column} IS NOT NULL ORDER BY name`,
    )
    .all()
    .map(({ name }) => name);
}

/** Phrases and excluded words as conditions, for a query without other words to match. */
function buildTextConditions({ phrases, without }: SearchFilter): { sql: string; values: string[] } {
  const matched = 'IN (SELECT rowid FROM search_words WHERE search_words MATCH ?)';
  return {
    sql: [...phrases.map(() => `AND d.id ${matched}`), ...without.map(() => `AND d.id NOT ${matched}`)].join(
      ' ',
    ),
    values: [...phrases, ...without].map((phrase) => inText(quoteTerm(phrase))),
  };
}

/** Filters that the full text index cannot apply, as conditions on a document `d`. */
export function buildConditions(filter: SearchFilter): { sql: string; values: (string | number)[] } {
  const parts: [string, string | number][] = [];
  if (filter.branches.length > 0) parts.push([`d.branch ${AMONG}`, JSON.stringify(filter.branches)]);
  if (filter.agents.length > 0) parts.push([`d.agent ${AMONG}`, JSON.stringify(filter.agents)]);
  if (filter.since !== null) parts.push(['d.at >= ?', filter.since]);
  if (filter.before !== null) parts.push(['d.at < ?', filter.before]);
  if (filter.withoutSuperseded) parts.push(['coalesce(d.superseded_by, 0) = ?', 0]);
  if (filter.files.length > 0)
    parts.push([
      `EXISTS (SELECT 1 FROM memory_files f, json_each(?) asked WHERE f.memory_id * 2 = d.id
        AND ('/' || lower(f.path) || '/') GLOB ('*/' || asked.value || '/*'))`,
      JSON.stringify(filter.files.map((file) => file.toLowerCase().replace(/^[./]+|\/+$/g, ''))),
    ]);
  return { sql: parts.map(([sql]) => `AND ${sql}`).join(' '), values: parts.map(([, value]) => value) };
}
