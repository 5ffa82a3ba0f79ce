import type { Observation, Summary } from '../../model/memory.ts';
import type { Turn } from '../turn.ts';
import type { Claim, ClaimRole } from './claims/claim.ts';
import { describeEvidence, type Evidence } from './evidence.ts';
import { commentsIn, editFacts } from './facts.ts';
import { describeInvestigation } from './investigation.ts';
import { isLookup } from './is-lookup.ts';
import { findOpenEnds } from './open-ends.ts';
import type { Request } from './request.ts';
import { joinSentences } from './text/shorten.ts';

const LONGEST_PART = 900;
const MOST_FILES = 100;

export interface TurnFindings {
  turn: Turn;
  request: Request;
  claims: Claim[];
  evidence: Evidence;
  observations: Observation[];
}

/** A checkpoint of the turn, from the same claims; null when nothing happened that is worth looking up. */
export function summarise(found: TurnFindings): Summary | null {
  const { turn, request, claims, evidence, observations } = found;
  if (observations.length === 0 && !isWorthNoting(found)) return null;
  const deeds = claims.filter((claim) => claim.role === 'deed' || claim.from === 'commit');
  return {
    request: request.asked,
    investigated: describeInvestigation(turn, evidence),
    learned: joinClaims(claims, ['cause', 'finding', 'trap', 'decision']) || fallbackLearned(found),
    completed: completed(deeds, evidence),
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

function completed(deeds: Claim[], evidence: Evidence): string {
  const words = chooseFitting(deeds).map(({ statement }) => statement);
  const proof = describeEvidence(evidence);
  return joinSentences([
    ...(words.length > 0 ? words : editFacts(evidence.edits, 5)),
    ...(proof === '' ? [] : [proof]),
  ]);
}

function joinClaims(claims: Claim[], roles: ClaimRole[]): string {
  return joinSentences(pick(claims, roles));
}

function pick(claims: Claim[], roles: ClaimRole[]): string[] {
  const own = claims.filter(({ role, from }) => roles.includes(role) && from !== 'commit');
  return chooseFitting(own).map(({ statement }) => statement);
}

/** The heaviest that fit into a part, in their own order. */
function chooseFitting(claims: Claim[]): Claim[] {
  let length = 0;
  const chosen = new Set<Claim>();
  for (const claim of [...claims].sort((a, b) => b.score - a.score)) {
    if (length + claim.statement.length > LONGEST_PART && chosen.size > 0) continue;
    chosen.add(claim);
    length += claim.statement.length + 1;
  }
  return claims.filter((claim) => chosen.has(claim));
}
