import { EMPTY_FRAME } from '../framing/frame.ts';
import { updateIndex } from '../indexing/update-index.ts';
import type { Redacted } from '../model/redacted.ts';
import { isOfAnotherBranch } from '../recall/branch.ts';
import { QUICK_BREADTH } from '../recall/candidates.ts';
import { createFreshness } from '../recall/freshness.ts';
import { recall } from '../recall/recall.ts';
import type { RecallRequest } from '../recall/request.ts';
import { PUSH_THRESHOLD } from '../recall/threshold.ts';
import type { HookStore } from '../store/store.ts';
import { createBudget } from './budget.ts';
import type { ContextRequest } from './context-request.ts';
import { freshnessWeight } from './memory-worth.ts';
import { type Offer, selectOffers } from './offers.ts';

export const PROMPT_INTRO = 'Memories related to this prompt (from Cairn):';

const MOST = 3;
const LOOKED_AT = 12;
/** A memory of another branch must match this much better. */
const ANOTHER_BRANCH = 0.8;
const SHORTEST_PROMPT = 12;
/** In a long paste, beginning and end say what it is about. */
const LONGEST_QUERY = 4_000;

/** Whether a prompt is worth a search; slash commands belong to the agent. */
export function isWorthLookingUp(prompt: string): boolean {
  const words = prompt.trim();
  return (
    words.length >= SHORTEST_PROMPT &&
    !words.startsWith('/') &&
    (/[a-z]{3}/.test(words) ||
      /\p{L}{3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u.test(words))
  );
}

/** Memories that match a prompt well enough; usually none. `given` are those that the session has. */
export function selectForPrompt(
  store: HookStore,
  request: ContextRequest,
  prompt: Redacted,
  given: Set<number>,
): Offer[] {
  const { project, branches, settings, longest, now } = request;
  const query: RecallRequest = {
    text: queryFrom(prompt),
    projectId: project.id,
    reach: 'project',
    kinds: ['observation', 'note'],
    ...(branches.current && { branch: branches.current }),
    files: findFileNames(prompt),
    limit: LOOKED_AT,
    now,
  };
  const hits = recall(store, query, QUICK_BREADTH).filter(
    ({ id, score }) => score >= PUSH_THRESHOLD && !given.has(id),
  );
  if (hits.length === 0) return [];

  const freshnessOf = createFreshness(request.top);
  const byId = new Map(store.getMemories(hits.map(({ id }) => id)).map((memory) => [memory.id, memory]));
  const wanted = hits.flatMap(({ id, score, reasons }) => {
    const memory = byId.get(id);
    if (!memory || memory.supersededBy !== null) return [];
    const freshness = freshnessOf(memory);
    const elsewhere = isOfAnotherBranch(memory, branches) ? ANOTHER_BRANCH : 1;
    return [{ memory, freshness, reasons, score: score * freshnessWeight(freshness) * elsewhere }];
  });
  const fitting = wanted
    .filter(({ score }) => score >= PUSH_THRESHOLD * ANOTHER_BRANCH)
    .sort((a, b) => b.score - a.score);
  const budget = createBudget({ tokens: settings['context.promptTokens'], characters: longest });
  budget.spend(EMPTY_FRAME);
  budget.spend(PROMPT_INTRO);
  return selectOffers(fitting, budget, MOST);
}

/** So that recent memories can be found; the worker does the rest. */
export function indexPendingDocs(
  store: HookStore,
  { now, mostMs }: { now: () => number; mostMs: number },
): void {
  if (store.countPendingDocs() > 0) updateIndex(store, { until: now() + mostMs, now });
}

/** A prompt has no operators: what looks like one is a word. */
function queryFrom(prompt: string): string {
  const text =
    prompt.length <= LONGEST_QUERY
      ? prompt
      : `${prompt.slice(0, LONGEST_QUERY / 2)}\n${prompt.slice(-LONGEST_QUERY / 2)}`;
  const plain = text.replace(/["“”]/g, ' ').replace(/(^|\s)-+(?=\S)/g, '$1');
  return plain.includes(':') ? plain.replace(/(\p{L}):/gu, '$1 ') : plain;
}

/** Paths and file names, also with the agent's `@`. */
export function findFileNames(prompt: string): string[] {
  if (!/\.[A-Za-z]/.test(prompt)) return [];
  const found = prompt.matchAll(/(?<![\p{L}\p{N}_/.])@?((?:[\w.-]+\/)*[\w.-]+\.[A-Za-z]\w{0,5})(?![\w/])/gu);
  const paths = new Set([...found].map(([, path = '']) => path));
  // `e.g.` is not a file.
  return [...paths].filter((path) => !/^\w\.\w$/.test(path)).slice(0, 20);
}
