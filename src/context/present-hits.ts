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

/** Search results as index lines; memories about changed files rank lower. */
export function presentHits(store: Store, hits: Hit[], reliabilityOf: ReliabilityOf): PresentedHit[] {
  const idsOf = (isPrompt: boolean) =>
    hits.filter(({ kind }) => (kind === 'prompt') === isPrompt).map(({ id }) => id);
  const memories = new Map(store.getMemories(idsOf(false)).map((memory) => [memory.id, memory]));
  const prompts = new Map(store.getPrompts(idsOf(true)).map((prompt) => [prompt.id, prompt]));
  const presented = hits.flatMap(({ kind, id, score, reasons }): PresentedHit[] => {
    const prompt = kind === 'prompt' ? prompts.get(id) : undefined;
    if (prompt) return [{ entry: entryOfPrompt(prompt, reasons), score, memory: null }];
    const memory = kind === 'prompt' ? undefined : memories.get(id);
    if (!memory) return [];
    const { marks, weight } = reliabilityOf(memory);
    return [{ entry: entryOfMemory(memory, { marks, reasons }), score: score * weight, memory }];
  });
  return presented.sort((one, other) => other.score - one.score);
}
