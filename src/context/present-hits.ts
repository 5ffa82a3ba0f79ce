import { isSaidBy } from '../indexing/claims.ts';
import { orderClaims } from '../recall/claims/order-claims.ts';
import type { Hit } from '../recall/request.ts';
import type { Store } from '../store/store.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { entryOfMemory, entryOfPrompt, type IndexEntry } from './present-entry.ts';
import type { ReliabilityOf } from './reliability.ts';

export interface PresentedHit {
  entry: IndexEntry;
  score: number;
  memory: StoredMemory | null;
}

/** Of so many hits the claim that fits is shown, not only the title. */
const HITS_WITH_CLAIM = 5;

/** Search results as index lines; memories about changed files rank lower. `text` is what was searched for. */
export function presentHits(
  store: Store,
  hits: Hit[],
  reliabilityOf: ReliabilityOf,
  text = '',
): PresentedHit[] {
  const idsOf = (isPrompt: boolean) =>
    hits.filter(({ kind }) => (kind === 'prompt') === isPrompt).map(({ id }) => id);
  const memories = new Map(store.getMemories(idsOf(false)).map((memory) => [memory.id, memory]));
  const prompts = new Map(store.getPrompts(idsOf(true)).map((prompt) => [prompt.id, prompt]));
  const presented = hits.flatMap(({ kind, id, score, reasons }, index): PresentedHit[] => {
    const prompt = kind === 'prompt' ? prompts.get(id) : undefined;
    if (prompt) return [{ entry: entryOfPrompt(prompt, reasons), score, memory: null }];
    const memory = kind === 'prompt' ? undefined : memories.get(id);
    if (!memory) return [];
    const { marks, weight } = reliabilityOf(memory);
    const claim = text !== '' && index < HITS_WITH_CLAIM ? findTellingClaim(memory, text) : undefined;
    const entry = entryOfMemory(memory, { marks, reasons, ...(claim && { claim }) });
    return [{ entry, score: score * weight, memory }];
  });
  return presented.sort((one, other) => other.score - one.score);
}

/** The claim that says most of it, unless the title says as much. */
function findTellingClaim(memory: StoredMemory, text: string): IndexEntry['claim'] {
  const [best] = orderClaims(memory, text);
  if (!best || best.strength === 0 || isSaidBy(best.text, [memory.title])) return undefined;
  return { position: best.position, text: best.text };
}
