import type { SearchDoc } from '../store/types/search.ts';
import type { RankedMatch } from './calibrate.ts';
import { computeFeatures } from './features/all.ts';
import { extractNames } from './features/names.ts';
import type { Candidates, RecallStore } from './gather-candidates.ts';
import { type Match, matchDoc } from './match.ts';
import type { Question } from './parse-question.ts';

/** The number of best hits that links start from; linked ones rank behind them. */
const LEADING = 3;
/** A name in more memories than these links nothing. */
const MOST_SHARING = 8;
/** Limits for a few milliseconds: names per document, names looked up, memories fetched. */
const NAMES_OF_ONE = 10;
const MOST_NAMES = 8;
const MOST_FETCHED = 20;
/** A name in this many of the best hits is looked up first. */
const GOOD = 60;

/** Why a document may match without the question's words: it shares a rare name with a good hit. */
export interface Link {
  name: string;
  from: SearchDoc;
  /** From 0 to 1: higher for rarer names and better hits. */
  strength: number;
}

export interface LinkedCandidates extends Candidates {
  leading: Set<number>;
  /** By linked document. */
  links: Map<number, Link>;
}

/**
 * "What fixed the ECONNRESET in the uploader?" needs two memories: one has the error and names a file, the other the
 * change in that file. Follows one link from the best matches, by names that few memories have.
 */
export function followLinks(
  store: RecallStore,
  candidates: Candidates,
  ranked: RankedMatch[],
): LinkedCandidates {
  const best = ranked.slice(0, GOOD).map(({ match }) => match);
  const leading = best.slice(0, LEADING);
  const sharing = rareNames(store, candidates, best);
  const found = [...candidates.found, ...fetched(store, candidates, sharing)];
  const links = new Map<number, Link>();
  for (const from of leading) {
    const share = shareOf(candidates.question, from);
    for (const { name, count } of sharing) {
      if (!has(from.doc, name)) continue;
      const strength = share / (count - 1);
      for (const { match } of found)
        if (match !== from && strength > (links.get(match.doc.id)?.strength ?? 0) && has(match.doc, name))
          links.set(match.doc.id, { name, from: from.doc, strength });
    }
  }
  return { ...candidates, found, leading: new Set(leading.map(({ doc }) => doc.id)), links };
}

interface SharedName {
  name: string;
  count: number;
}

/** The names of the first of these that few others have too. */
function rareNames(store: RecallStore, { question, filter }: Candidates, best: Match[]): SharedName[] {
  const names = new Set(
    best.slice(0, LEADING).flatMap(({ doc }) => [...extractNames(doc)].slice(0, NAMES_OF_ONE)),
  );
  for (const term of question.parsed.terms) names.delete(term);
  const likely = [...names]
    .map((name) => ({ name, count: countUpTo(MOST_SHARING + 1, best, name) }))
    .filter(({ count }) => count <= MOST_SHARING)
    .sort((a, b) => Number(b.count > 1) - Number(a.count > 1))
    .slice(0, MOST_NAMES)
    .map(({ name }) => name);
  const counts = store.countTerms(filter, likely).terms;
  return likely
    .map((name, index) => ({ name, count: counts[index] ?? 0 }))
    .filter(({ count }) => count > 1 && count <= MOST_SHARING);
}

function countUpTo(most: number, matches: Match[], name: string): number {
  let count = 0;
  for (const { doc } of matches) if (has(doc, name) && ++count === most) break;
  return count;
}

/** Documents with such a name that no word of the question found. */
function fetched(store: RecallStore, candidates: Candidates, sharing: SharedName[]): Candidates['found'] {
  const { question, filter, averageWords, titledFeatures } = candidates;
  const matched = candidates.found.map(({ match }) => match);
  const missing = sharing.filter(({ name, count }) => countUpTo(count, matched, name) < count);
  if (missing.length === 0) return [];
  const known = new Set(matched.map(({ doc }) => doc.id));
  const ids = store
    .findSearchCandidates({ any: missing.map(({ name }) => name), pairs: [] }, filter, MOST_FETCHED)
    .filter((id) => !known.has(id));
  const matches = store
    .readSearchDocs(ids, 0)
    .map((doc) => matchDoc(doc, question.parsed.terms, averageWords));
  const features = computeFeatures(question, matches, titledFeatures);
  return matches.flatMap((match, index) => (features[index] ? [{ match, features: features[index] }] : []));
}

function shareOf({ idf }: Question, { own }: Match): number {
  const total = idf.reduce((sum, weight) => sum + weight, 0);
  return idf.reduce((sum, weight, index) => sum + (own[index] ? weight : 0), 0) / (total || 1);
}

function has({ title, body, header }: SearchDoc, name: string): boolean {
  const word = ` ${name} `;
  return body.includes(word) || header.includes(word) || title.includes(word);
}
