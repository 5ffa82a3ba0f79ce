import { correction } from '../../phrases/corrections.ts';
import { forbids } from '../../phrases/negations.ts';
import { asksFor, ownDuty } from '../../phrases/wishes.ts';
import { type KindShares, weighPromptKinds } from '../prompt-kinds/kinds.ts';
import { listPromptSigns } from '../prompt-kinds/signs.ts';
import { countWords } from '../text/count-words.ts';
import { findNames } from '../text/names.ts';
import { hasQuestion } from '../text/punctuation.ts';
import { MARKERS, type Marker } from './markers.ts';
import { findNoise, type Noise } from './noise.ts';
import type { Candidate, RatedSentence } from './rated-sentence.ts';
import { announcesNext, isOpen, roleOf } from './roles.ts';
import { PROMPT_BIAS, type SentenceFeature, WEIGHTS } from './weights.ts';

/** What a turn tells about its sentences. */
export interface TurnFacts {
  /** Places of calls that failed. */
  failedPlaces: Set<number>;
  /** Words of the question that the person asked; empty if nothing was asked. */
  questionWords: Set<string>;
  /** Words of the whole request. */
  requestWords: Set<string>;
  /** … and in scripts without spaces each two neighbours. */
  requestSubject: Set<string>;
  /** Names in the commands and edits of the turn: what it did. */
  doneNames: Set<string>;
  /** Whether the prompt answers a question of the agent. */
  isAnswer: boolean;
  /** Whether the turn was stopped before the agent's closing words. */
  isCut: boolean;
  /** What the agent said before the prompt. */
  earlierWords: string;
}

/** With one of these a sentence before a call says more than what comes now. */
const WEIGHTY: Marker[] = ['cause', 'contrast', 'obligation', 'choice', 'refutation'];

const MARKER_NAMES = Object.keys(MARKERS) as Marker[];

/** A number that counts for something: with a unit, a percentage, a ratio, from one to another. */
const measured =
  /\d[\d.,]*\s?(?:%|[kKMGT]i?B\b|ms\b|s\b|sec|seconds?\b|min(?:utes?)?\b|h\b|hours?\b|days?\b|px\b|rows?\b|requests?\b|req\b|times\b|x\b|×|fps\b|cores?\b|Sek|Std|Zeilen|Sekunden|Minuten|lignes|secondes|filas|segundos|minutos|linhas|строк|секунд|мс|秒|分|行|倍|个|条|毫秒|小时|天|件|初|초|분|배|개|건|줄)|\d\s?(?:→|->|to|auf|à|a|до|到|から)\s?\d|\d+ (?:of|von|sur|de|из) [\d,.]+/iu;
const error =
  /\b(?:[A-Z]\w+(?:Error|Exception)|E[A-Z]{4,}|ERR_\w+|[45]\d\d|panic|SIG[A-Z]+|deadlock|timeout)\b/;
const filesOnly = /^(?:[\w@./-]+\.\w{1,6}|[\w@-]+(?:\/[\w@.-]+)+)(?:\s*[,(—–:-].{0,30})?$/;

/** In their order: what follows a cause in its paragraph is mostly the remedy. */
export function rateAll(candidates: Candidate[], turn: TurnFacts): RatedSentence[] {
  const rated: RatedSentence[] = [];
  const ending = findEnding(candidates, turn);
  const typed = candidates.filter(({ from }) => from === 'person');
  for (const candidate of candidates) {
    const before = rated.at(-1);
    const isSamePlace = before?.message === candidate.message && before.block === candidate.block;
    const isAfterCause = isSamePlace && before.role === 'cause';
    const isEnding = ending.has(candidate);
    const place = { place: typed.indexOf(candidate), of: typed.length };
    rated.push(rate(candidate, turn, { isAfterCause, isEnding, ...place }));
  }
  return rated;
}

/** So many sentences at most take leave. */
const MOST_ENDING = 3;
/** A sentence with so many words of the turn is about it. */
const SAME_SUBJECT = 2;

/** The last sentences of the closing words, if they are about nothing: mostly an offer, praise or a farewell. */
function findEnding(candidates: Candidate[], { requestSubject }: TurnFacts): Set<Candidate> {
  const closing = candidates.filter(({ from }) => from === 'closing');
  const before = closing.slice(0, -MOST_ENDING).map(({ text }) => text);
  const [first, ...last] = closing.slice(-MOST_ENDING);
  const ofTurn = new Set([...requestSubject, ...subjectWords([...before, first?.text].join(' '))]);
  const speaking = last.findLastIndex((each) => isAbout(each, ofTurn));
  return new Set(last.slice(speaking + 1));
}

/** Names something, gives a reason, says what is left, or speaks of what the turn was about. */
function isAbout({ text, code, inList }: Candidate, ofTurn: Set<string>): boolean {
  if (inList || /\d/.test(text) || announcesNext(text)) return true;
  if (findNames(text, code).length > 0 || MARKERS.cause.test(text)) return true;
  const shared = subjectWords(text).filter((word) => ofTurn.has(word));
  return countTerms(text) >= SAME_SUBJECT || new Set(shared).size >= SAME_SUBJECT;
}

/** Words that are about something: long ones, and in scripts without spaces each two neighbours. */
export function subjectWords(text: string): string[] {
  const unspaced = text.matchAll(/(?=([\p{Script=Han}\p{Script=Katakana}]{2}))/gu);
  return [...contentWords(text), ...Array.from(unspaced, ([, pair = '']) => pair)];
}

/** Words of names and acronyms, and Latin words in another script: there they are technical terms. */
function countTerms(text: string): number {
  const isLatin = (text.match(/\p{Script=Latin}/gu)?.length ?? 0) * 2 > (text.match(/\p{L}/gu)?.length ?? 0);
  return (
    text.match(
      isLatin
        ? /\b\p{Lu}{2,}\b|(?<=\p{Lu}\p{Ll}+ )\p{Lu}\p{Ll}+|\p{Lu}\p{Ll}+(?= \p{Lu}\p{Ll})/gu
        : /\p{Script=Latin}{2,}/gu,
    )?.length ?? 0
  );
}

type Features = Partial<Record<SentenceFeature, number>>;

/** What the features of a sentence are measured on. */
interface Reading {
  candidate: Candidate;
  turn: TurnFacts;
  markers: Set<Marker>;
  noise: Noise[];
  names: string[];
  words: number;
  hasNumber: boolean;
}

interface Neighbours {
  isAfterCause: boolean;
  /** Among the last sentences, which say nothing. */
  isEnding: boolean;
  /** Of a prompt: which of its sentences it is, from 0. */
  place: number;
  of: number;
}

function rate(candidate: Candidate, turn: TurnFacts, neighbours: Neighbours): RatedSentence {
  const { text, code, from } = candidate;
  const markers = new Set(MARKER_NAMES.filter((name) => MARKERS[name].test(text)));
  const names = findNames(text, code);
  const noise = findNoise(candidate, { ...candidate, isAgent: from !== 'person' && from !== 'answer' });
  const reading = {
    candidate,
    turn,
    markers,
    noise,
    names,
    words: countWords(text),
    hasNumber: /\d/.test(text),
  };
  const features: Features = pickFeatures({
    [from]: true,
    ...Object.fromEntries([...markers, ...noise].map((name) => [name, true])),
    ...measureContent(reading),
    ...(from === 'person' ? measurePerson(reading) : measureAgent(reading, neighbours)),
  });
  const rated = { ...candidate, markers, noise, names, words: contentWords(text), features };
  const role = roleOf(candidate, markers);
  if (from !== 'person') return { ...rated, score: weigh(features), role };
  const kinds = weighPromptKinds(
    listPromptSigns({ text, found: Object.keys(features), ...neighbours, before: turn.earlierWords }),
  );
  return { ...rated, kinds, score: scorePrompt(kinds, features), role };
}

/** How much more likely it is that a sentence of the person is worth keeping than that it is not. */
function scorePrompt({ passing }: KindShares, features: Features): number {
  const own = WEIGHED_APART.reduce((sum, name) => sum + WEIGHTS[name] * (features[name] ?? 0), 0);
  const share = Math.min(MOST_CERTAIN, Math.max(1 - MOST_CERTAIN, passing));
  return Math.log((1 - share) / share) + PROMPT_BIAS + own;
}

const MOST_CERTAIN = 0.999;

/** What the labelled prompts do not teach, because they have no calls or too few examples of it. */
const WEIGHED_APART = ['carriedOut', 'correctsAgent', 'question', 'courtesy'] as const;

function pickFeatures(found: Partial<Record<SentenceFeature, boolean | number>>): Features {
  const present = Object.entries(found).filter(([, value]) => Boolean(value));
  return Object.fromEntries(present.map(([name, value]) => [name, Number(value)]));
}

function weigh(features: Features): number {
  let score = 0;
  for (const [name, value] of Object.entries(features))
    score += (WEIGHTS[name as keyof typeof WEIGHTS] ?? 0) * (value ?? 0);
  return score;
}

function measureContent({ candidate: { text, inList }, names, words, hasNumber }: Reading) {
  return {
    named: names.length > 0,
    moreNames: Math.min(3, Math.max(0, names.length - 1)),
    number: hasNumber,
    measured: measured.test(text),
    error: error.test(text),
    filesOnly: filesOnly.test(text),
    inList,
    tiny: words < 4,
    short: words >= 4 && words < 6,
    medium: words >= 10 && words < 14,
    long: words >= 14,
  };
}

/** Signs for the table of prompt kinds; each alone says little. */
function measurePerson({ candidate, turn, markers, names, words, hasNumber }: Reading) {
  const { text, isFirst, correctsAgent, isFollowUp } = candidate;
  const isStanding = markers.has('standing');
  const corrects = correctsAgent || correction.test(text);
  const isPersonal = ownDuty.test(text);
  const isWish = !isStanding && (isPersonal || (!corrects && asksFor.test(text)));
  const mustBe =
    !isStanding && !isPersonal && words >= 4 && (markers.has('obligation') || forbids.test(text));
  const isAnswerToWork = isFollowUp && (mustBe || tells(markers) || markers.has('condition'));
  const isRequest = isFirst && !turn.isAnswer && !isStanding && !corrects && !isAnswerToWork;
  if (hasQuestion(text)) return { question: true, wish: isWish, request: isRequest };
  const isOnce = !isStanding && !markers.has('reason');
  return {
    personRule: isStanding,
    personMust: mustBe,
    personTells: !isStanding && !isPersonal && words >= 6 && tells(markers),
    personTwofold: !isStanding && !isPersonal && !tells(markers) && isTwofold(candidate, words),
    correction: corrects && (words >= 4 || names.length > 0),
    correctsAgent,
    answersAgent: turn.isAnswer && (words >= 4 || (corrects && names.length > 0)),
    request: isRequest,
    wish: isWish,
    carriedOut: !isStanding && !correctsAgent && names.some((name) => turn.doneNames.has(name)),
    bare: isOnce && !(corrects && mustBe) && words < 9 && names.length === 0 && !hasNumber,
  };
}

function measureAgent(
  { candidate, turn, markers, noise, names }: Reading,
  { isAfterCause, isEnding }: Neighbours,
) {
  const { text, from, under, place, isAtEnd, isFirst, isBeforeCall } = candidate;
  // Of a turn that was stopped, what is announced may be all that is known of the work.
  const isLastWord = turn.isCut && names.length > 0 && !noise.includes('intention');
  return {
    underNext: isOpen(under) || announcesNext(text),
    hypothesis: from === 'between' && markers.has('guess') && !markers.has('refutation'),
    afterFailure: from === 'between' && turn.failedPlaces.has(place - 1),
    neverClosed: from === 'between' && turn.isCut,
    afterCause: isAfterCause,
    answersQuestion: countShared(text, turn.questionWords) >= 2,
    beforeCall: isBeforeCall && !isLastWord && !WEIGHTY.some((name) => markers.has(name)),
    atEnd: isAtEnd && !isFirst,
    ending: isEnding,
    restatesRequest: from !== 'closing' && restates(text, turn.requestWords),
  };
}

/** A request, and what stands behind it: “leave the version alone, Jana bumps those at release”. */
function isTwofold({ isFirst, text }: Candidate, words: number): boolean {
  return !isFirst && words >= 8 && /[\p{L}\p{N})]\s?[,;:，、；：—–-]\s?\S/u.test(text);
}

/** Whether a person tells something instead of asking for it: with a reason, a contrast or a choice. */
function tells(markers: Set<Marker>): boolean {
  return (['reason', 'contrast', 'but', 'choice'] as const).some((name) => markers.has(name));
}

export function contentWords(text: string): Set<string> {
  const words = text
    .toLowerCase()
    .match(
      /[\p{L}\p{M}\p{N}_]{4,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/gu,
    );
  return new Set(words ?? []);
}

function countShared(text: string, words: Set<string>): number {
  let shared = 0;
  if (words.size > 0) for (const word of contentWords(text)) if (words.has(word)) shared++;
  return shared;
}

function restates(text: string, request: Set<string>): boolean {
  const { size } = contentWords(text);
  return size >= 3 && countShared(text, request) >= size * 0.7;
}
