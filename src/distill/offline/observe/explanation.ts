import type { Observation, ObservationType } from '../../../model/memory.ts';
import { conceptsOf } from '../concepts.ts';
import { looksInto } from '../looked.ts';
import type { Material } from '../material.ts';
import type { Statement } from '../text/roles.ts';
import { asProse, heaviest } from '../text/shorten.ts';
import { LONGEST_NARRATIVE, observation } from './observer.ts';

/** What the agent told after looking, in a turn that changed nothing. */
export function explanation(
  type: ObservationType,
  title: string,
  material: Material,
  about: Statement[],
): Observation {
  const chosen = heaviest(about, LONGEST_NARRATIVE);
  return observation({
    type,
    title,
    narrative: asProse(chosen.map(({ text }) => text)),
    facts: about.filter((each) => each.role === 'note' && !chosen.includes(each)).map(({ text }) => text),
    concepts: conceptsOf(material, chosen),
    filesRead: material.filesRead,
    filesModified: [],
    events: material.turn.calls.filter(looksInto).map(({ event }) => event),
  });
}

/** The sentences that tell what was found out, when nothing but finding out was done. */
export function toldAfterLooking({ work, commits, said }: Material): Statement[] {
  return work === undefined && commits.length === 0 ? said.filter(({ role }) => role !== 'next') : [];
}

/** How much there must be to tell before it is worth a memory. */
export function isWorthTelling(about: Statement[], least: number): boolean {
  return about.reduce((sum, { weight }) => sum + Math.max(0, weight), 0) >= least;
}
