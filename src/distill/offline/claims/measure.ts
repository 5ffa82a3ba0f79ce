import { countWords } from '../text/count-words.ts';
import { roleOfLabel } from '../text/labels.ts';
import { findNames } from '../text/names.ts';
import type { Candidate, ClaimRole, RatedCandidate } from './claim.ts';
import { createMarker } from './marker.ts';
import { MARKERS, type Marker } from './markers.ts';
import { findNoise } from './noise.ts';
import { type ClaimFeature, WEIGHTS } from './weights.ts';

/** What a turn tells about its sentences. */
export interface TurnFacts {
  /** Places of calls that failed. */
  failedPlaces: Set<number>;
  /** Words of the question that the person asked; empty if nothing was asked. */
  questionWords: Set<string>;
  /** Words of the whole request. */
  requestWords: Set<string>;
  /** Names in the commands and edits of the turn: what it did. */
  doneNames: Set<string>;
  /** Whether the prompt answers a question of the agent. */
  isAnswer: boolean;
}

/** With one of these a sentence before a call says more than what comes now. */
const WEIGHTY: Marker[] = ['cause', 'contrast', 'obligation', 'choice', 'refutation'];

const MARKER_NAMES = Object.keys(MARKERS) as Marker[];

/** A number that counts for something: with a unit, a percentage, a ratio, from one to another. */
const measured =
  /\d[\d.,]*\s?(?:%|[kKMGT]i?B\b|ms\b|s\b|sec|seconds?\b|min(?:utes?)?\b|h\b|hours?\b|days?\b|px\b|rows?\b|requests?\b|req\b|times\b|x\b|×|fps\b|cores?\b|Sek|Std|Zeilen|Sekunden|Minuten|lignes|secondes|filas|segundos|minutos|linhas|строк|секунд|мс|秒|分|行|倍|个|条|毫秒|小时|天|件|初|초|분|배|개|건|줄)|\d\s?(?:→|->|to|auf|à|a|до|到|から)\s?\d|\d+ (?:of|von|sur|de|из) [\d,.]+/iu;
const error =
  /\b(?:[A-Z]\w+(?:Error|Exception)|E[A-Z]{4,}|ERR_\w+|[45]\d\d|panic|SIG[A-Z]+|deadlock|timeout)\b/;
const correction =
  /^(?:no|nope|not|stop|wrong|wait|actually|nein|stopp|falsch|doch|moment|halt|non|pas|attends|en fait|no,|espera|para|não|pera|espera|calma|нет|стоп|не так|подожди|不|等等|别|错|いや|いえ|違|待って|아니|잠깐|그게 아니)(?![\p{Ll}])/iu;
const filesOnly = /^(?:[\w@./-]+\.\w{1,6}|[\w@-]+(?:\/[\w@.-]+)+)(?:\s*[,(—–:-].{0,30})?$/;

/** In their order: what follows a cause in its paragraph is mostly the remedy. */
export function rateAll(candidates: Candidate[], turn: TurnFacts): RatedCandidate[] {
  const rated: RatedCandidate[] = [];
  for (const candidate of candidates) {
    const before = rated.at(-1);
    const isSamePlace = before?.message === candidate.message && before.block === candidate.block;
    rated.push(rate(candidate, turn, isSamePlace && before.role === 'cause'));
  }
  return rated;
}

function rate(candidate: Candidate, turn: TurnFacts, isAfterCause: boolean): RatedCandidate {
  const { text, code, from } = candidate;
  const markers = new Set(MARKER_NAMES.filter((name) => MARKERS[name].test(text)));
  const names = findNames(text, code);
  const noise = findNoise(candidate, { ...candidate, isAgent: from !== 'person' && from !== 'answer' });
  const words = countWords(text);
  const isPerson = from === 'person';
  const asks = noise.includes('question') || (isPerson && /[?？]/.test(text));
  const features: Partial<Record<ClaimFeature, number>> = { [from]: 1 };
  const add = (feature: ClaimFeature, holds: boolean | number) => {
    if (holds) features[feature] = Number(holds);
  };

  for (const name of MARKER_NAMES) add(name, markers.has(name));
  add('named', names.length > 0);
  add('moreNames', Math.min(3, Math.max(0, names.length - 1)));
  add('number', /\d/.test(text));
  add('measured', measured.test(text));
  add('error', error.test(text));
  add('inList', candidate.inList);
  add('underNext', !isPerson && isOpen(candidate.under));
  const states = isPerson && !asks;
  const isRule = states && markers.has('standing');
  add('personRule', isRule);
  add('personMust', states && !isRule && markers.has('obligation') && words >= 4);
  add('personTells', states && !isRule && words >= 6 && tells(markers));
  add('personTwofold', states && !isRule && !tells(markers) && isTwofold(candidate, words));
  add('answersAgent', states && turn.isAnswer && words >= 4);
  add(
    'request',
    isPerson && candidate.isFirst && !turn.isAnswer && !markers.has('standing') && !correction.test(text),
  );
  add('carriedOut', states && !markers.has('standing') && names.some((name) => turn.doneNames.has(name)));
  add('wish', isPerson && !markers.has('standing') && asksFor.test(text));
  add(
    'bare',
    states &&
      words < 9 &&
      names.length === 0 &&
      !/\d/.test(text) &&
      !markers.has('standing') &&
      !markers.has('reason'),
  );
  add('correction', isPerson && !asks && correction.test(text) && words >= 4);
  add('afterFailure', from === 'between' && turn.failedPlaces.has(candidate.place - 1));
  add('afterCause', isAfterCause && !isPerson);
  add('answersQuestion', !isPerson && sharesWords(text, turn.questionWords, 2));
  add('beforeCall', candidate.isBeforeCall && !WEIGHTY.some((name) => markers.has(name)));
  const isBareEnd = candidate.isAtEnd && !candidate.isFirst;
  add('atEnd', isBareEnd);
  add('atEndBare', isBareEnd && names.length === 0 && !/\d/.test(text) && !markers.has('cause'));
  add('tiny', words < 4);
  add('short', words >= 4 && words < 6);
  add('medium', words >= 10 && words < 14);
  add('long', words >= 14);
  add('restatesRequest', !isPerson && from !== 'closing' && restates(text, turn.requestWords));
  for (const each of noise) add(each, true);
  add('filesOnly', filesOnly.test(text));

  let score = 0;
  for (const [name, value] of Object.entries(features)) score += WEIGHTS[name as ClaimFeature] * (value ?? 0);
  const own = contentWords(text);
  return {
    ...candidate,
    markers,
    noise,
    names,
    words: own,
    features,
    score,
    role: roleOf(candidate, markers),
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

/** A wish for this once. */
const asksFor = createMarker(
  "please|pls|plz|can you|could you|have a look|take a look|bitte|kannst du|könntest du|schau mal|s'il (te|vous) plaît|stp|svp|peux-tu|tu peux|por favor|porfa|puedes|podrías|você pode|dá pra|пожалуйста|плиз|можешь|глянь|посмотри|lütfen",
  '请|麻烦|帮我|帮忙|お願い|ください|くれますか|てほしい|주세요|해 ?줘|부탁',
);

function roleOf({ from, under, text }: Candidate, markers: Set<Marker>): ClaimRole {
  if (from === 'person') return personRole(text, markers);
  if (from === 'answer') return 'decision';
  if (isOpen(under) || (markers.has('open') && !markers.has('cause'))) return 'open';
  const label = roleOfLabel(under);
  if (label === 'decision') return 'decision';
  if (label === 'gotcha') return 'trap';
  if (markers.has('contrast') && (markers.has('choice') || markers.has('cause'))) return 'decision';
  if (markers.has('choice') && (markers.has('cause') || markers.has('but') || markers.has('negation')))
    return 'decision';
  if (
    markers.has('obligation') &&
    (markers.has('negation') || markers.has('condition')) &&
    !isDeed(text, markers)
  )
    return 'trap';
  if (isDeed(text, markers)) return 'deed';
  if (markers.has('cause')) return 'cause';
  return markers.has('obligation') ? 'trap' : 'finding';
}

/** A choice, a rule, or something that the person tells. */
function personRole(text: string, markers: Set<Marker>): ClaimRole {
  if (isChoice(markers)) return 'decision';
  const isRule =
    markers.has('standing') || markers.has('obligation') || markers.has('negation') || correction.test(text);
  return isRule ? 'rule' : 'finding';
}

function isChoice(markers: Set<Marker>): boolean {
  return (
    (markers.has('choice') || markers.has('contrast')) &&
    !markers.has('standing') &&
    !markers.has('obligation')
  );
}

/** Says what was made, near its beginning: later in a sentence the same words tell a history. */
function isDeed(text: string, markers: Set<Marker>): boolean {
  return markers.has('deed') && MARKERS.deed.test(text.slice(0, 60));
}

function isOpen(under: string): boolean {
  return under !== '' && (MARKERS.open.test(under) || roleOfLabel(under) === 'next');
}

export function contentWords(text: string): Set<string> {
  const words = text
    .toLowerCase()
    .match(/[\p{L}\p{N}_]{4,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/gu);
  return new Set(words ?? []);
}

function sharesWords(text: string, words: Set<string>, least: number): boolean {
  if (words.size === 0) return false;
  let shared = 0;
  for (const word of contentWords(text)) if (words.has(word)) shared++;
  return shared >= least;
}

function restates(text: string, request: Set<string>): boolean {
  const words = contentWords(text);
  let shared = 0;
  for (const word of words) if (request.has(word)) shared++;
  return words.size >= 3 && shared >= words.size * 0.7;
}
