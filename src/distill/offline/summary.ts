import type { Observation, Summary } from '../../model/memory.ts';
import type { Turn } from '../turn.ts';
import { describeEvidence, type Evidence } from './evidence.ts';
import { commentsIn, editFacts } from './facts.ts';
import { describeInvestigation } from './investigation.ts';
import { isLookup } from './is-lookup.ts';
import { findOpenEnds } from './open-ends.ts';
import { contentWords } from './rating/measure.ts';
import { dropEmptyClause, findNoise } from './rating/noise.ts';
import type { KeptSentence, SentenceRole } from './rating/rated-sentence.ts';
import { isOpen } from './rating/roles.ts';
import type { Request } from './request.ts';
import { roleOfLabel } from './text/labels.ts';
import { findNames } from './text/names.ts';
import { dropOpening } from './text/openings.ts';
import { readSentences } from './text/sentences.ts';
import { joinSentences } from './text/shorten.ts';

const LONGEST_PART = 900;
const MOST_FILES = 100;
const HEADLINE_SENTENCES = 2;

export interface TurnFindings {
  turn: Turn;
  request: Request;
  claims: KeptSentence[];
  evidence: Evidence;
  observations: Observation[];
}

/** A checkpoint of the turn, from the same claims; null when nothing happened that is worth looking up. */
export function summarise(found: TurnFindings): Summary | null {
  const { turn, request, claims, evidence, observations } = found;
  if (observations.length === 0 && !isWorthNoting(found)) return null;
  return {
    request: request.asked,
    investigated: describeInvestigation(turn, evidence),
    learned: joinClaims(claims, ['cause', 'finding', 'trap', 'decision']) || fallbackLearned(found),
    completed: describeCompleted(found),
    nextSteps: joinSentences([...pick(claims, ['open']), ...findOpenEnds(turn, evidence)]),
    notes: joinClaims(
      claims.filter(({ from }) => from === 'person'),
      ['rule', 'decision', 'finding', 'trap'],
    ),
    filesRead: evidence.filesRead.slice(0, MOST_FILES),
    filesModified: evidence.filesModified.slice(0, MOST_FILES),
  };
}

/** Something was changed, committed or run; or something was looked into for a reason. */
function isWorthNoting({ turn, request, evidence: { edits, commits, runs } }: TurnFindings): boolean {
  if (edits.length > 0 || commits.length > 0) return true;
  if (request.isEmpty || request.asked === '') return false;
  if (runs.some(({ kind }) => kind !== 'look')) return true;
  return turn.calls.some(isLookup);
}

/** The agent said nothing: comments that came with the edits may tell why. */
function fallbackLearned({ claims, evidence }: TurnFindings): string {
  return claims.length === 0 ? commentsIn(evidence.edits).join(' ') : '';
}

/** What the agent says it did, and what shows it. */
function describeCompleted({ turn, claims, evidence }: TurnFindings): string {
  const hasWork = evidence.edits.length > 0 || evidence.commits.length > 0;
  const deeds = claims.filter((claim) => isDeed(claim) || (hasWork && isReport(claim)));
  const said = chooseFitting(deeds).map(({ statement }) => statement);
  const words = hasWork ? withHeadline(said, turn) : said;
  const proof = describeEvidence(evidence);
  return joinSentences([
    ...(words.length > 0 ? words : editFacts(evidence.edits, 5)),
    ...(proof === '' ? [] : [proof]),
  ]);
}

function isDeed({ role, from }: KeptSentence): boolean {
  return role === 'deed' || from === 'commit';
}

/** An item of the list with which the agent reports its work. */
function isReport({ from, inList, under, role }: KeptSentence): boolean {
  const label = roleOfLabel(under);
  return from === 'closing' && inList && role !== 'open' && (label === 'cure' || under === '');
}

/** After a piece of work, the closing words begin with what was done, whatever the language. */
function withHeadline(said: string[], { prompt, closingWords }: Turn): string[] {
  const [first] = readSentences(closingWords)
    .slice(0, HEADLINE_SENTENCES)
    .filter(({ under }) => !isOpen(under))
    .filter((sentence) => findNoise(sentence, CLOSING).every((noise) => noise === 'outcome'))
    .map((sentence) => dropOpening(dropEmptyClause(sentence)))
    .filter((text) => said.length === 0 || namesAnything(text, prompt));
  const isNew = first !== undefined && !said.some((text) => text.includes(first.replace(/[.!。！]+$/, '')));
  return isNew ? [first, ...said] : said;
}

/** “The update went smoothly” praises; what was done names something, or has a word of what was asked. */
function namesAnything(text: string, prompt: string): boolean {
  const asked = contentWords(prompt);
  return (
    /\d/.test(text) || findNames(text).length > 0 || [...contentWords(text)].some((word) => asked.has(word))
  );
}

const CLOSING = { isAgent: true, isBeforeCall: false, isAtEnd: false };

function joinClaims(claims: KeptSentence[], roles: SentenceRole[]): string {
  return joinSentences(pick(claims, roles));
}

function pick(claims: KeptSentence[], roles: SentenceRole[]): string[] {
  const own = claims.filter(({ role, from }) => roles.includes(role) && from !== 'commit');
  return chooseFitting(own).map(({ statement }) => statement);
}

/** The heaviest that fit into a part, in their own order. */
function chooseFitting(claims: KeptSentence[]): KeptSentence[] {
  let length = 0;
  const chosen = new Set<KeptSentence>();
  for (const claim of [...claims].sort((a, b) => b.score - a.score)) {
    if (length + claim.statement.length > LONGEST_PART && chosen.size > 0) continue;
    chosen.add(claim);
    length += claim.statement.length + 1;
  }
  return claims.filter((claim) => chosen.has(claim));
}
