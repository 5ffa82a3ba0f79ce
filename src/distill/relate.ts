import type { Observation } from '../model/memory.ts';
import type { StoredMemory } from '../store/memory-store.ts';

/** How much of the words two memories must share to be the same, or to be about the same thing. */
const SAME = 0.75;
const SAME_SUBJECT = 0.5;

export type Relation = { same: number } | { supersedes: number } | null;

/**
 * Whether an observation repeats a memory (then that one grows stronger), or takes its place (a preference or
 * a decision on the same subject that says something else now).
 */
export function relate(observation: Observation, known: StoredMemory[]): Relation {
  const words = wordsOf(observation.title, observation.facts);
  let best: { memory: StoredMemory; likeness: number } | undefined;
  for (const memory of known) {
    const likeness = overlap(words, wordsOf(memory.title, memory.facts));
    if (!best || likeness > best.likeness) best = { memory, likeness };
  }
  if (!best) return null;
  if (best.likeness >= SAME) return { same: best.memory.id };
  const canChange = observation.type === 'preference' || observation.type === 'decision';
  return canChange && best.likeness >= SAME_SUBJECT ? { supersedes: best.memory.id } : null;
}

function wordsOf(title: string, facts: string[]): Set<string> {
  const text = `${title} ${facts.join(' ')}`.toLowerCase();
  return new Set((text.match(/[\p{L}\p{N}_./-]{2,}/gu) ?? []).filter((word) => !FILLERS.has(word)));
}

const FILLERS = new Set(
  'the an and or of to in on for with by is are was be it its this that as at from use uses used using now not no'.split(
    ' ',
  ),
);

function overlap(a: Set<string>, b: Set<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / (a.size + b.size - shared);
}
