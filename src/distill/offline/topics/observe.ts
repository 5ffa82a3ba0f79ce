import type { Observation } from '../../../model/memory.ts';
import type { Turn } from '../../turn.ts';
import { headingOf, isInterim } from '../calls/commits.ts';
import type { Claim } from '../claims/claim.ts';
import { findConcepts } from '../concepts.ts';
import { describeEvidence, type Evidence } from '../evidence.ts';
import { commentsIn, editFacts, symptomFacts } from '../facts.ts';
import { isLookup } from '../is-lookup.ts';
import type { Request } from '../request.ts';
import { countWords } from '../text/count-words.ts';
import { dropOpening } from '../text/openings.ts';
import { shorten } from '../text/shorten.ts';
import { headingFrom, headingFromRequest, isSelfContained } from '../text/title.ts';
import { type ClaimGroup, groupClaims } from './group.ts';
import { typeOf } from './type.ts';

const MOST_OBSERVATIONS = 9;
const MOST_FACTS = 7;
const MOST_FILES = 40;
const LONGEST_REQUEST = 120;
const LONGEST_EVIDENCE = 140;
/** Fewer words than these say too little of a piece of work. */
const FEW_WORDS = 9;

/** One observation per topic, the weightiest first. */
export function observeTopics(
  turn: Turn,
  request: Request,
  claims: Claim[],
  evidence: Evidence,
): Observation[] {
  const groups = groupClaims(claims, evidence);
  const work = groups.find(({ isWork }) => isWork);
  const hasWork = evidence.edits.length > 0 || evidence.commits.some((commit) => !isInterim(commit));
  if (!work && hasWork && !evidence.tookBack) groups.push({ claims: [], isWork: true });
  return groups
    .map((group) => ({ group, weight: weightOf(group) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_OBSERVATIONS)
    .map(({ group }) => observe(turn, request, group, evidence))
    .filter(({ title }) => title !== '');
}

/** What a person said comes first, then the work itself. */
function weightOf({ claims, isWork }: ClaimGroup): number {
  const best = Math.max(0, ...claims.map(({ score }) => score));
  return best + (claims[0]?.from === 'person' ? 4 : 0) + (isWork ? 3 : 0);
}

function observe(turn: Turn, request: Request, group: ClaimGroup, evidence: Evidence): Observation {
  const { claims, isWork } = group;
  const chosen = heaviest(claims);
  const facts = chosen.map(({ statement }) => statement);
  const bare = isWork && countWords(facts.join(' ')) < FEW_WORDS;
  const symptoms = evidence.repairs.slice(0, 1).flatMap((repair) => symptomFacts(repair, turn.folder));
  const named = filesNamed(claims, evidence);
  const title = titleOf(group, request, evidence);
  return {
    type:
      isWork && claims.length === 0
        ? typeOf({ claims: [PLACEHOLDER], isWork }, evidence, request)
        : typeOf(group, evidence, request),
    title,
    subtitle:
      isWork || claims.some(({ from }) => from === 'closing') ? contextOf(isWork, request, evidence) : '',
    narrative: '',
    facts: [
      ...new Set(
        bare ? [...facts, ...symptoms, ...commentsIn(evidence.edits), ...editFacts(evidence.edits)] : facts,
      ),
    ]
      .filter((fact) => !isTitle(fact, title))
      .slice(0, MOST_FACTS),
    concepts: findConcepts(isWork ? evidence : { edits: [], packages: [] }, chosen),
    filesRead: (isWork ? evidence.filesRead : named.read).slice(0, MOST_FILES),
    filesModified: (isWork ? evidence.filesModified : named.modified).slice(0, MOST_FILES),
    events: isWork
      ? [
          ...new Set([
            ...evidence.edits.flatMap(({ events }) => events),
            ...evidence.commits.map(({ event }) => event),
          ]),
        ].sort((a, b) => a - b)
      : turn.calls.filter(isLookup).map(({ event }) => event),
  };
}
/** What was asked, and for a piece of work what shows that it was done: in one line. */
function contextOf(isWork: boolean, request: Request, evidence: Evidence): string {
  const asked = request.asked === '' ? '' : `Asked: ${shorten(request.asked, LONGEST_REQUEST)}`;
  const proof = isWork ? shorten(describeEvidence(evidence), LONGEST_EVIDENCE) : '';
  return [asked, proof].filter((part) => part !== '').join(' · ');
}

const PLACEHOLDER = { from: 'commit', role: 'deed', features: {}, statement: '' } as unknown as Claim;

/** A fact that the title says already. */
function isTitle(fact: string, title: string): boolean {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/^\w+(?:\([^)]*\))?!?: /, '')
      .replace(/[\s.。!]+$/, '');
  return bare(fact) === bare(title);
}

function heaviest(claims: Claim[]): Claim[] {
  const best = new Set([...claims].sort((a, b) => b.score - a.score).slice(0, MOST_FACTS));
  return claims.filter((claim) => best.has(claim));
}

/** The strongest claim in a short form; for a piece of work its commit, or what was asked where nothing was said. */
function titleOf({ claims, isWork }: ClaimGroup, request: Request, { commits, edits }: Evidence): string {
  const lasting = commits.filter((commit) => !isInterim(commit));
  const [commit] = lasting;
  if (isWork && commit && lasting.length === 1) return shorten(headingOf(commit), 110);
  const candidates = claims.filter(({ role }) => !isWork || role === 'deed' || role === 'cause');
  const best = [...(candidates.length > 0 ? candidates : claims)]
    .filter((claim) => isSelfContained(claim))
    .sort((a, b) => b.score + titleBonus(b) - a.score - titleBonus(a))[0];
  if (best) return headingFrom(dropOpening(best.text));
  const [any] = claims;
  if (any) return headingFrom(any.statement);
  if (!isWork) return '';
  return headingFromRequest(request.asked) || shorten(editFacts(edits, 1)[0] ?? '', 110);
}

/** A heading is short, and the first sentence mostly tells the whole. */
function titleBonus({ isFirst, text, from }: Claim): number {
  return (isFirst ? 1 : 0) + (text.length <= 110 ? 1 : 0) + (from === 'closing' ? 0.5 : 0);
}

/** The files that the claims name; those of the turn if they are few. */
function filesNamed(
  claims: Claim[],
  { filesRead, filesModified }: Evidence,
): { read: string[]; modified: string[] } {
  const words = claims.map(({ statement }) => statement).join(' ');
  const isNamed = (path: string) =>
    words.includes(path) || words.includes(path.slice(path.lastIndexOf('/') + 1));
  const [read, modified] = [filesRead.filter(isNamed), filesModified.filter(isNamed)];
  if (read.length + modified.length > 0 || claims[0]?.from === 'person') return { read, modified };
  const few = filesModified.length + filesRead.length <= 6;
  return few
    ? { read: filesRead, modified: filesModified }
    : { read: [], modified: filesModified.slice(0, 3) };
}
