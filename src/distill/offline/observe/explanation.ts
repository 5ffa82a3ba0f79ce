import type { Observation, ObservationType } from '../../../model/memory.ts';
import { findConcepts } from '../concepts.ts';
import { isLookup } from '../is-lookup.ts';
import type { Material } from '../material.ts';
import type { Statement } from '../text/roles.ts';
import { joinSentences, pickHeaviest } from '../text/shorten.ts';
import { createObservation, LONGEST_NARRATIVE } from './observer.ts';

/** What the agent told after looking, in a turn that changed nothing. */
export function explanation(
  type: ObservationType,
  title: string,
  material: Material,
  about: Statement[],
): Observation {
  const chosen = pickHeaviest(about, LONGEST_NARRATIVE);
  return createObservation({
    type,
    title,
    narrative: joinSentences(chosen.map(({ text }) => text)),
    facts: about.filter((each) => each.role === 'note' && !chosen.includes(each)).map(({ text }) => text),
    concepts: findConcepts(material, chosen),
    filesRead: material.filesRead,
    filesModified: [],
    events: material.turn.calls.filter(isLookup).map(({ event }) => event),
  });
}

/** The sentences that tell what was found out, when nothing but finding out was done. */
export function findExplanation({ work, commits, said }: Material): Statement[] {
  return work === undefined && commits.length === 0 ? said.filter(({ role }) => role !== 'next') : [];
}

/** How much there must be to tell before it is worth a memory. */
export function isLongEnough(about: Statement[], least: number): boolean {
  return about.reduce((sum, { weight }) => sum + Math.max(0, weight), 0) >= least;
}
