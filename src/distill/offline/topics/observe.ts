import type { Observation } from '../../../model/memory.ts';
import type { Turn } from '../../turn.ts';
import { isInterim } from '../calls/commits.ts';
import { findConcepts } from '../concepts.ts';
import { describeEvidence, type Evidence } from '../evidence.ts';
import { commentsIn, editFacts, symptomFacts } from '../facts.ts';
import { isLookup } from '../is-lookup.ts';
import type { KeptSentence } from '../rating/rated-sentence.ts';
import type { Request } from '../request.ts';
import { countWords } from '../text/count-words.ts';
import { asRule } from '../text/openings.ts';
import { shorten } from '../text/shorten.ts';
import { readTurnOfClaims, type TurnOfClaims } from './claim-kind.ts';
import { groupByTopic, type Topic } from './group.ts';
import { titleTopic } from './title-topic.ts';
import { typeOf } from './type.ts';
import { classifyWork } from './work-kind.ts';

const MOST_OBSERVATIONS = 12;
const MOST_FACTS = 7;
const MOST_FILES = 40;
const LONGEST_REQUEST = 120;
const LONGEST_EVIDENCE = 140;
/** Fewer words than these say too little of a piece of work. */
const FEW_WORDS = 9;
/** A claim that names no file is about those of its turn, if they are few. */
const FEW_FILES = 6;

/** One observation per topic, the weightiest first. */
export function observeTopics(
  turn: Turn,
  request: Request,
  claims: KeptSentence[],
  evidence: Evidence,
): Observation[] {
  const work = classifyWork(request, claims, evidence);
  const about = readTurnOfClaims(turn, request, evidence, work);
  const groups = groupByTopic(claims.filter(isLasting), about);
  const hasWork = evidence.edits.length > 0 || evidence.commits.some((commit) => !isInterim(commit));
  if (hasWork && !groups.some(({ isWork }) => isWork)) groups.push({ claims: [], isWork: true });
  return groups
    .sort((a, b) => weightOf(b) - weightOf(a))
    .slice(0, MOST_OBSERVATIONS)
    .map((group) => observe(turn, request, group, evidence, about))
    .filter(({ title }) => title !== '');
}

/** A mere step is in the summary; one that names something, or says why, is also worth finding later. */
function isLasting({ role, features, names, markers }: KeptSentence): boolean {
  return role !== 'open' || !features.underNext || names.length > 0 || markers.has('cause');
}

/** What a person said comes first, then the work itself. */
function weightOf({ claims, isWork }: Topic): number {
  const best = Math.max(0, ...claims.map(({ score }) => score));
  return best + (claims[0]?.from === 'person' ? 4 : 0) + (isWork ? 3 : 0);
}

function observe(
  turn: Turn,
  request: Request,
  group: Topic,
  evidence: Evidence,
  about: TurnOfClaims,
): Observation {
  const chosen = chooseHeaviest(group.claims);
  const title = titleTopic(group, request, evidence);
  const facts = new Set([
    ...chosen.map(({ statement }) => statement),
    ...factsOfSilentWork(turn, group, evidence),
  ]);
  return {
    type: typeOf(group, evidence, about),
    title,
    subtitle: describeContext(group, request, evidence),
    narrative: '',
    facts: [...facts].filter((fact) => !saysSame(fact, title)).slice(0, MOST_FACTS),
    concepts: findConcepts(group.isWork ? evidence : { edits: [], packages: [] }, chosen),
    ...findFiles(group, evidence),
    events: findEvents(turn, group, evidence),
  };
}

function chooseHeaviest(claims: KeptSentence[]): KeptSentence[] {
  const best = new Set([...claims].sort((a, b) => b.score - a.score).slice(0, MOST_FACTS));
  return claims.filter((claim) => best.has(claim));
}

/** Where the agent said next to nothing, the calls have to tell it. */
function factsOfSilentWork({ folder }: Turn, { claims, isWork }: Topic, evidence: Evidence): string[] {
  if (!isWork || countWords(claims.map(({ statement }) => statement).join(' ')) >= FEW_WORDS) return [];
  const symptoms = evidence.repairs.slice(0, 1).flatMap((repair) => symptomFacts(repair, folder));
  return [...symptoms, ...commentsIn(evidence.edits), ...editFacts(evidence.edits)];
}

/** In one line: what was asked and, for a piece of work, what shows that it was done. */
function describeContext({ claims, isWork }: Topic, { asked }: Request, evidence: Evidence): string {
  if (!isWork && !claims.some(({ from }) => from === 'closing')) return '';
  const proof = isWork ? shorten(describeEvidence(evidence), LONGEST_EVIDENCE) : '';
  const parts = [asked === '' ? '' : `Asked: ${shorten(asked, LONGEST_REQUEST)}`, proof];
  return parts.filter((part) => part !== '').join(' · ');
}

function saysSame(fact: string, title: string): boolean {
  return bare(title).endsWith(bare(fact));
}

/** Without the prefix of a commit, what a heading leaves out, and the full stop. */
function bare(text: string): string {
  const words = asRule(text)
    .toLowerCase()
    .replace(/^\w+(?:\([^)]*\))?!?: /, '');
  return words.replace(/^(?:i|we) /, '').replace(/[\s.。!]+$/, '');
}

function findFiles(
  { claims, isWork }: Topic,
  { filesRead, filesModified }: Evidence,
): Pick<Observation, 'filesRead' | 'filesModified'> {
  const few = (read: string[], modified: string[]) => ({
    filesRead: read.slice(0, MOST_FILES),
    filesModified: modified.slice(0, MOST_FILES),
  });
  if (isWork) return few(filesRead, filesModified);
  const words = claims.map(({ statement }) => statement).join(' ');
  const isNamed = (path: string) => words.includes(path.slice(path.lastIndexOf('/') + 1));
  const [read, modified] = [filesRead.filter(isNamed), filesModified.filter(isNamed)];
  if (read.length + modified.length > 0 || claims[0]?.from === 'person') return few(read, modified);
  if (filesRead.length + filesModified.length > FEW_FILES) return few([], []);
  return few(filesRead, filesModified);
}

/** The calls it comes from: those that changed something, or else those that looked. */
function findEvents({ calls }: Turn, { isWork }: Topic, { edits, commits }: Evidence): number[] {
  if (!isWork) return calls.filter(isLookup).map(({ event }) => event);
  const events = new Set([...edits.flatMap((edit) => edit.events), ...commits.map(({ event }) => event)]);
  return [...events].sort((a, b) => a - b);
}
