import { repairs } from '../../phrases/corrections.ts';
import { completeStatement } from './complete.ts';
import { MARKERS } from './markers.ts';
import { contentWords } from './measure.ts';
import type { DroppedSentence, KeptSentence, RatedSentence, SentenceSource } from './rated-sentence.ts';
import { createTakenBackTest } from './taken-back.ts';
import { KEEP_FROM, KEEP_REPORTED_FROM } from './weights.ts';

const MOST_CLAIMS = 30;
/** Each is compared with every other. */
const MOST_COMPARED = 120;
/** Of the words of the shorter one, how many the other must have to say the same. */
const SAME_SHARE = 0.65;
/** So many letters of a sentence are its beginning. */
const VERDICT_LENGTH = 25;
/** … to speak of the same thing, so that another number in the later one corrects the earlier. */
const SAME_SUBJECT_SHARE = 0.55;

/** Of two sentences that say the same, the one from the earlier of these stays. */
const PREFERRED: SentenceSource[] = [
  'answer',
  'person',
  'closing',
  'commit',
  'report',
  'between',
  'plan',
  'compaction',
];

/** The sentences that are kept, each complete by itself, and why the others are not. */
export function chooseSentences(rated: RatedSentence[]): {
  claims: KeptSentence[];
  dropped: DroppedSentence[];
} {
  const dropped: DroppedSentence[] = [];
  const drop = ({ text, from }: RatedSentence, why: string) => dropped.push({ text, from, why });
  const claims: KeptSentence[] = [];
  for (const [index, sentence] of rated.entries()) {
    if (sentence.score < leastScore(sentence) && !continuesRule(sentence, rated[index - 1])) {
      drop(sentence, whyNot(sentence));
      continue;
    }
    const statement = completeStatement(sentence, sentencesBefore(rated, index));
    if (statement === null) drop(sentence, 'not understood without what was said before');
    else claims.push({ ...sentence, statement, words: contentWords(statement) });
  }
  const candidates = takeHeaviest(claims, MOST_COMPARED);
  const isTakenBack = createTakenBackTest(rated);
  const distinct = candidates.filter((claim, index) => {
    const why =
      isTakenBack(claim) || isRepaired(claim, rated)
        ? 'corrected later'
        : whyRedundant(claim, index, candidates);
    if (why !== null) drop(claim, why);
    return why === null;
  });
  return { claims: takeHeaviest(distinct, MOST_CLAIMS), dropped };
}

/** In their own order. */
function takeHeaviest(claims: KeptSentence[], most: number): KeptSentence[] {
  const heaviest = new Set([...claims].sort((a, b) => b.score - a.score).slice(0, most));
  return claims.filter((claim) => heaviest.has(claim));
}

/** What an agent reports at the end about something that it names is seldom empty. */
function leastScore({ from, noise, names, text, features }: RatedSentence): number {
  const isReport = from === 'closing' || from === 'report';
  const isSpecific = names.length > 0 || /\d/.test(text);
  return isReport && isSpecific && noise.length === 0 && !features.ending ? KEEP_REPORTED_FROM : KEEP_FROM;
}

/** “No, never edit that. Change the schema and run generate.mjs.”: what a person says after a rule belongs to it. */
function continuesRule(sentence: RatedSentence, before: RatedSentence | undefined): boolean {
  if (sentence.from !== 'person' || sentence.message !== before?.message || sentence.noise.length > 0)
    return false;
  const isRule = before.features.personRule !== undefined || before.features.correction !== undefined;
  return isRule && before.score >= KEEP_FROM && sentence.names.length > 0;
}

/** The two before it in its paragraph or the one above; a prompt is one paragraph. */
function sentencesBefore(rated: RatedSentence[], index: number): RatedSentence[] {
  const sentence = rated[index];
  if (!sentence) return [];
  const { message, block, from } = sentence;
  return rated
    .slice(Math.max(0, index - 2), index)
    .filter((each) => each.message === message && (from === 'person' || each.block >= block - 1));
}

function whyNot({ noise, features }: RatedSentence): string {
  if (noise.includes('offer')) return 'an offer';
  if (noise.includes('question')) return 'a question';
  if (noise.includes('intention') || features.beforeCall) return 'says what the agent does next';
  if (noise.includes('courtesy') || noise.includes('cheer')) return 'only courtesy';
  if (noise.includes('outcome')) return 'the tool calls show it';
  if (features.person) return 'reads like an order or a remark for now';
  return 'too little shows that it matters';
}

/** Said better elsewhere, or corrected later. */
function whyRedundant(claim: KeptSentence, index: number, all: KeptSentence[]): string | null {
  for (const [at, other] of all.entries()) {
    if (at === index) continue;
    const share = sharedShare(claim.words, other.words);
    const isSame = share >= SAME_SHARE && !hasOwnNumber(claim, other);
    if (isSame && isPreferred(other, at, claim, index)) return 'said elsewhere';
    const isCorrected =
      at > index &&
      share >= SAME_SUBJECT_SHARE &&
      claim.from !== 'person' &&
      hasOwnNumber(claim, other) &&
      hasOwnNumber(other, claim);
    if (isRefuted(claim, other, index, at, share)) return 'refuted later';
    if (isCorrected && claim.from === 'between' && !claim.markers.has('refutation')) return 'corrected later';
  }
  return null;
}

/** A suspicion or a report that the agent looked into later, and found wrong. */
function isRefuted(
  claim: KeptSentence,
  other: KeptSentence,
  index: number,
  at: number,
  share: number,
): boolean {
  if (at < index || (claim.from !== 'between' && claim.from !== 'report') || !other.markers.has('refutation'))
    return false;
  if (claim.markers.has('refutation')) return false;
  const names = new Set(other.names);
  return (
    share >= SAME_SUBJECT_SHARE / 2 ||
    claim.names.some((name) => names.has(name)) ||
    (isVerdict(other) && other.message === claim.message + 1 && !claim.markers.has('cause'))
  );
}

/** “Pin it below 2.1. Actually no wait, …”: the person thinks better of what stands right before. */
function isRepaired({ from, message, text }: KeptSentence, rated: RatedSentence[]): boolean {
  if (from !== 'person') return false;
  const next = rated[rated.findIndex((each) => each.message === message && each.text === text) + 1];
  return next?.message === message && repairs.test(next.text);
}

/** “Ruled out: …”: begins with what became of the guess that the message before it ended with. */
function isVerdict({ isFirst, from, text }: KeptSentence): boolean {
  return isFirst && from === 'between' && MARKERS.refutation.test(text.slice(0, VERDICT_LENGTH));
}

function isPreferred(other: KeptSentence, at: number, claim: KeptSentence, index: number): boolean {
  const rank = ({ from }: KeptSentence) => PREFERRED.indexOf(from);
  if (other.statement.length > claim.statement.length * 1.6 && rank(other) <= rank(claim)) return true;
  return (
    rank(other) < rank(claim) ||
    (rank(other) === rank(claim) &&
      (other.score > claim.score || (other.score === claim.score && at < index)))
  );
}

function sharedShare(a: Set<string>, b: Set<string>): number {
  if (a.size < 3) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / a.size;
}

function hasOwnNumber({ statement }: KeptSentence, other: KeptSentence): boolean {
  const numbers = new Set(other.statement.match(/\d[\d.,]*/g) ?? []);
  return (statement.match(/\d[\d.,]*/g) ?? []).some((number) => !numbers.has(number));
}
