import { estimateLikelihoods, type RankedMatch } from './calibrate.ts';
import { findStrongHits } from './cut.ts';
import { FEATURES, type Feature, type Features } from './features/list.ts';
import { fuseScore, fuseScores } from './fuse-similarity.ts';
import type { Candidates } from './gather-candidates.ts';
import type { Link, LinkedCandidates } from './links.ts';
import { createExplanation, type ReadSource } from './reasons.ts';
import type { Hit, HitList } from './request.ts';
import { spreadOverSessions } from './spread-sessions.ts';
import { LINK_WEIGHT, TITLED_WEIGHTS, WEIGHTS } from './weights.ts';

/** A repetition of a better hit is worth less than something else. */
const REPEATED = 2;
const A_LITTLE = 0.05;

/** With the link that moved it up, if any. */
type OrderedMatch = RankedMatch & { link?: Link };

interface RankOptions {
  /** For measuring what a feature does. */
  leftOut?: Feature[];
  /** For the reasons. */
  readSource?: ReadSource;
}

/** Best first, each with its likelihood and reasons. */
export function rank(candidates: Candidates | LinkedCandidates, limit: number, options?: RankOptions): Hit[] {
  return rankOrdered(candidates, orderCandidates(candidates, options?.leftOut).slice(0, limit), options);
}

/** The same, and how many more hits answer the question as well. */
export function rankAndCount(
  candidates: Candidates | LinkedCandidates,
  limit: number,
  options?: RankOptions,
): HitList {
  const ordered = orderCandidates(candidates, options?.leftOut);
  const hits = rankOrdered(candidates, ordered.slice(0, limit), options);
  const isCut = hits.length > 0 && ordered.length > hits.length && hits.every(({ isWeaker }) => !isWeaker);
  return { hits, more: candidates.beyond + (isCut ? countStrong(candidates, ordered) - hits.length : 0) };
}

function countStrong({ question, memories, similarities }: Candidates, ordered: OrderedMatch[]): number {
  return findStrongHits(question, memories, ordered, similarities).filter(Boolean).length;
}

function rankOrdered(
  candidates: Candidates | LinkedCandidates,
  best: OrderedMatch[],
  { readSource = () => null }: RankOptions = {},
): Hit[] {
  const { question, memories, similarities } = candidates;
  const explain = createExplanation(candidates, readSource);
  if (question.parsed.terms.length === 0)
    return best.map(({ match }) => toHit(match.doc, 1, false, explain(match)));
  const scores = estimateLikelihoods(question, memories, best);
  const strong = findStrongHits(question, memories, best, similarities);
  return best.map(({ match, link }, index) => {
    const score = scores[index] ?? 0;
    const fused = similarities ? fuseScore(score, match.doc.id, similarities) : score;
    return toHit(match.doc, fused, strong[index] !== true, explain(match, link));
  });
}

/** All matches, best first. @param leftOut features to ignore, which shows their effect */
export function orderCandidates(
  candidates: Candidates | LinkedCandidates,
  leftOut: Feature[] = [],
): OrderedMatch[] {
  const { question, found, similarities } = candidates;
  // Only filters, no words: the newest first.
  if (question.parsed.terms.length === 0) return found.map(({ match }) => ({ match, total: 0 }));
  const untitled = listWeights(WEIGHTS, leftOut);
  const titled = listWeights({ ...WEIGHTS, ...TITLED_WEIGHTS }, leftOut);
  const ranked = found
    .map(({ match, features }) => ({
      match,
      total: weigh(features, match.doc.title === '' ? untitled : titled),
    }))
    .sort(compareMatches);
  if (similarities) fuseScores(ranked, similarities);
  ranked.sort(compareMatches);
  const seen = new Set<string>();
  for (const hit of ranked) {
    const text = `${hit.match.doc.title}\n${hit.match.doc.body}`;
    if (seen.has(text)) hit.total -= REPEATED;
    seen.add(text);
  }
  ranked.sort(compareMatches);
  if (question.parsed.isSurvey) {
    spreadOverSessions(ranked);
    ranked.sort(compareMatches);
  }
  return 'links' in candidates ? withLinks(ranked, candidates) : ranked;
}

/** Linked documents move up, but not before the hits they are linked from. */
function withLinks(ranked: RankedMatch[], { leading, links }: LinkedCandidates): OrderedMatch[] {
  const best = ranked.filter(({ match }) => leading.has(match.doc.id));
  const behind = Math.min(...best.map(({ total }) => total)) - A_LITTLE;
  return ranked
    .map((hit) => {
      const link = leading.has(hit.match.doc.id) ? undefined : links.get(hit.match.doc.id);
      if (!link || hit.total >= behind) return hit;
      return { ...hit, total: Math.min(hit.total + LINK_WEIGHT * link.strength, behind), link };
    })
    .sort(compareMatches);
}

/** Of equal scores, the newer one. */
function compareMatches(a: RankedMatch, b: RankedMatch): number {
  return b.total - a.total || b.match.doc.at - a.match.doc.at || b.match.doc.id - a.match.doc.id;
}

/** In the order of the features. */
function listWeights(weights: Record<Feature, number>, leftOut: Feature[]): Float64Array {
  return Float64Array.from(FEATURES, (name) => (leftOut.includes(name) ? 0 : weights[name]));
}

function weigh(features: Features, weights: Float64Array): number {
  let total = 0;
  for (let at = 0; at < features.length; at++) total += (features[at] ?? 0) * (weights[at] ?? 0);
  return total;
}

function toHit(
  { kind, id }: RankedMatch['match']['doc'],
  score: number,
  isWeaker: boolean,
  reasons: string[],
): Hit {
  return { kind, id: Math.floor(id / 2), score, isWeaker, reasons };
}
