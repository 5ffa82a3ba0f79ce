import { findConcepts } from '../concepts.ts';
import { isLookup } from '../is-lookup.ts';
import type { Material } from '../material.ts';
import { roleOfLabel } from '../text/labels.ts';
import { countWords, type Statement } from '../text/roles.ts';
import { firstSentences } from '../text/shorten.ts';
import { canBeHeading, headingFrom, headingOfStatement } from '../text/title.ts';
import { explanation, findExplanation, isLongEnough } from './explanation.ts';
import { gotcha } from './gotcha.ts';
import { createObservation, LONGEST_NARRATIVE, type Observer } from './observer.ts';
import { preference } from './preference.ts';

/** What an investigation found, also that there is nothing; or what was seen beside the work. */
export const discovery: Observer = (material) =>
  material.work === undefined ? investigated(material) : besideTheWork(material);

function investigated(material: Material) {
  const { request, turn } = material;
  if (request.intent === 'explain' || gotcha(material).length > 0 || preference(material).length > 0)
    return [];
  const about = findExplanation(material);
  const found =
    request.intent === 'investigate' ||
    request.intent === 'fix' ||
    about.some(({ role }) => role === 'cause' || role === 'finding');
  if (!found || !turn.calls.some(isLookup) || !isLongEnough(about, 4)) return [];
  const title = titleOf(about);
  return title === '' ? [] : [explanation('discovery', title, material, about)];
}

/** The named cause, else the first thing that was found. */
function titleOf(about: Statement[]): string {
  const best =
    about.find((each) => roleOfLabel(each.under) === 'cause' && canBeHeading(each)) ??
    about.find((each) => each.role !== 'check' && canBeHeading(each) && countWords(each.text) >= 4) ??
    about.find(canBeHeading);
  if (!best) return '';
  // “src/a.ts — serious. The guard is missing.”: the item's first words say where.
  const place = about.find(({ block, inList }) => inList && block === best.block);
  const [name] = place && place !== best ? place.code : [];
  if (name === undefined || best.text.includes(name)) return headingOfStatement(best);
  return headingFrom(`${name}: ${best.text}`);
}

function besideTheWork(material: Material) {
  const blocks = new Map<number, Statement[]>();
  for (const statement of material.said) {
    if (statement.role === 'finding')
      blocks.set(statement.block, [...(blocks.get(statement.block) ?? []), statement]);
  }
  return [...blocks.values()]
    .filter((block) => isLongEnough(block, 3))
    .slice(0, 2)
    .map((block) =>
      createObservation({
        type: 'discovery',
        title: headingOfStatement(block[0] ?? { text: '', code: [] }),
        narrative: firstSentences(
          block.map(({ text }) => text),
          LONGEST_NARRATIVE,
        ),
        facts: [],
        concepts: findConcepts({ edits: [], packages: [] }, block),
        filesRead: material.filesRead.filter((path) => block.some(({ text }) => text.includes(path))),
        filesModified: [],
        events: material.turn.calls.filter(({ does }) => does === 'delegate').map(({ event }) => event),
      }),
    );
}
