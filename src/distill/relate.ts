import { FILLER_WORDS } from '../model/filler-words.ts';
import type { Observation } from '../model/memory.ts';
import { measureOverlap, SAME_MEMORY, SAME_SUBJECT } from '../model/same-memory.ts';
import type { StoredMemory } from '../store/types/memory.ts';

export type Relation = { same: number } | { supersedes: number } | null;

/**
 * Whether an observation repeats a memory (which then becomes stronger), or replaces it (a changed preference or
 * decision on the same subject).
 */
export function relate(observation: Observation, known: StoredMemory[]): Relation {
  const words = wordsOf(observation.title, observation.facts);
  let best: { memory: StoredMemory; likeness: number } | undefined;
  for (const memory of known) {
    const likeness = measureOverlap(words, wordsOf(memory.title, memory.facts));
    if (!best || likeness > best.likeness) best = { memory, likeness };
  }
  if (!best) return null;
  if (best.likeness >= SAME_MEMORY) return { same: best.memory.id };
  const canChange = observation.type === 'preference' || observation.type === 'decision';
  return canChange && best.likeness >= SAME_SUBJECT ? { supersedes: best.memory.id } : null;
}

function wordsOf(title: string, facts: string[]): Set<string> {
  const text = `${title} ${facts.join(' ')}`.toLowerCase();
  return new Set((text.match(/[\p{L}\p{N}_./-]{2,}/gu) ?? []).filter((word) => !FILLER_WORDS.has(word)));
}
