import { QUICK_BREADTH } from '../recall/candidates.ts';
import { type FoundClaim, findClaims } from '../recall/claims/find-claims.ts';
import { orderClaims } from '../recall/claims/order-claims.ts';
import { recall } from '../recall/recall.ts';
import type { Hit } from '../recall/request.ts';
import { CLAIM_THRESHOLD, PUSH_THRESHOLD } from '../recall/threshold.ts';
import type { HookStore } from '../store/store.ts';
import type { ContextRequest } from './context-request.ts';
import { findFileNames } from './file-names.ts';
import type { KnownMemories } from './offers.ts';

/** Claims and headers. Where there are more, whole memories tell better which ones are meant than single claims do. */
export const MANY_CLAIM_DOCS = 800;
const LOOKED_AT = 24;
const MOST_MEMORIES = 3;
const CLAIMS_OF_A_MEMORY = 3;

/** Claims for a prompt, the best first; none where it is not likely that they answer it. */
export function findPromptClaims(
  store: HookStore,
  request: Pick<ContextRequest, 'project' | 'branches' | 'now'>,
  text: string,
  known: KnownMemories,
): FoundClaim[] {
  const isKnown = (id: number, position: number) =>
    known.whole.has(id) || known.claims.get(id)?.has(position) === true;
  const isLarge = store.countClaimDocs(request.project.id) > MANY_CLAIM_DOCS;
  if (isLarge) {
    const hits = findMemories(store, request, text).filter(({ id }) => !known.whole.has(id));
    if (hits.length > 0) return claimsOfMemories(store, hits, text, isKnown);
  }
  const { likelihood, claims } = findClaims(store, text, { projectId: request.project.id, isKnown });
  return likelihood < (isLarge ? CLAIM_THRESHOLD.many : CLAIM_THRESHOLD.few)
    ? []
    : claims.slice(0, LOOKED_AT);
}

function findMemories(
  store: HookStore,
  { project, branches, now }: Pick<ContextRequest, 'project' | 'branches' | 'now'>,
  text: string,
): Hit[] {
  const query = {
    text: plainText(text),
    projectId: project.id,
    reach: 'project' as const,
    kinds: ['observation' as const, 'note' as const],
    ...(branches.current && { branch: branches.current }),
    files: findFileNames(text),
    limit: 12,
    now,
  };
  const hits = recall(store, query, QUICK_BREADTH).filter(({ score }) => score >= PUSH_THRESHOLD);
  return hits.slice(0, MOST_MEMORIES);
}

/** Of each memory the claims that say most of what was asked; its first one if none says anything. */
function claimsOfMemories(
  store: HookStore,
  hits: Hit[],
  text: string,
  isKnown: (id: number, position: number) => boolean,
): FoundClaim[] {
  const memories = new Map(store.getMemories(hits.map(({ id }) => id)).map((memory) => [memory.id, memory]));
  return hits.flatMap(({ id, score }) => {
    const memory = memories.get(id);
    if (!memory || memory.supersededBy !== null) return [];
    const claims = orderClaims(memory, text).filter(({ position }) => !isKnown(id, position));
    const telling = claims.filter(({ strength }, index) => index === 0 || strength > 0);
    return telling.slice(0, CLAIMS_OF_A_MEMORY).map(({ position, words }, index) => ({
      ...{ memoryId: id, position, words },
      // The best of each memory come before the second best of any.
      score: score - index,
    }));
  });
}

/** A prompt is no query: what would be an operator in one is but a word in the other. */
function plainText(prompt: string): string {
  const plain = prompt.replace(/["“”]/g, ' ').replace(/(^|\s)-+(?=\S)/g, '$1');
  return plain.includes(':') ? plain.replace(/(\p{L}):/gu, '$1 ') : plain;
}
