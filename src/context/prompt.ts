import { EMPTY_FRAME } from '../framing/frame.ts';
import { updateIndex } from '../indexing/update-index.ts';
import type { Redacted } from '../model/redacted.ts';
import type { ScorePart } from '../model/score-part.ts';
import { isOfAnotherBranch } from '../recall/branch.ts';
import type { FoundClaim } from '../recall/claims/find-claims.ts';
import { isEveryday } from '../recall/claims/word-weight.ts';
import { createFreshness } from '../recall/freshness.ts';
import { isShortPrompt, readPromptWords } from '../recall/prompt-words.ts';
import type { HookStore } from '../store/store.ts';
import { createBudget } from './budget.ts';
import { selectClaimOffers } from './claim-offers.ts';
import type { LeftOutMemory } from './context.ts';
import type { ContextRequest } from './context-request.ts';
import { findLeftOut } from './left-out.ts';
import { freshnessWeight } from './memory-worth.ts';
import type { KnownMemories, Offer } from './offers.ts';
import { findPromptClaims } from './prompt-claims.ts';

export const PROMPT_INTRO = 'Memories related to this prompt (from Cairn):';

/** More claims would be too much for a person who did not ask for them. */
const MOST_CLAIMS = 3;
/** The weight of a memory from another branch: those from this one come first. */
const ANOTHER_BRANCH = 0.8;
/** A memory that is both stale and from another branch may be given, but not one whose files are gone. */
const LEAST_WEIGHT = 0.6;
/** Of a longer prompt only the beginning and the end are looked up. They say what a pasted text is about. */
const LONGEST_QUERY = 4_000;

/** Whether a prompt is worth a search. Slash commands are for the agent, and "go on" has no subject. */
export function isWorthLookingUp(prompt: string): boolean {
  const words = prompt.trim();
  if (words.startsWith('/')) return false;
  if (isShortPrompt(words)) return readPromptWords(words).some((word) => !isEveryday(word));
  return (
    /[a-z]{3}/.test(words) ||
    /\p{L}{3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u.test(words)
  );
}

/** The claims that probably answer a prompt; mostly none. Others that were found go into `leftOut`. */
export function selectForPrompt(
  store: HookStore,
  request: ContextRequest,
  prompt: Redacted,
  known: KnownMemories,
  leftOut: LeftOutMemory[] = [],
): Offer[] {
  const { branches, settings, longest } = request;
  const text = shortenQuery(prompt);
  const found = findPromptClaims(store, request, text, known);
  if (found.length === 0) return [];

  const freshnessOf = createFreshness(request.top);
  const memories = new Map(
    store.getMemories([...new Set(found.map(({ memoryId }) => memoryId))]).map((memory) => {
      const freshness = freshnessOf(memory);
      const elsewhere = isOfAnotherBranch(memory, branches) ? ANOTHER_BRANCH : 1;
      return [memory.id, { memory, freshness, weight: freshnessWeight(freshness) * elsewhere }];
    }),
  );
  const wanted = found
    .flatMap((claim) => {
      const from = memories.get(claim.memoryId);
      return from && from.weight >= LEAST_WEIGHT
        ? [{ ...from, ...claim, score: claim.score * from.weight, ...weighParts(claim, from.weight) }]
        : [];
    })
    .sort((one, other) => other.score - one.score);
  const budget = createBudget({ tokens: settings['context.promptTokens'], characters: longest });
  budget.spend(EMPTY_FRAME);
  budget.spend(PROMPT_INTRO);
  const offers = selectClaimOffers(wanted, { budget, most: MOST_CLAIMS, known });
  leftOut.push(...findLeftOut(wanted, offers, 'no room left, or said by another'));
  const unreliable = found.filter((claim) => !wanted.some(({ memoryId }) => memoryId === claim.memoryId));
  leftOut.push(...findLeftOut(unreliable, offers, 'its files have changed, or it is from another branch'));
  return offers;
}

/** Adds the loss of a memory that is stale or from another branch to its score parts. */
function weighParts({ parts, score }: FoundClaim, weight: number): { parts?: ScorePart[] } {
  if (!parts) return {};
  const loss = { name: 'its files changed, or it is from another branch', points: score * (weight - 1) };
  return { parts: weight === 1 ? parts : [...parts, loss] };
}

/** With more pending documents the worker is building the index, and a hook would only wait for it. */
const MOST_PENDING = 500;

/** Indexes recent memories for this search. The worker indexes the rest. */
export function indexPendingDocs(
  store: HookStore,
  { now, mostMs }: { now: () => number; mostMs: number },
): void {
  const pending = store.countPendingDocs();
  if (pending > 0 && pending <= MOST_PENDING) updateIndex(store, { until: now() + mostMs, now });
}

function shortenQuery(prompt: string): string {
  return prompt.length <= LONGEST_QUERY
    ? prompt
    : `${prompt.slice(0, LONGEST_QUERY / 2)}\n${prompt.slice(-LONGEST_QUERY / 2)}`;
}
