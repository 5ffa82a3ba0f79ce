import { describeTooLong, LONGEST_QUERY, MISSING_TERMS } from '../model/value-problems.ts';
import { parseQuery } from './parse-query.ts';

/** Why a query cannot be searched for; null if it can. The same for commands, tools and the API. */
export function findQueryProblem(text: string, now: number): string | null {
  if (text.trim() === '') return MISSING_TERMS;
  if (text.length > LONGEST_QUERY) return `${describeTooLong('The query', LONGEST_QUERY)}.`;
  return parseQuery(text, now).problems[0] ?? null;
}
