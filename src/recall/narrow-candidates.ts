import { computeFeatures } from './features/all.ts';
import { prepareTitledFeatures } from './features/titled.ts';
import type { Candidates } from './gather-candidates.ts';
import type { Match } from './match.ts';
import { parseQuery } from './parse-query.ts';
import { parseQuestion, type Question } from './parse-question.ts';
import type { RecallRequest } from './request.ts';

/** Only the best of a topic are shown, so fewer texts are compared than for a whole query. */
const MOST_COMPARED = 20;

/**
 * The candidates of a query as candidates for some of its words. Asking the index again for each topic would take as
 * long as the query itself. Null if the words are not all words of the query.
 */
export function narrowCandidates(whole: Candidates, request: RecallRequest): Candidates | null {
  const parsed = parseQuestion(parseQuery(request.text, request.now).words, request.now);
  const places = parsed.terms.map((term) => whole.question.parsed.terms.indexOf(term));
  if (places.length === 0 || places.includes(-1)) return null;
  const { idf, related, speakers } = whole.question;
  const question: Question = {
    ...{ parsed, request, idf: places.map((place) => idf[place] ?? 0) },
    related: places.map((place) => related[place] ?? []),
    speakers: new Set([...places.keys()].filter((at) => speakers.has(places[at] ?? -1))),
  };
  const matches = whole.found
    .map(({ match }) => narrowMatch(match, places))
    .filter(({ own }) => own.some((value) => value > 0));
  const titledFeatures = prepareTitledFeatures(question, matches, MOST_COMPARED);
  const features = computeFeatures(question, matches, titledFeatures);
  const { similarities: _, ...rest } = whole;
  return {
    ...{ ...rest, question, titledFeatures },
    found: matches.flatMap((match, index) => (features[index] ? [{ match, features: features[index] }] : [])),
  };
}

function narrowMatch(match: Match, places: number[]): Match {
  const pick = <Value>(list: Value[], none: Value) => places.map((place) => list[place] ?? none);
  return {
    doc: match.doc,
    own: pick(match.own, 0),
    counts: pick(match.counts, { title: 0, body: 0, names: 0, others: 0 }),
    inTitle: pick(match.inTitle, false),
    inHeader: pick(match.inHeader, false),
    place: pick(match.place, -1),
    alike: pick(match.alike, false),
  };
}
