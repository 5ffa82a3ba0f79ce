import { findError } from '../calls/symptom.ts';
import { findConcepts } from '../concepts.ts';
import { commitFacts } from '../facts.ts';
import type { Material } from '../material.ts';
import type { Statement } from '../text/roles.ts';
import { firstSentences, joinSentences, pickHeaviest, shorten } from '../text/shorten.ts';
import { canBeHeading, headingOfStatement, isSelfContained } from '../text/title.ts';
import { createObservation, LONGEST_NARRATIVE, type Observer } from './observer.ts';

/** What to beware of: a trap the agent names, a command that only works in another form, a way that leads nowhere. */
export const gotcha: Observer = (material) => {
  if (material.work === 'dead-end') return [deadEnd(material)];
  const named = material.said.filter(({ role }) => role === 'gotcha');
  if (named.length > 0) return [trap(material, named)];
  return material.work === undefined ? detour(material) : [];
};

function trap(material: Material, named: Statement[]) {
  const chosen = pickHeaviest(named, LONGEST_NARRATIVE);
  const error = material.repairs
    .map(({ red }) => findError(red, material.turn.folder))
    .find((each) => each !== undefined);
  return createObservation({
    type: 'gotcha',
    title: headingOfStatement(chosen.find(isSelfContained) ?? chosen[0] ?? { text: '', code: [] }),
    ...(error !== undefined && { subtitle: error }),
    narrative: joinSentences(chosen.map(({ text }) => text)),
    facts: [],
    concepts: findConcepts({ edits: [], packages: [] }, chosen),
    filesRead: [],
    filesModified: filesNamed(material, chosen),
    events: material.repairs.flatMap(({ red, green }) => [red.call.event, green.call.event]),
  });
}

/** The changed files it speaks of; all of them if they are few. */
function filesNamed({ edits, filesModified }: Material, about: Statement[]): string[] {
  const words = about.map(({ text }) => text).join(' ');
  const named = edits.filter(({ path, symbols }) => [path, ...symbols].some((name) => words.includes(name)));
  if (named.length > 0) return named.map(({ path }) => path);
  return filesModified.length <= 3 ? filesModified : [];
}

/** Only one the agent found worth a word: most failed commands are slips. */
function detour(material: Material) {
  for (const { failed, worked } of material.detours) {
    const error = findError(failed, material.turn.folder);
    const about = material.said.filter(
      ({ text, role }) => role !== 'next' && tellsOf(text, error, worked.command),
    );
    const [first] = about.filter(canBeHeading);
    if (!first) continue;
    return [
      createObservation({
        type: 'gotcha',
        title: headingOfStatement(first),
        ...(error !== undefined && { subtitle: error }),
        narrative: firstSentences(
          about.map(({ text }) => text),
          LONGEST_NARRATIVE,
        ),
        facts: [
          ...(error === undefined ? [] : [`\`${shorten(failed.command, 100)}\` fails with: ${error}`]),
          `\`${shorten(worked.command, 140)}\` works.`,
        ],
        concepts: findConcepts(material, about),
        filesRead: material.filesRead,
        filesModified: [],
        events: [failed.call.event, worked.call.event],
      }),
    ];
  }
  return [];
}

/** Whether a sentence speaks of the error, or of the form that works: by a rare word of either. */
function tellsOf(text: string, error: string | undefined, command: string): boolean {
  const rare = `${error ?? ''} ${command}`.match(/[\w./-]*[A-Z_\d./-][\w./-]*[A-Za-z]\b|--[\w-]+/g) ?? [];
  return rare.some((word) => word.length > 3 && text.includes(word));
}

function deadEnd(material: Material) {
  const about = pickHeaviest(
    material.said.filter(({ role }) => role !== 'next'),
    LONGEST_NARRATIVE,
  );
  const why = about.find((each) => each.weight >= 3 && canBeHeading(each)) ?? about[0];
  return createObservation({
    type: 'gotcha',
    title: headingOfStatement(why ?? { text: material.request.asked, code: [] }),
    subtitle: shorten(`Tried and taken back: ${material.request.asked}`, 140),
    narrative: joinSentences(about.map(({ text }) => text)),
    facts: commitFacts(material.commits),
    concepts: findConcepts(material, about),
    filesRead: material.filesRead,
    filesModified: [],
    events: material.runs.filter(({ green }) => !green).map(({ call }) => call.event),
  });
}
