import type { Store } from '../store/store.ts';
import type { Moment } from '../store/types/history.ts';
import { entryOfMemory, entryOfPrompt, type IndexEntry } from './present-entry.ts';
import type { ReliabilityOf } from './reliability.ts';

export function presentMoments(store: Store, moments: Moment[], reliabilityOf: ReliabilityOf): IndexEntry[] {
  const idsOf = (kind: Moment['what']) => moments.filter(({ what }) => what === kind).map(({ id }) => id);
  const memories = new Map(store.getMemories(idsOf('memory')).map((memory) => [memory.id, memory]));
  const prompts = new Map(store.getPrompts(idsOf('prompt')).map((prompt) => [prompt.id, prompt]));
  return moments.flatMap(({ what, id }) => {
    const memory = what === 'memory' ? memories.get(id) : undefined;
    const prompt = what === 'prompt' ? prompts.get(id) : undefined;
    if (memory) return [entryOfMemory(memory, { marks: reliabilityOf(memory).marks })];
    return prompt ? [entryOfPrompt(prompt)] : [];
  });
}
