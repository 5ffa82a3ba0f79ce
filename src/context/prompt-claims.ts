import { listClaims } from '../indexing/claims.ts';
import { interleave } from '../model/interleave.ts';
import { QUICK_BREADTH } from '../recall/candidates.ts';
import { type FoundClaim, findClaimsIn, readScope } from '../recall/claims/find-claims.ts';
import type { ClaimScope } from '../recall/claims/match-claims.ts';
import { orderClaims } from '../recall/claims/order-claims.ts';
import { readPromptForm } from '../recall/claims/prompt-kind.ts';
import { splitTopics } from '../recall/claims/topics.ts';
import { asksSomething } from '../recall/prompt-words.ts';
import { recall } from '../recall/recall.ts';
import type { Hit } from '../recall/request.ts';
import { CLAIM_THRESHOLD, PUSH_THRESHOLD } from '../recall/threshold.ts';
import type { HookStore } from '../store/store.ts';
import type { ContextRequest } from './context-request.ts';
import { coverClaims } from './cover-claims.ts';
import { findFileNames } from './file-names.ts';
import type { KnownMemories } from './offers.ts';

/** With more claims and headers than this, matching whole memories is more precise than matching single claims. */
export const MANY_CLAIM_DOCS = 800;
const MOST_MEMORIES = 3;
const CLAIMS_OF_A_MEMORY = 3;
/** How far the best memory has to be ahead of the second. */
const AHEAD = 0.15;

type PromptRequest = Pick<ContextRequest, 'project' | 'branches' | 'now' | 'settings'>;

/** Claims for a prompt, best first; none unless they are likely to answer it. */
export function findPromptClaims(
  store: HookStore,
  request: PromptRequest,
  text: string,
  known: KnownMemories,
): FoundClaim[] {
  const find = createSearch(store, request, text, known);
  const found = splitTopics(text)
    .map(find)
    .filter((claims) => claims.length > 0);
  if (found.length > 1) return mixTopics(found);
  const whole = find(text);
  return whole.length > 0 ? whole : (found[0] ?? []);
}

/** Looks up the prompt or a part of it. The claims of the project are read at most once. */
function createSearch(store: HookStore, request: PromptRequest, text: string, known: KnownMemories) {
  const projectId = request.project.id;
  const team = request.settings['context.team'];
  const isOut = (id: number) => known.whole.has(id) || !store.isWelcome(id, team);
  const isKnown = (id: number, position: number) => isOut(id) || known.claims.get(id)?.has(position) === true;
  const hasGiven = known.whole.size + known.claims.size > 0;
  const isLarge = store.countClaimDocs(projectId) > MANY_CLAIM_DOCS;
  let scope: ClaimScope | null | undefined;
  return (part: string): FoundClaim[] => {
    const hits = isLarge ? findMemories(store, request, part).filter(({ id }) => !isOut(id)) : [];
    if (hits.length > 0) return claimsOfMemories(store, hits, part, isKnown);
    if (scope === undefined) scope = readScope(store, text, projectId);
    if (!scope) return [];
    const { likelihood, claims, warning } = findClaimsIn(scope, part, { projectId, isKnown, hasGiven });
    const least = isLarge ? CLAIM_THRESHOLD.many : CLAIM_THRESHOLD.few;
    if (likelihood < least) return warning ? [warning] : [];
    return coverClaims(claims, readClaims(store, claims));
  };
}

function readClaims(store: HookStore, found: FoundClaim[]) {
  const memories = store.getMemories([...new Set(found.map(({ memoryId }) => memoryId))]);
  const claims = new Map(memories.map((memory) => [memory.id, listClaims(memory)]));
  return (memoryId: number) => claims.get(memoryId) ?? [];
}

/** The best claim of each topic first. Scores of different topics are not comparable, so the place becomes the score. */
function mixTopics(lists: FoundClaim[][]): FoundClaim[] {
  const mixed = interleave(lists);
  return mixed.map(({ parts: _, ...claim }, place) => ({ ...claim, score: mixed.length - place }));
}

function findMemories(store: HookStore, { project, branches, now }: PromptRequest, text: string): Hit[] {
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
  const hits = recall(store, query, QUICK_BREADTH);
  if ((hits[0]?.score ?? 0) < PUSH_THRESHOLD.claimForQuestion) return [];
  const { asksHow, ordersWork } = readPromptForm(text);
  const least = asksHow || ordersWork ? PUSH_THRESHOLD.memoriesForTask : PUSH_THRESHOLD.memories;
  const sure = hits.filter(({ score }) => score >= least);
  return sure.length > 0 ? sure.slice(0, MOST_MEMORIES) : selectAhead(hits, asksSomething(text) && !asksHow);
}

/** A memory far ahead of the rest is probably meant, even if it contains less of the prompt. */
function selectAhead([best, second]: Hit[], asks: boolean): Hit[] {
  if (!best || best.score - (second?.score ?? 0) < AHEAD) return [];
  return best.score >= (asks ? PUSH_THRESHOLD.claimForQuestion : PUSH_THRESHOLD.claimForTask) ? [best] : [];
}

/** The best matching claims of each memory; its first one if none matches. */
function claimsOfMemories(
  store: HookStore,
  hits: Hit[],
  text: string,
  isKnown: (id: number, position: number) => boolean,
): FoundClaim[] {
  const memories = new Map(store.getMemories(hits.map(({ id }) => id)).map((memory) => [memory.id, memory]));
  return hits.flatMap(({ id, score, reasons: found }) => {
    const memory = memories.get(id);
    if (!memory || memory.supersededBy !== null) return [];
    const claims = orderClaims(memory, text).filter(({ position }) => !isKnown(id, position));
    const telling = claims.filter(({ strength }, index) => index === 0 || strength > 0);
    const most = score >= PUSH_THRESHOLD.memories ? CLAIMS_OF_A_MEMORY : 1;
    return telling.slice(0, most).map(({ position, strength, reasons }, index) => ({
      ...{ memoryId: id, position, reasons: strength > 0 ? reasons : found },
      ...(index === 0 && { parts: [{ name: 'how likely it fits the prompt', points: score }] }),
      // The best claim of each memory comes before the second best of any.
      score: score - index,
    }));
  });
}

/** Removes query operators, which are ordinary text in a prompt. */
function plainText(prompt: string): string {
  const plain = prompt.replace(/["“”]/g, ' ').replace(/(^|\s)-+(?=\S)/g, '$1');
  return plain.includes(':') ? plain.replace(/(\p{L}):/gu, '$1 ') : plain;
}
