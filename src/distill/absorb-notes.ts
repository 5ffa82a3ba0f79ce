import { FILLER_WORDS } from '../model/filler-words.ts';
import type { Observation } from '../model/memory.ts';
import { measureOverlap, SAME_MEMORY } from '../model/same-memory.ts';
import { splitPieces, wordsIn } from '../model/wording.ts';
import type { TurnNote } from '../store/types/memory.ts';
import { areConflicting } from './conflicts.ts';
import { headingFrom } from './offline/text/title.ts';

/** A claim of fewer words may be in any note. */
const FEWEST_WORDS = 4;

export interface Absorbed {
  /** What the notes do not say already. */
  observations: Observation[];
  /** For each note that said something: the observation whose evidence it gets. */
  notes: { note: number; evidence: Observation }[];
}

/**
 * What the agent noted itself, in its own words and at the moment it knew it, stays; the same claim found in the
 * turn is left out, and its evidence goes to the note.
 */
export function absorbNotes(observations: Observation[], notes: TurnNote[]): Absorbed {
  if (notes.length === 0) return { observations, notes: [] };
  const known = notes.map((note) => ({ id: note.id, texts: textsOf(note) }));
  const absorbed: Absorbed = { observations: [], notes: [] };
  for (const observation of observations) {
    const finders = new Set<number>();
    const isNoted = (claim: string) => {
      const words = wordsOf(claim);
      const note = known.find(({ texts }) =>
        texts.some((text) => saysSame(words, wordsOf(text)) && !areConflicting(claim, text)),
      );
      if (note) finders.add(note.id);
      return note !== undefined;
    };
    const left = withoutClaims(observation, isNoted);
    if (left) absorbed.observations.push(left);
    for (const note of finders) absorbed.notes.push({ note, evidence: observation });
  }
  return absorbed;
}

/** Null if nothing is left. An observation whose title was noted takes the first of its other claims as its title. */
function withoutClaims(observation: Observation, isNoted: (claim: string) => boolean): Observation | null {
  const facts = observation.facts.filter((fact) => !isNoted(fact));
  if (!isNoted(observation.title)) return { ...observation, facts };
  const [next, ...rest] = facts;
  if (next === undefined) return null;
  const title = headingFrom(next) || next;
  return { ...observation, title, facts: wordsIn(title).length === wordsIn(next).length ? rest : facts };
}

/** The note as a whole, its title, and each of its sentences. */
function textsOf({ title, narrative }: TurnNote): string[] {
  return [`${title} ${narrative}`, title, ...splitPieces(narrative)];
}

function saysSame(claim: Set<string>, text: Set<string>): boolean {
  if (measureOverlap(claim, text) >= SAME_MEMORY) return true;
  return claim.size >= FEWEST_WORDS && [...claim].every((word) => text.has(word));
}

function wordsOf(text: string): Set<string> {
  return new Set(wordsIn(text).filter((word) => !FILLER_WORDS.has(word)));
}
