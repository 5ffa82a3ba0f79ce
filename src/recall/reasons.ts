import { isOutlier, type Similarities } from './fuse-similarity.ts';
import type { Link } from './links.ts';
import type { Match } from './match.ts';
import type { Question } from './parse-question.ts';

const MOST = 4;
const MOST_WORDS = 3;
const DAY = 86_400_000;

/** The reasons for a rank, for people, most important first. */
export function explainRank(
  question: Question,
  match: Match,
  similarities?: Similarities,
  link?: Link,
): string[] {
  const { request, parsed } = question;
  const { doc } = match;
  const inTitle = wordsOf(question, (index) => match.inTitle[index] === true);
  const inText = wordsOf(question, (index) => (match.place[index] ?? -1) >= 0 && !match.inTitle[index]);
  const inHeader = wordsOf(
    question,
    (index) => match.inHeader[index] === true && (match.place[index] ?? -1) < 0 && !match.inTitle[index],
  );
  const isMeant = similarities !== undefined && isOutlier(doc.id, similarities);
  const around = parsed.terms.length > 0 && !isMeant && !link && match.own.every((value) => value === 0);
  return [
    ...(doc.supersededBy === null ? [] : [`replaced by #${doc.supersededBy}`]),
    ...(link ? [describeLink(link)] : []),
    ...(inTitle ? [`title says ${inTitle}`] : []),
    ...(inText ? [`says ${inText}`] : []),
    ...(inHeader ? [`about ${inHeader}`] : []),
    ...(isMeant ? ['means much the same'] : []),
    ...(around ? [describeNeighbour(match)] : []),
    ...(parsed.span && doc.at >= parsed.span.from && doc.at < parsed.span.to ? ['from that time'] : []),
    ...(request.branch !== undefined && doc.branch === request.branch ? ['on this branch'] : []),
    ...(doc.pinnedAt === null ? [] : ['pinned']),
    ...(doc.isGlobal ? ['global'] : []),
    age(request.now - doc.at),
  ].slice(0, MOST);
}

/** The rarest words first: they decided. */
function wordsOf({ parsed, idf }: Question, isThere: (index: number) => boolean): string {
  return parsed.terms
    .map((term, index) => ({ term, index, weight: idf[index] ?? 0 }))
    .filter(({ index }) => isThere(index))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_WORDS)
    .map(({ term }) => parsed.written.get(term) ?? term)
    .filter((word, index, all) => all.indexOf(word) === index)
    .join(', ');
}

function describeNeighbour({ doc }: Match): string {
  const neighbour = [doc.previous, doc.next].find((id) => id !== null && id % 2 === 0);
  return neighbour ? `next to #${neighbour / 2}` : 'said in answer';
}

/** The indexed form of the name; the original spelling is not stored. */
function describeLink({ name, from }: Link): string {
  return `shares \`${name}\` with ${from.kind === 'prompt' ? 'a prompt' : `#${from.id / 2}`}`;
}

function age(ms: number): string {
  const days = Math.floor(ms / DAY);
  if (days < 1) return 'today';
  if (days < 60) return `${days} ${days === 1 ? 'day' : 'days'} old`;
  return days < 730 ? `${Math.round(days / 30)} months old` : `${Math.round(days / 365)} years old`;
}
