import { likelihoods, type Ranked } from './calibrate.ts';
import { FEATURES, type Feature, type Features } from './features/list.ts';
import { fuse, fuseScore } from './fuse.ts';
import type { Link, Linked } from './links.ts';
import type { Looked } from './look.ts';
import { reasonsFor } from './reasons.ts';
import type { Hit } from './request.ts';
import { LINKED, TITLED, WEIGHTS } from './weights.ts';

/** What says the same as a better hit is worth less than something else. */
const REPEATED = 2;
const A_LITTLE = 0.05;

/** With what moved it up, if anything did. */
type Ordered = Ranked & { link?: Link };

/** The best first, each with how likely it is meant and why. */
export function rank(looked: Looked | Linked, limit: number, weights = WEIGHTS): Hit[] {
  const { question, memories, found, meanings } = looked;
  // Nothing was asked but that it fits, and it does: the newest first.
  if (question.asked.terms.length === 0)
    return found.slice(0, limit).map(({ match }) => hitOf(match.doc, 1, reasonsFor(question, match)));
  const best = order(looked, weights).slice(0, limit);
  const scores = likelihoods(question, memories, best);
  return best.map(({ match, link }, index) => {
    const score = scores[index] ?? 0;
    const fused = meanings ? fuseScore(score, match.doc.id, meanings) : score;
    return hitOf(match.doc, fused, reasonsFor(question, match, meanings, link));
  });
}

/** All that was found, the best first. */
export function order(looked: Looked | Linked, weights = WEIGHTS): Ordered[] {
  const { found, meanings } = looked;
  const titled = forTitled(weights);
  const ranked = found
    .map(({ match, features }) => ({
      match,
      total: weigh(features, match.doc.title === '' ? weights : titled),
    }))
    .sort(betterFirst);
  if (meanings) fuse(ranked, meanings);
  ranked.sort(betterFirst);
  const said = new Set<string>();
  for (const hit of ranked) {
    const text = `${hit.match.doc.title}\n${hit.match.doc.body}`;
    if (said.has(text)) hit.total -= REPEATED;
    said.add(text);
  }
  ranked.sort(betterFirst);
  return 'links' in looked ? withLinks(ranked, looked) : ranked;
}

/** What the best lead to moves up, but not before them: it is they that have what was asked for. */
function withLinks(ranked: Ranked[], { leading, links }: Linked): Ordered[] {
  const best = ranked.filter(({ match }) => leading.has(match.doc.id));
  const behind = Math.min(...best.map(({ total }) => total)) - A_LITTLE;
  return ranked
    .map((hit) => {
      const link = leading.has(hit.match.doc.id) ? undefined : links.get(hit.match.doc.id);
      if (!link || hit.total >= behind) return hit;
      return { ...hit, total: Math.min(hit.total + LINKED * link.strength, behind), link };
    })
    .sort(betterFirst);
}

/** Of two that are worth the same, the newer one. */
function betterFirst(a: Ranked, b: Ranked): number {
  return b.total - a.total || b.match.doc.at - a.match.doc.at || b.match.doc.id - a.match.doc.id;
}

/** A signal that counts nothing in `weights` was left out on purpose, and stays so. */
function forTitled(weights: typeof WEIGHTS): typeof WEIGHTS {
  const weightOf = (name: Feature) => (weights[name] === 0 ? 0 : (TITLED[name] ?? weights[name]));
  return Object.fromEntries(FEATURES.map((name) => [name, weightOf(name)])) as typeof WEIGHTS;
}

function weigh(features: Features, weights: typeof WEIGHTS): number {
  let total = 0;
  FEATURES.forEach((name, at) => {
    total += (features[at] ?? 0) * weights[name];
  });
  return total;
}

function hitOf({ kind, id }: Ranked['match']['doc'], score: number, reasons: string[]): Hit {
  return { kind, id: Math.floor(id / 2), score, reasons };
}
