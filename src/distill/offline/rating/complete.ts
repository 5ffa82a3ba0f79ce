import { praise } from '../../phrases/announcements.ts';
import { pointsBack } from '../../phrases/references.ts';
import { capitalise } from '../text/capitals.ts';
import { countWords } from '../text/count-words.ts';
import { findNames } from '../text/names.ts';
import { asRule, dropOpening, SAYING } from '../text/openings.ts';
import { MARKERS } from './markers.ts';
import { dropEmptyClause } from './noise.ts';
import type { RatedSentence } from './rated-sentence.ts';
import { KEEP_FROM } from './weights.ts';

/** “never start it from a dev box” */
const pointsAside =
  /^(?!(?:please )?note |beware |remember |so )(?:[\p{L}'’]+ ){1,3}(?:it|them|those)(?![\p{L}'’])/iu;

/** Whether it is not understood without what was said before. */
export function needsContext({ text }: Pick<RatedSentence, 'text'>): boolean {
  return (pointsBack.test(text) && !germanArticle.test(text)) || pointsAside.test(text);
}

/** “Das Zertifikat …”: before a noun it points at nothing. */
const germanArticle = /^(?:[Dd]as|[Dd]ie) (?:\p{Ll}{4,}en? )?\p{Lu}/u;

/** “That is a dead end: transforming the jar breaks its signature”: what points back is before the colon. */
const pointer = /^[^:：]{3,60}[:：]\s+(?=\S)/u;
const LEAST_WORDS = 6;
const LEAST_WORDS_OF_ORDER = 4;
/** A longer sentence that names something is understood although it says “it” once. */
const LONG = 12;

function dropPointer<T extends Pick<RatedSentence, 'text'>>(sentence: T): T {
  const rest = sentence.text.replace(pointer, '');
  const isComplete =
    needsContext(sentence) && countWords(rest) >= LEAST_WORDS && !needsContext({ text: rest });
  return isComplete ? { ...sentence, text: capitalise(rest) } : sentence;
}

/** “As I feared: …”, “Achei: …”: between its calls the agent first comments on what it sees. */
const comment = /^[^:：.]{3,60}[:：]\s*(?=\S)/u;
const MOST_COMMENT_WORDS = 7;
/** Without a comment before the colon, where what follows stands for itself. */
export function dropComment<T extends Pick<RatedSentence, 'text' | 'from' | 'code' | 'isFirst'>>(
  sentence: T,
): T {
  const [lead = ''] = (sentence.from === 'between' && comment.exec(sentence.text)) || [];
  const rest = sentence.text.slice(lead.length);
  if (lead === '' || countWords(lead) > MOST_COMMENT_WORDS || countWords(rest) < LEAST_WORDS) return sentence;
  const isComment =
    !/\d/.test(lead) &&
    findNames(
      lead,
      sentence.code.filter((name) => lead.includes(name)),
    ).length === 0 &&
    !SAYING.some((marker) => MARKERS[marker].test(lead)) &&
    !needsContext({ text: rest });
  return isComment ? { ...sentence, text: capitalise(rest) } : sentence;
}

/**
 * The sentence so that it can be understood alone: with the one or two before it that it points to. Null if it points
 * to something that was not said in its message.
 */
export function completeStatement(told: RatedSentence, before: RatedSentence[]): string | null {
  if (told.from !== 'person' && /[:：]$/.test(told.text)) return null;
  const sentence = dropPointer(dropComment({ ...told, text: dropOpening(told.text) }));
  const context: string[] = [];
  let first: RatedSentence = sentence;
  for (const previous of before.toReversed().slice(0, 2)) {
    const belongs = isHeadOf(previous, first) || givesReasonFor(previous, first);
    if (!needsContext(first) && !belongs) break;
    if (isEmptyContext(previous) && !belongs) break;
    context.unshift(previous.from === 'person' ? asRule(previous.text) : previous.text);
    first = previous;
  }
  const isLong = countWords(sentence.text) >= LONG && !pointsBack.test(sentence.text);
  if (needsContext(first) && sentence.names.length < (isLong ? 1 : 2)) return null;
  const own = sentence.from === 'person' ? asRule(sentence.text) : dropEmptyClause(sentence);
  return [...context, dropOpening(own)].map(withStop).join(' ');
}

/** “src/a.ts — serious. The guard is missing.”: the first words of a paragraph or list item say where. */
function isHeadOf(head: RatedSentence, { message, block, text }: RatedSentence): boolean {
  const isSamePlace = head.message === message && head.block === block;
  return (
    isSamePlace &&
    head.names.length > 0 &&
    countWords(head.text) < 6 &&
    !head.names.some((name) => text.includes(name))
  );
}

/** “Please take quantum out again. We run two nodes.”: an order and its reason, where the order alone is not kept. */
function givesReasonFor(
  order: RatedSentence,
  { from, isFollowUp, markers, features }: RatedSentence,
): boolean {
  const isOrder = features.personRule !== undefined || features.personMust !== undefined;
  return (
    from === 'person' &&
    isFollowUp &&
    (!isOrder || markers.has('cause')) &&
    features.wish === undefined &&
    order.score < KEEP_FROM &&
    order.noise.length === 0 &&
    !praise.test(order.text) &&
    countWords(order.text) >= LEAST_WORDS_OF_ORDER
  );
}

function isEmptyContext({ noise, text }: RatedSentence): boolean {
  return noise.includes('courtesy') || noise.includes('offer') || countWords(text) < 3;
}

function withStop(text: string): string {
  if (!/[\p{L}\p{N})\]"”'’`%]$/u.test(text)) return text;
  return text + (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text) ? '。' : '.');
}
