import { headingOf } from '../calls/commits.ts';
import { findConcepts } from '../concepts.ts';
import { commitFacts, packageFacts } from '../facts.ts';
import type { Material } from '../material.ts';
import { readSentences } from '../text/sentences.ts';
import { firstSentences } from '../text/shorten.ts';
import { createObservation, type Observer } from './observer.ts';
import { workNote } from './work-note.ts';

/** Configuration, dependencies, documents and other edits; else a commit or an install without edits of its own. */
export const change: Observer = (material) => {
  if (material.work === 'change') return [workNote('change', material)];
  if (material.edits.length > 0 || material.work === 'dead-end') return [];
  return material.commits.length > 0 ? commitNotes(material) : installNotes(material);
};

function commitNotes({ commits, edits, packages }: Material) {
  return commits.slice(-3).map((commit) => {
    const body = readSentences(commit.body);
    return createObservation({
      type: 'change',
      title: headingOf(commit),
      narrative: firstSentences([`${commit.subject}.`, ...body.map(({ text }) => text)], 600),
      facts: commitFacts([commit]),
      concepts: findConcepts({ edits, packages }, body),
      filesRead: [],
      filesModified: commit.files,
      events: [commit.event],
    });
  });
}

function installNotes(material: Material) {
  const { packages, said } = material;
  if (packages.length === 0) return [];
  const names = packages.map(({ name }) => name);
  const about = said.filter(({ text, role }) => role !== 'next' && names.some((name) => text.includes(name)));
  return [
    createObservation({
      type: 'change',
      title: `Installed ${names.slice(0, 4).join(', ')}`,
      narrative: about.map(({ text }) => text).join(' ') || packageFacts(packages).join(' '),
      facts: packageFacts(packages),
      concepts: findConcepts(material, about),
      filesRead: [],
      filesModified: [],
      events: packages.flatMap(({ events }) => events),
    }),
  ];
}
