import { tokenise } from '../indexing/tokenise.ts';
import type { Store } from '../store/store.ts';
import type { SearchFilter } from '../store/types/search.ts';
import { findCandidates, type SearchBreadth, WIDE_BREADTH } from './candidates.ts';
import { computeFeatures } from './features/all.ts';
import type { Features } from './features/list.ts';
import { measureRarity } from './features/rarity.ts';
import { findNamedSpeakers } from './features/speaker.ts';
import { prepareTitledFeatures, type TitledFeatures } from './features/titled.ts';
import { findBySimilarityOnly, measureSimilarities, type Similarities } from './fuse-similarity.ts';
import { gatherRelated } from './gather-related.ts';
import { type Match, matchDoc } from './match.ts';
import { type ParsedQuery, parseQuery } from './parse-query.ts';
import { parseQuestion, type Question } from './parse-question.ts';
import { type HitKind, MOST_COUNTED, type RecallRequest } from './request.ts';

/** Without words there is nothing to compare. */
const NONE: TitledFeatures = () => {};

const MEMORIES: HitKind[] = ['observation', 'summary', 'note'];

/** What recall needs of a store. Without vectors it goes by words, without sources it gives no reasons. */
export type RecallStore = Pick<
  Store,
  'countTerms' | 'findSearchCandidates' | 'listNewestDocs' | 'readSearchDocs'
> &
  Partial<Pick<Store, 'compareVectors' | 'readSearchSource'>>;

export interface Candidates {
  question: Question;
  memories: number;
  /** All candidates, with their features. */
  found: { match: Match; features: Features }[];
  /** Of a query without words: how many more than these match its filters. */
  beyond: number;
  similarities?: Similarities;
  /** For following links. */
  filter: SearchFilter;
  averageWords: number;
  titledFeatures: TitledFeatures;
}

/** Candidates from the index for a request, and their neighbours in the session. */
export function gatherCandidates(
  store: RecallStore,
  request: RecallRequest,
  breadth: SearchBreadth = WIDE_BREADTH,
): Candidates {
  const query = parseQuery(request.text, request.now);
  const parsed = parseQuestion(query.words, request.now);
  const filter = buildFilter(query, request);
  const question: Question = { parsed, request, idf: [], related: [], speakers: new Set() };
  if (parsed.terms.length === 0) {
    return {
      question,
      memories: 0,
      ...newest(store, question, query, filter),
      filter,
      averageWords: 1,
      titledFeatures: NONE,
    };
  }

  const counts = store.countTerms(filter, parsed.terms, breadth.counted);
  const similarities = meaningsFor(store, request, filter);
  const byWords = findCandidates(store, parsed, filter, { counts, breadth });
  const related = breadth.looksForRelatedWords
    ? gatherRelated(store, query.words, parsed, filter, breadth)
    : { ofTerms: [], candidates: [] };
  const bySimilarity = similarities ? findBySimilarityOnly(similarities) : [];
  const ids = [...new Set([...byWords, ...related.candidates, ...bySimilarity])];
  const docs = store.readSearchDocs(ids, breadth.withNeighbours);
  question.speakers = findNamedSpeakers(parsed.terms, docs);
  question.related = related.ofTerms;
  question.idf = counts.terms.map((count) => measureRarity(count, counts.docs));
  const matches = docs.map((doc) => matchDoc(doc, parsed.terms, counts.averageWords));
  const titledFeatures = prepareTitledFeatures(question, matches, breadth.compared);
  const features = computeFeatures(question, matches, titledFeatures);
  const isCandidate = new Set(ids);
  return {
    question,
    memories: counts.docs,
    beyond: 0,
    filter,
    averageWords: counts.averageWords,
    titledFeatures,
    ...(similarities && { similarities }),
    found: matches.flatMap((match, index) => {
      const values = features[index];
      const fits =
        isCandidate.has(match.doc.id) || (!isNarrow(filter) && filter.kinds.includes(match.doc.kind));
      return values && fits ? [{ match, features: values }] : [];
    }),
  };
}

/** A phrase means exactly these words, and an excluded word excludes its synonyms too. */
function meaningsFor(
  store: RecallStore,
  { vector }: RecallRequest,
  filter: SearchFilter,
): Similarities | null {
  if (!vector || !store.compareVectors || filter.phrases.length > 0 || filter.without.length > 0) return null;
  return measureSimilarities(store.compareVectors(vector, filter));
}

/** Without words: the newest that match the filters, if there are any. */
function newest(
  store: RecallStore,
  question: Question,
  query: ParsedQuery,
  filter: SearchFilter,
): Pick<Candidates, 'found' | 'beyond'> {
  const { span } = question.parsed;
  if (!span && !isNarrow(filter) && query.kinds.length === 0 && query.projects.length === 0)
    return { found: [], beyond: 0 };
  const within = span
    ? { ...filter, since: filter.since ?? span.from, before: filter.before ?? span.to }
    : filter;
  const { limit, withSuperseded = false } = question.request;
  const wanted = { ...within, withoutSuperseded: !withSuperseded };
  const all = store.listNewestDocs(wanted, Math.max(limit, MOST_COUNTED) + 1);
  const ids = all.slice(0, limit);
  const docs = new Map(store.readSearchDocs(ids, 0).map((doc) => [doc.id, doc]));
  const matches = ids.flatMap((id) => docs.get(id) ?? []).map((doc) => matchDoc(doc, [], 1));
  const features = computeFeatures(question, matches, NONE);
  const found = matches.flatMap((match, index) =>
    features[index] ? [{ match, features: features[index] }] : [],
  );
  return { found, beyond: all.length - ids.length };
}

/** Whether filters apply, which a neighbour may not match. */
export function isNarrow(filter: SearchFilter): boolean {
  const lists = [filter.phrases, filter.without, filter.types, filter.branches, filter.agents, filter.files];
  return lists.some((list) => list.length > 0) || filter.since !== null || filter.before !== null;
}

export function buildFilter(query: ParsedQuery, request: RecallRequest): SearchFilter {
  const { projectId, reach, kinds, phrases = [] } = request;
  const here = reach === 'all' ? null : projectId === null ? [] : [projectId];
  return {
    projects: query.projects.length > 0 ? query.projects : here,
    kinds: query.kinds.length > 0 ? query.kinds : (kinds ?? MEMORIES),
    phrases: [...query.phrases.map(asIndexed), ...phrases].filter((phrase) => phrase !== ''),
    without: query.without.map(asIndexed).filter((phrase) => phrase !== ''),
    types: query.types,
    branches: query.branches,
    agents: query.agents,
    files: query.files,
    since: query.since,
    before: query.before,
  };
}

function asIndexed(words: string): string {
  return tokenise(words).join(' ');
}
