import type { Observation } from '../../../model/memory.ts';
import type { Material } from '../material.ts';

/** Finds the observations of one type in a turn. Pure; none when the turn has nothing of the kind. */
export type Observer = (material: Material) => Observation[];

export const MOST_FACTS = 7;
export const LONGEST_NARRATIVE = 900;
export const LONGEST_SUBTITLE = 160;
const MOST_FILES = 40;

/** An observation in its final form: nothing twice, nothing longer than it should be. */
export function createObservation(parts: Omit<Observation, 'subtitle'> & { subtitle?: string }): Observation {
  const { subtitle = '', facts, concepts, filesRead, filesModified, events } = parts;
  const modified = new Set(filesModified);
  return {
    ...parts,
    subtitle: parts.title.toLowerCase().startsWith(subtitle.toLowerCase())
      ? ''
      : clipped(subtitle, LONGEST_SUBTITLE),
    facts: [...new Set(facts)].slice(0, MOST_FACTS),
    concepts: [...new Set(concepts)].slice(0, 8),
    filesRead: [...new Set(filesRead)].filter((path) => !modified.has(path)).slice(0, MOST_FILES),
    filesModified: [...modified].slice(0, MOST_FILES),
    events: [...new Set(events)].sort((a, b) => a - b),
  };
}

function clipped(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).trimEnd()}…`;
}
