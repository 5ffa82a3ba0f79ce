import type { Breadth } from './candidates.ts';
import { look, type RecallStore } from './look.ts';
import { rank } from './rank.ts';
import type { Hit, RecallRequest } from './request.ts';

/** Ranked memories for a query, each with the reasons for its rank. The same question gets the same answer. */
export function recall(store: RecallStore, request: RecallRequest, breadth?: Breadth): Hit[] {
  return rank(look(store, request, breadth), request.limit);
}
