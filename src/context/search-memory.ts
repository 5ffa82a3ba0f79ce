import { findErrors } from '../recall/errors/find-errors.ts';
import { correctQuery, type Replacement } from '../recall/near-words/correct-query.ts';
import { parseQuery } from '../recall/parse-query.ts';
import { recallTopics } from '../recall/recall-topics.ts';
import type { RecallRequest } from '../recall/request.ts';
import type { Store } from '../store/store.ts';
import { presentErrors } from './present-errors.ts';
import { type PresentedHit, presentHits } from './present-hits.ts';
import type { ReliabilityOf } from './reliability.ts';

/** Enough for a failed call and its consequences. */
const MOST_ERRORS = 3;

export interface SearchAnswer {
  /** Errors first, then memories, best first; the weaker ones last. */
  hits: PresentedHit[];
  /** Words that no memory has, with those that were searched for instead. */
  replaced: Replacement[];
}

/** A search by a person or an agent: commands, tools and pages all use it. */
export function searchMemory(
  store: Store,
  request: RecallRequest,
  reliabilityOf: ReliabilityOf,
  { isTyping = false } = {},
): SearchAnswer {
  const { asksForErrors, kinds } = parseQuery(request.text, request.now);
  const isOnlyErrors = asksForErrors && kinds.length + (request.kinds?.length ?? 0) === 0;
  const found = findErrors(store, request, isOnlyErrors ? request.limit : MOST_ERRORS);
  const errors = presentErrors(store, found);
  if (isOnlyErrors) return { hits: errors, replaced: [] };
  const { text, replaced } =
    errors.length > 0 ? { text: request.text, replaced: [] } : correctQuery(store, request, { isTyping });
  const hits = recallTopics(store, { ...request, text });
  return {
    hits: [...errors, ...presentHits(store, hits, reliabilityOf, { text, now: request.now })],
    replaced,
  };
}

/** Whether no hit answers the question. */
export function isInVain({ hits }: SearchAnswer): boolean {
  return hits.every(({ isWeaker }) => isWeaker);
}
