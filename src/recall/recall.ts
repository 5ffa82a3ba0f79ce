import { QUICK_BREADTH, type SearchBreadth } from './candidates.ts';
import { gatherCandidates, type RecallStore } from './gather-candidates.ts';
import { followLinks } from './links.ts';
import { orderCandidates, rank } from './rank.ts';
import type { Hit, RecallRequest } from './request.ts';

/** Ranked memories for a query, each with the reasons for its rank. The same question gets the same answer. */
export function recall(store: RecallStore, request: RecallRequest, breadth?: SearchBreadth): Hit[] {
  const candidates = gatherCandidates(store, request, breadth);
  // Unrequested context uses only memories that contain the words.
  if (breadth === QUICK_BREADTH || candidates.question.parsed.terms.length === 0)
    return rank(candidates, request.limit);
  return rank(followLinks(store, candidates, orderCandidates(candidates)), request.limit);
}
