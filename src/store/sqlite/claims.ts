import type { ClaimDoc, QueryWords } from '../types/search.ts';
import { CLAIM_IDS } from './claim-index.ts';
import { createMatchCounter } from './count-matches.ts';
import type { Database } from './open.ts';
import { countRows, requireRow } from './rows.ts';
import { listMemberProjects } from './search.ts';
import { matchAll, quoteTerm } from './search-match.ts';

const COLUMNS = `d.id / ${CLAIM_IDS} AS memoryId, d.id % ${CLAIM_IDS} AS position, d.type, d.words, d.request, m.session_id AS sessionId`;
/** Claims with their memories. */
const DOCS = `claim_docs d JOIN memories m ON m.id = d.id / ${CLAIM_IDS}`;

/** Claims and headers of a project and of global memories. */
export function createClaimQueries(db: Database) {
  return {
    /** How many claims and headers there are. */
    countClaimDocs(projectId: number): number {
      const { docs } = requireRow(
        db
          .prepare<{ docs: number }>(`
            SELECT coalesce(sum(docs), 0) AS docs FROM claim_totals
            WHERE project_id IN (SELECT value FROM json_each(?))`)
          .get(JSON.stringify(membersOf(db, projectId))),
      );
      return docs + countRows(db, 'claim_docs WHERE is_global');
    },
    /** All claims and headers. */
    listClaimDocs(projectId: number): ClaimDoc[] {
      return db
        .prepare<ClaimDoc>(`
          SELECT ${COLUMNS} FROM ${DOCS} WHERE d.project_id IN (SELECT value FROM json_each(?)) AND NOT d.is_global
          UNION ALL SELECT ${COLUMNS} FROM ${DOCS} WHERE d.is_global`)
        .all(JSON.stringify(membersOf(db, projectId)));
    },
    /** How many claims and headers contain each term; above `most`, an estimate. */
    countClaimTerms(projectId: number, terms: string[], most: number): number[] {
      const scope = scopeMatch(membersOf(db, projectId));
      const count = createMatchCounter(db, 'claim_words');
      return terms.map((term) => count(matchAll([scope, `{words request} : ${quoteTerm(term)}`]), most));
    },
    /** The claims that match these words best, with their headers. If a header matches, its claims are included. */
    findClaimDocs(projectId: number, { any, pairs }: QueryWords, limit: number): ClaimDoc[] {
      if (any.length + pairs.length === 0) return [];
      const wanted = [
        ...any.map(quoteTerm),
        ...pairs.map((pair) => `(${pair.map(quoteTerm).join(' AND ')})`),
      ].join(' OR ');
      const match = matchAll([scopeMatch(membersOf(db, projectId)), `{words request} : (${wanted})`]);
      return db
        .prepare<ClaimDoc>(`
          WITH best AS (SELECT rowid AS id FROM claim_words WHERE claim_words MATCH ? ORDER BY rank LIMIT ?)
          SELECT ${COLUMNS} FROM ${DOCS} WHERE d.id IN (
            SELECT id FROM best UNION SELECT id - id % ${CLAIM_IDS} FROM best
            UNION SELECT c.id FROM best JOIN claim_docs c
              ON best.id % ${CLAIM_IDS} = 0 AND c.id BETWEEN best.id AND best.id + ${CLAIM_IDS - 1})`)
        .all(match, limit);
    },
  };
}

function membersOf(db: Database, projectId: number): number[] {
  return listMemberProjects(db, { projects: [projectId], kinds: [] }) ?? [];
}

function scopeMatch(members: number[]): string {
  return `scope : (${[...members.map((id) => `m${id}`), 'mglobal'].join(' OR ')})`;
}
