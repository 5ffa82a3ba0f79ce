import { joinTokens } from '../../indexing/search-text.ts';
import { INDEXED_STOP_WORDS, STOP_WORDS } from '../../indexing/stop-words.ts';
import { tokenise } from '../../indexing/tokenise.ts';
import { hasErrorName, normaliseError, parseErrors } from '../../model/error-text.ts';
import type { Store } from '../../store/store.ts';
import type { StoredError } from '../../store/types/error.ts';
import { type ParsedQuery, parseQuery } from '../parse-query.ts';
import type { RecallRequest } from '../request.ts';

/** An error that was searched for, each text of it once. */
export interface ErrorHit {
  error: StoredError;
  /** How often it was seen among what was found. */
  times: number;
  /** The memory of what was done about it. */
  fix: number | null;
}

/** Of a pasted error this share of the words has to be in the one that was stored. */
const PASTED_SHARE = 0.6;
const READ = 60;
const MOST_TERMS = 40;
/** Fewer words in a row are in many errors by chance. */
const PHRASE_WORDS = 3;

/**
 * The errors of failed calls that a query is about: a pasted stack trace, the name of an error, a row of its words. With
 * kind:error any words, or the newest. Other questions get none.
 */
export function findErrors(
  store: Pick<Store, 'findErrors' | 'findFix'>,
  request: RecallRequest,
  limit: number,
): { hits: ErrorHit[]; more: number } {
  const query = parseQuery(request.text, request.now);
  const asked = readAsked(query, request.text);
  if (!asked || isAboutMemories(query)) return { hits: [], more: 0 };
  const here = request.reach === 'all' ? null : request.projectId === null ? [] : [request.projectId];
  const projects = query.projects.length > 0 ? query.projects : here;
  const found = store.findErrors(asked.terms, { projects, since: query.since, before: query.before }, READ);
  const hits = new Map<string, ErrorHit>();
  for (const error of found.filter(asked.fits)) {
    const text = `${error.name}\n${error.message}`;
    const known = hits.get(text);
    if (known) known.times++;
    else hits.set(text, { error, times: 1, fix: null });
  }
  const best = [...hits.values()].slice(0, limit);
  return {
    hits: best.map((hit) => ({ ...hit, fix: store.findFix(hit.error) })),
    more: hits.size - best.length,
  };
}

interface Asked {
  terms: string[];
  fits: (error: StoredError) => boolean;
}

function readAsked(query: ParsedQuery, text: string): Asked | null {
  if (text.includes('\n')) return readPasted(text);
  const words = normaliseError(query.words);
  const terms = [...new Set(tokenise(words))].filter(isTelling).slice(0, MOST_TERMS);
  const row = joinTokens([words]);
  const hasAll = ({ words: stored }: StoredError) => terms.every((term) => stored.includes(` ${term} `));
  if (query.asksForErrors) return { terms, fits: hasAll };
  if (terms.length === 0) return null;
  const isRow = ({ words: stored }: StoredError) => stored.includes(row);
  if (hasErrorName(query.words)) return { terms, fits: (error) => isRow(error) || hasAll(error) };
  return tokenise(words).length >= PHRASE_WORDS ? { terms, fits: isRow } : null;
}

/** The first error of a pasted output; the others are mostly consequences. */
function readPasted(text: string): Asked | null {
  const [error] = parseErrors(text, 1);
  if (!error || (error.name === '' && error.frames.length === 0)) return null;
  const terms = [...new Set(tokenise(`${error.name} ${error.message}`))]
    .filter(isTelling)
    .slice(0, MOST_TERMS);
  const name = joinTokens([error.name]);
  return {
    terms,
    fits: ({ words }) =>
      words.includes(name) &&
      terms.filter((term) => words.includes(` ${term} `)).length >= terms.length * PASTED_SHARE,
  };
}

/** Errors have no type, branch, file or agent of their own. */
function isAboutMemories({ kinds, asksForErrors, types, branches, agents, files }: ParsedQuery): boolean {
  const narrow = [types, branches, agents, files].some((values) => values.length > 0);
  return narrow || (kinds.length > 0 && !asksForErrors);
}

function isTelling(term: string): boolean {
  return !STOP_WORDS.has(term) && !INDEXED_STOP_WORDS.has(term);
}
