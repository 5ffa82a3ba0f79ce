import { QUICK_BREADTH, type SearchBreadth } from './candidates.ts';
import { findExactNames } from './errors/exact-names.ts';
import { type Candidates, gatherCandidates, type RecallStore } from './gather-candidates.ts';
import { followLinks } from './links.ts';
import { orderCandidates, rank, rankAndCount } from './rank.ts';
import type { ReadSource } from './reasons.ts';
import type { Hit, HitList, RecallRequest } from './request.ts';
import { settleSuperseded } from './superseded.ts';

/** Ranked memories for a query, each with the reasons for its rank. The same question gets the same answer. */
export function recall(store: RecallStore, request: RecallRequest, breadth?: SearchBreadth): Hit[] {
  return recallFrom(store, request, () => gather(store, request, breadth), breadth).hits;
}

/** The same, and how many more answer the query. */
export function recallAndCount(store: RecallStore, request: RecallRequest): HitList {
  return recallFrom(store, request, () => gather(store, request));
}

/** What a query is answered from. */
export function gather(store: RecallStore, request: RecallRequest, breadth?: SearchBreadth): Candidates {
  return settleSuperseded(store, gatherCandidates(store, request, breadth));
}

/** The same with candidates that are gathered when they are needed, or were before. */
export function recallFrom(
  store: RecallStore,
  request: RecallRequest,
  getCandidates: () => Candidates,
  breadth?: SearchBreadth,
): HitList {
  const names = breadth === QUICK_BREADTH ? null : findExactNames(request);
  if (!names) return findHits(store, getCandidates(), breadth);
  const exact = findExact(store, request, names.phrases);
  if (names.isAll) return { ...exact, hits: exact.hits.map(toStrong) };
  const all = findHits(store, getCandidates(), breadth);
  const isTelling = !names.areCommon && exact.hits.length <= FEW_WITH_NAME;
  return putFirst(
    isTelling ? exact.hits.map(toStrong) : selectStrong(exact.hits, all.hits),
    all,
    request.limit,
  );
}

function findHits(store: RecallStore, candidates: Candidates, breadth?: SearchBreadth): HitList {
  const { parsed, request } = candidates.question;
  // Unrequested context uses only memories that contain the words, and shows no reasons.
  if (breadth === QUICK_BREADTH) return { hits: rank(candidates, request.limit), more: 0 };
  const readSource = createSourceReader(store);
  if (parsed.terms.length === 0) return rankAndCount(candidates, request.limit, { readSource });
  const linked = followLinks(store, candidates, orderCandidates(candidates));
  return rankAndCount(linked, request.limit, { readSource });
}

/** For the reasons of hits. */
export function createSourceReader(store: RecallStore): ReadSource {
  return (id) => store.readSearchSource?.(id) ?? null;
}

/** What has all of the names, or else one of them. */
function findExact(store: RecallStore, request: RecallRequest, names: string[][]): HitList {
  const find = (phrases: string[]) => findHits(store, gather(store, { ...request, phrases }));
  const all = names.length > 1 ? [find(names.flatMap(([parts]) => parts ?? []))] : [];
  const isFound = all.some(({ hits }) => hits.length > 0);
  const lists = isFound ? all : names.flat().map((phrase) => find([phrase]));
  const hits = lists.flatMap((list) => list.hits);
  const best = new Map<string, Hit>();
  for (const hit of hits) {
    const known = best.get(keyOf(hit));
    if (!known || hit.score > known.score) best.set(keyOf(hit), hit);
  }
  const ordered = [...best.values()].sort((one, other) => other.score - one.score);
  const more = lists.reduce((sum, list) => sum + list.more, 0);
  return { hits: ordered.slice(0, request.limit), more: more + Math.max(0, ordered.length - request.limit) };
}

/** A name that more memories have does not tell which is meant: the other words do. */
const FEW_WITH_NAME = 3;

function selectStrong(exact: Hit[], all: Hit[]): Hit[] {
  const strong = new Set(all.filter(({ isWeaker }) => !isWeaker).map(keyOf));
  return exact.filter((hit) => strong.has(keyOf(hit))).map(toStrong);
}

function toStrong(hit: Hit): Hit {
  return { ...hit, isWeaker: false };
}

/** The rest is so far behind that no mark of reliability brings it forward again. */
const BEHIND_EXACT = 0.3;

function putFirst(exact: Hit[], { hits: all, more }: HitList, limit: number): HitList {
  const first = new Set(exact.map(keyOf));
  const most = exact.length > 0 ? BEHIND_EXACT * Math.min(...exact.map(({ score }) => score)) : 1;
  const rest = all
    .filter((hit) => !first.has(keyOf(hit)))
    .map((hit) => ({ ...hit, score: Math.min(hit.score, most * hit.score) }));
  return cutList([...exact, ...rest], limit, more);
}

/** @param more hits that were left out before */
export function cutList(hits: Hit[], limit: number, more: number): HitList {
  const leftOut = hits.slice(limit).filter(({ isWeaker }) => !isWeaker);
  return { hits: hits.slice(0, limit), more: more + leftOut.length };
}

function keyOf({ kind, id }: Hit): string {
  return `${kind} ${id}`;
}
