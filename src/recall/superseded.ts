import { computeFeatures } from './features/all.ts';
import { FEATURE_INDEX } from './features/list.ts';
import { type Candidates, isNarrow, type RecallStore } from './gather-candidates.ts';
import { type Match, matchDoc } from './match.ts';
import type { Question } from './parse-question.ts';

type Found = Candidates['found'][number];

/** Replaced again and again: further back it is another subject. */
const LONGEST_CHAIN = 8;

/** With superseded memories, which then rank like others; or with what replaced them in their place. */
export function settleSuperseded(store: RecallStore, candidates: Candidates): Candidates {
  const superseded = candidates.found.filter(({ match }) => match.doc.supersededBy !== null);
  if (candidates.question.request.withSuperseded) {
    for (const { features } of superseded) features[FEATURE_INDEX.superseded] = 0;
    return candidates;
  }
  const filter = { ...candidates.filter, withoutSuperseded: true };
  if (superseded.length === 0) return { ...candidates, filter };
  const current = new Map(
    candidates.found
      .filter(({ match }) => match.doc.supersededBy === null)
      .map((found) => [found.match.doc.id, found]),
  );
  for (const old of superseded) {
    const successor = findSuccessor(store, candidates, current, old);
    if (successor) current.set(successor.match.doc.id, standFor(candidates.question, successor, old));
  }
  return { ...candidates, filter, found: [...current.values()] };
}

/** Read from the index unless the question found it too; not if filters apply, which it may not match. */
function findSuccessor(
  store: RecallStore,
  { question, filter, averageWords, titledFeatures }: Candidates,
  current: Map<number, Found>,
  { match }: Found,
): Found | null {
  let next = match.doc.supersededBy;
  for (let hop = 0; hop < LONGEST_CHAIN && next !== null; hop++) {
    const known = current.get(next * 2);
    if (known) return known;
    const [doc] = store.readSearchDocs([next * 2], 0);
    if (!doc) return null;
    if (doc.supersededBy === null) {
      if (isNarrow(filter) || !filter.kinds.includes(doc.kind)) return null;
      const found = matchDoc(doc, question.parsed.terms, averageWords);
      const [features] = computeFeatures(question, [found], titledFeatures);
      return features ? { match: found, features } : null;
    }
    next = doc.supersededBy;
  }
  return null;
}

/** It ranks where the replaced memory would, even if it says the same in other words. */
function standFor(question: Question, successor: Found, old: Found): Found {
  if (weigh(question, old.match) <= weigh(question, successor.match)) return successor;
  const features = old.features.slice();
  features[FEATURE_INDEX.superseded] = 0;
  const either = <Value>(one: Value[], other: Value[]) =>
    one.map((value, index) => value || (other[index] ?? value));
  const { own, inTitle, inHeader } = successor.match;
  const match: Match = {
    ...successor.match,
    own: own.map((value, index) => Math.max(value, old.match.own[index] ?? 0)),
    inTitle: either(inTitle, old.match.inTitle),
    inHeader: either(inHeader, old.match.inHeader),
  };
  return { match, features };
}

function weigh({ idf }: Question, { own }: Match): number {
  return idf.reduce((sum, weight, index) => sum + (own[index] ? weight : 0), 0);
}
