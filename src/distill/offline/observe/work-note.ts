import type { Observation, ObservationType } from '../../../model/memory.ts';
import { headingOf, isInterim } from '../calls/commits.ts';
import { kindOfFile } from '../calls/paths.ts';
import { findFailedTests } from '../calls/symptom.ts';
import { findConcepts } from '../concepts.ts';
import {
  commentsIn,
  commitFacts,
  editFacts,
  extentFact,
  packageFacts,
  placeOf,
  proofFact,
  symptomFacts,
} from '../facts.ts';
import type { Material } from '../material.ts';
import { confidence } from '../text/cues.ts';
import { countWords, type Role, type Statement } from '../text/roles.ts';
import { joinSentences, pickHeaviest, shorten } from '../text/shorten.ts';
import { canBeHeading, headingFrom, headingFromRequest, headingOfStatement } from '../text/title.ts';
import { createObservation, LONGEST_NARRATIVE, LONGEST_SUBTITLE } from './observer.ts';

const told: Role[] = ['cause', 'cure', 'plain', 'check'];

/** The edits of a turn as one observation: what was done, why, where, and what shows that it works. */
export function workNote(type: ObservationType, material: Material): Observation {
  const { turn, request, said, edits, commits, packages, filesRead, filesModified } = material;
  const about = said.filter(({ role }) => told.includes(role));
  const chosen = pickHeaviest(about, LONGEST_NARRATIVE);
  const explained = about.some(({ role }) => role === 'cause') || (type !== 'bugfix' && about.length > 0);
  const repair = type === 'bugfix' ? material.repairs[0] : undefined;
  const title = titleOf(material, chosen);
  return createObservation({
    type,
    title,
    subtitle: subtitleOf(type, material, chosen, title),
    narrative:
      joinSentences([...chosen.map(({ text }) => text), ...(explained ? [] : commentsIn(edits))]) ||
      joinSentences([request.asked, ...editFacts(edits, 2)]),
    facts: [
      ...(repair ? symptomFacts(repair, turn.folder) : []),
      ...(type === 'bugfix' || edits.length <= 3 ? editFacts(edits) : [extentFact(edits)]),
      ...(repair ? [proofFact(repair)] : []),
      ...packageFacts(packages),
      ...commitFacts(commits),
      ...said
        .filter(({ role, text }) => role === 'note' && !confidence.test(text))
        .slice(0, 2)
        .map(({ text }) => text),
    ],
    concepts: findConcepts(material, chosen),
    filesRead,
    filesModified,
    events: [
      ...(repair ? [repair.red.call.event, repair.green.call.event] : []),
      ...edits.flatMap(({ events }) => events),
      ...commits.map(({ event }) => event),
    ],
  });
}

/** The commit's message, else what the agent says it did, else what the person asked for. */
function titleOf(material: Material, told: Statement[]): string {
  const { commits, edits, work } = material;
  const lasting = commits.filter((each) => !isInterim(each));
  const [commit] = lasting;
  if (commit && lasting.length === 1) return shorten(headingOf(commit), 110);
  const best =
    told.find(
      (each) => (each.role === 'cure' || (work !== 'bugfix' && each.role === 'plain')) && canBeHeading(each),
    ) ??
    told.find((each) => each.role === 'cause' && canBeHeading(each)) ??
    told.find(canBeHeading);
  const isOneOfMany = best !== undefined && work !== 'bugfix' && tellsOnlyPart(best, told, material);
  const whole = isOneOfMany ? wholeOf(material) : '';
  const title = whole || (best ? headingOfStatement(best) : titleWithoutWords(material));
  const edit = edits.find(({ path }) => kindOfFile(path) === 'source') ?? edits[0];
  if (title === '' && edit) return `Changed ${placeOf(edit)}`;
  const saysWhere = edits.length > 3 || edits.some((each) => namesPlace(title, each));
  return title.length < 45 && edit && !saysWhere ? `${title} (${shortPlace(edit)})` : title;
}

/** One of many list items, or what happened to one of several files. */
function tellsOnlyPart(best: Statement, told: Statement[], { edits }: Material): boolean {
  if (best.inList && told.filter(({ inList }) => inList).length >= 3) return true;
  return edits.length > 1 && told.length > 1 && /^[\w@./-]+\.\w{1,5}(?::| \(| [—–-] )/.test(best.text);
}

/** No item of a long list tells the whole: the first commit does, else what the person asked for. */
function wholeOf({ commits, request }: Material): string {
  const commit = commits.find((each) => !isInterim(each));
  if (commit) return shorten(headingOf(commit), 110);
  const [first = ''] = request.own;
  return request.intent !== 'none' && countWords(first) >= 5 ? headingFromRequest(first) : '';
}

/** The agent said nothing: the request tells it, or the test that was red. */
function titleWithoutWords({ request, repairs, edits }: Material): string {
  const [test] = repairs.slice(0, 1).flatMap(({ red }) => findFailedTests(red));
  if (test !== undefined && countWords(request.asked) < 5) return headingFrom(`Red test fixed: ${test}`);
  const [fact = ''] = edits.length === 1 ? editFacts(edits) : [];
  if (isComplaint.test(request.asked) && fact.includes(' became ') && fact.length < 100)
    return headingFrom(fact);
  return headingFromRequest(request.asked);
}

const isComplaint = /^(?:there|the|it|this|that|my|our|when|on|in|in the|der|die|das|es|beim|im|in der)\b/i;

function shortPlace({ path, symbols }: Material['edits'][number]): string {
  return [...symbols.slice(0, 1), path].join(', ');
}

function namesPlace(title: string, { path, symbols }: Material['edits'][number]): boolean {
  return title.includes(path) || symbols.some((symbol) => title.includes(symbol));
}

function subtitleOf(type: ObservationType, { request }: Material, told: Statement[], title: string): string {
  const cause = type === 'bugfix' ? told.find(({ role }) => role === 'cause') : undefined;
  const words = causeInWords(cause?.text ?? '');
  if (words !== '' && words !== title) return words;
  return request.asked.toLowerCase().includes(title.toLowerCase()) ? '' : shorten(request.asked, 140);
}

/** Whole if it fits below a title. */
function causeInWords(text: string): string {
  return text.length <= LONGEST_SUBTITLE ? text.replace(/[.。]$/, '') : headingFrom(text);
}
