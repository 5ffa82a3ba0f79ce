import { interleave } from '../model/interleave.ts';
import type { RecallStore } from './gather-candidates.ts';
import { narrowCandidates } from './narrow-candidates.ts';
import { isDistinctive } from './parse-question.ts';
import { splitQuery } from './query-pieces.ts';
import { readQueryTerms } from './query-terms.ts';
import { rank } from './rank.ts';
import { createSourceReader, cutList, gather, recallAndCount, recallFrom } from './recall.ts';
import type { Hit, HitList, RecallRequest } from './request.ts';

/** A longer list is one search for any of its words. */
const MOST_TOPICS = 3;
/** Of a topic that the whole query did not find. */
const MOST_ADDED = 2;
/** How likely the best hit of a topic has to be: its words are few, and may be said by chance. */
const LEAST_SCORE = 0.3;
/** After a comma or semicolon people often ask something more about the same. */
const TOPIC_END =
  /(?<=[?？])\s*|\s+(?:and(?: also)?|as well as|plus|und|sowie|et|y|och|ve|и|і|та|和|与|以及|と|および|및|그리고)\s+|\s+[&+]\s+/i;

/**
 * Like recall, but of a query about several things each is looked up by itself too: in the sum of all words the
 * memories of one would come first and the cut would leave out those of the other.
 */
export function recallTopics(store: RecallStore, request: RecallRequest): HitList {
  const topics = splitTopics(request);
  if (topics.length === 0) return recallAndCount(store, request);
  const candidates = gather(store, request);
  const whole = recallFrom(store, request, () => candidates);
  const answers = whole.hits.filter(({ isWeaker }) => !isWeaker);
  const known = new Set(answers.map(keyOf));
  const added = topics.flatMap((text) => {
    const narrowed = narrowCandidates(candidates, { ...request, text });
    if (!narrowed) return [];
    const found = rank(narrowed, request.limit).filter(({ isWeaker }) => !isWeaker);
    const isDrowned = !found.some((hit) => known.has(keyOf(hit)));
    if (!isDrowned || (found[0]?.score ?? 0) < LEAST_SCORE) return [];
    const best = rank(narrowed, MOST_ADDED, { readSource: createSourceReader(store) });
    return [best.filter(({ isWeaker }) => !isWeaker)];
  });
  if (added.length === 0) return whole;
  const seen = new Set<string>();
  const all = [...interleave([answers, ...added]), ...whole.hits].filter(
    (hit) => !seen.has(keyOf(hit)) && seen.add(keyOf(hit)),
  );
  return cutList(all, request.limit, whole.more);
}

/** The query with the words of one topic each, and with all of its operators. */
function splitTopics({ text, now }: RecallRequest): string[] {
  const pieces = splitQuery(text);
  const words = pieces.filter(({ kind }) => kind === 'words').map((piece) => piece.text);
  const rest = pieces.filter(({ kind }) => kind !== 'words').map((piece) => piece.text);
  const topics = words
    .join(' ')
    .split(TOPIC_END)
    .filter((part) => [...readQueryTerms(part, now)].some(isDistinctive));
  if (topics.length < 2 || topics.length > MOST_TOPICS) return [];
  return topics.map((topic) => [topic, ...rest].join(' '));
}

function keyOf({ kind, id }: Hit): string {
  return `${kind} ${id}`;
}
