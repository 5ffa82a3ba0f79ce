import { FILLER_WORDS } from '../model/filler-words.ts';
import type { Observation } from '../model/memory.ts';
import { measureOverlap, SAME_MEMORY, SAME_SUBJECT } from '../model/same-memory.ts';
import { wordsIn } from '../model/wording.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { areConflicting, endsRule } from './conflicts.ts';

export type Relation = { same: number } | { supersedes: number } | null;

/**
 * Whether an observation repeats a memory (which then becomes stronger), or contradicts it (a changed preference or
 * decision). One that adds or changes anything is stored: a lost "45 seconds" is worse than a second "30 seconds".
 */
export function relate(observation: Observation, known: StoredMemory[]): Relation {
  const text = textOf(observation);
  const words = wordsOf(text);
  const alike = known
    .map((memory) => ({ memory, words: wordsOf(textOf(memory)) }))
    .map((each) => ({ ...each, likeness: measureOverlap(words, each.words) }))
    .filter(({ likeness }) => likeness >= SAME_SUBJECT)
    .sort((one, other) => other.likeness - one.likeness)
    .map((each) => ({ ...each, isConflicting: areConflicting(text, textOf(each.memory)) }));
  const same = alike.find(
    (each) => each.likeness >= SAME_MEMORY && !each.isConflicting && isSubset(words, each.words),
  );
  if (same) return { same: same.memory.id };
  if (observation.type !== 'preference' && observation.type !== 'decision') return null;
  const outdated =
    alike.find(({ isConflicting }) => isConflicting)?.memory ??
    known.find((memory) => memory.facts.length === 0 && endsRule(text, textOf(memory)));
  return outdated ? { supersedes: outdated.id } : null;
}

function textOf({ title, facts }: Pick<Observation, 'title' | 'facts'>): string {
  return [title, ...facts].join('. ');
}

const STEM_LENGTH = 6;

/** By their first letters: "deploys" adds nothing to "deploy". */
function wordsOf(text: string): Set<string> {
  const words = wordsIn(text).filter((word) => !FILLER_WORDS.has(word));
  return new Set(words.map((word) => (/\d|[._/-]/.test(word) ? word : word.slice(0, STEM_LENGTH))));
}

function isSubset(words: Set<string>, of: Set<string>): boolean {
  return [...words].every((word) => of.has(word));
}
