import { QUICK_BREADTH, type SearchBreadth } from './candidates.ts';
import { gatherCandidates, type RecallStore } from './gather-candidates.ts';
import { followLinks } from './links.ts';
import { orderCandidates, rank } from './rank.ts';
import type { Hit, RecallRequest } from './request.ts';
import { settleSuperseded } from './superseded.ts';
import { WEIGHTS } from './weights.ts';

/** Ranked memories for a query, each with the reasons for its rank. The same question gets the same answer. */
export function recall(store: RecallStore, request: RecallRequest, breadth?: SearchBreadth): Hit[] {
  const candidates = settleSuperseded(store, gatherCandidates(store, request, breadth));
  const readSource = (id: number) => store.readSearchSource?.(id) ?? null;
  // Unrequested context uses only memories that contain the words, and shows no reasons.
  if (breadth === QUICK_BREADTH) return rank(candidates, request.limit);
  if (candidates.question.parsed.terms.length === 0)
    return rank(candidates, request.limit, WEIGHTS, readSource);
  const linked = followLinks(store, candidates, orderCandidates(candidates));
  return rank(linked, request.limit, WEIGHTS, readSource);
}
