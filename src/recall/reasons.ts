import { bodyOf, subjectOf } from '../indexing/search-text.ts';
import { tokenise } from '../indexing/tokenise.ts';
import type { SearchSource } from '../store/types/search.ts';
import { isOnThisBranch } from './features/document.ts';
import { findRelatedIn } from './features/related.ts';
import { isOutlier } from './fuse-similarity.ts';
import type { Candidates } from './gather-candidates.ts';
import type { Link } from './links.ts';
import { locateTerms } from './locate-terms.ts';
import type { Match } from './match.ts';
import type { Question } from './parse-question.ts';

/** What a document was indexed from, by the document's id. */
export type ReadSource = (id: number) => SearchSource | null;

const MOST = 4;
const MOST_WORDS = 3;
const MOST_RELATED = 2;
const DAY = 86_400_000;

/**
 * The reasons for a rank, for people, most important first. The index has only stems, so words are looked up in the
 * memory's own text: a reason names nothing that the memory does not say, in the form in which it says it.
 */
export function createExplanation(
  { question, found, similarities }: Candidates,
  readSource: ReadSource,
): (match: Match, link?: Link) => string[] {
  const matchOf = new Map(found.map(({ match }) => [match.doc.id, match]));
  return (match, link) => {
    const { request, parsed } = question;
    const { doc } = match;
    const source = readSource(doc.id);
    if (!source) return [];
    const isMeant = similarities !== undefined && isOutlier(doc.id, similarities);
    const isFoundByOthers =
      parsed.terms.length > 0 && !isMeant && !link && match.own.every((value) => value === 0);
    return [
      ...(doc.supersededBy === null ? [] : [`replaced by #${doc.supersededBy}`]),
      ...(link ? describeLink(link, source) : []),
      ...describeWords(question, match, source),
      ...describeRelated(question, match, source),
      ...(isMeant ? ['means much the same'] : []),
      ...(isFoundByOthers ? describeNeighbour(match, matchOf) : []),
      ...(parsed.span && doc.at >= parsed.span.from && doc.at < parsed.span.to ? ['from that time'] : []),
      ...(isOnThisBranch(request, doc) ? ['on this branch'] : []),
      ...(doc.pinnedAt === null ? [] : ['pinned']),
      ...(doc.isGlobal ? ['global'] : []),
      ...describeAge(request.now - doc.at),
    ].slice(0, MOST);
  };
}

/** Each word once, where it says most: title, text, aliases, and what the memory is about. */
function describeWords({ parsed, idf }: Question, { own }: Match, source: SearchSource): string[] {
  const missing = new Set(parsed.terms.filter((_, index) => own[index]));
  const places: [string, string[]][] = [
    ['title says', [source.title]],
    ['says', bodyOf(source)],
    ['also called', source.aliases],
    ['about', subjectOf(source)],
  ];
  return places.flatMap(([verb, texts]) => {
    const written = new Map<string, string>();
    for (const text of texts)
      for (const { terms, start, end } of locateTerms(text, missing, { once: true }))
        for (const term of terms) if (missing.delete(term)) written.set(term, text.slice(start, end));
    // The rarest words first: they decided.
    const words = [...written]
      .sort(([one], [other]) => rarityOf(other) - rarityOf(one))
      .map(([, word]) => word)
      .filter((word, index, all) => all.indexOf(word) === index)
      .slice(0, MOST_WORDS);
    return words.length > 0 ? [`${verb} ${words.join(', ')}`] : [];
  });

  function rarityOf(term: string): number {
    return idf[parsed.terms.indexOf(term)] ?? 0;
  }
}

/** “for “throttle”: rate limit”: what it says instead of a word that it lacks. */
function describeRelated({ parsed, related }: Question, { doc, own }: Match, source: SearchSource): string[] {
  const texts = [source.title, ...bodyOf(source), ...source.aliases, ...subjectOf(source)];
  const reasons = parsed.terms.flatMap((term, index) => {
    const other = own[index] ? undefined : findRelatedIn(related[index] ?? [], doc);
    const written = other?.terms.map((each) => findText(texts, each));
    if (!written || written.includes(null)) return [];
    return [`for “${parsed.written.get(term) ?? term}”: ${written.join(' ')}`];
  });
  return [...new Set(reasons)].slice(0, MOST_RELATED);
}

function findText(texts: string[], term: string): string | null {
  for (const text of texts) {
    const [place] = locateTerms(text, new Set([term]), { once: true });
    if (place) return text.slice(place.start, place.end);
  }
  return null;
}

/** Only a neighbour that has the words itself is a reason. */
function describeNeighbour({ doc }: Match, matchOf: Map<number, Match>): string[] {
  const has = (id: number | null) => id !== null && matchOf.get(id)?.own.some((value) => value > 0) === true;
  const memory = [doc.previous, doc.next].find((id) => id !== null && id % 2 === 0 && has(id));
  if (memory) return [`next to #${memory / 2}`];
  return has(doc.previous) ? ['said in answer'] : [];
}

function describeLink({ name, from }: Link, source: SearchSource): string[] {
  const shared = findWritten(name, source);
  const other = from.kind === 'prompt' ? 'a prompt' : `#${from.id / 2}`;
  return shared === null ? [] : [`shares \`${shared}\` with ${other}`];
}

/** The name as the memory writes it; as the index has it where it is only a part: `2.0` of v2.0.1. */
function findWritten(name: string, source: SearchSource): string | null {
  for (const text of [source.title, ...bodyOf(source), ...source.aliases, ...subjectOf(source)]) {
    const [place] = locateTerms(text, new Set([name]));
    if (!place) continue;
    const segments = text.slice(place.start, place.end).split('/');
    const endings = segments.map((_, index) => segments.slice(index).join('/'));
    return endings.find((ending) => tokenise(ending)[0] === name) ?? name;
  }
  return null;
}

/** Nothing of a date in the future, which no age describes. */
function describeAge(ms: number): string[] {
  const days = Math.floor(ms / DAY);
  if (days < -1) return [];
  if (days < 1) return ['today'];
  if (days < 60) return [`${days} ${days === 1 ? 'day' : 'days'} old`];
  return [days < 730 ? `${Math.round(days / 30)} months old` : `${Math.round(days / 365)} years old`];
}
