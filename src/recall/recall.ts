import { type Breadth, QUICK } from './candidates.ts';
import { followLinks } from './links.ts';
import { look, type RecallStore } from './look.ts';
import { order, rank } from './rank.ts';
import type { Hit, RecallRequest } from './request.ts';

/** Ranked memories for a query, each with the reasons for its rank. The same question gets the same answer. */
export function recall(store: RecallStore, request: RecallRequest, breadth?: Breadth): Hit[] {
  const looked = look(store, request, breadth);
  // Where nobody asked, only what has the words itself is said.
  if (breadth === QUICK || looked.question.asked.terms.length === 0) return rank(looked, request.limit);
  return rank(followLinks(store, looked, order(looked)), request.limit);
}
