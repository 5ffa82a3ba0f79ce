import {
  asksToAdd,
  asksToExplain,
  asksToFix,
  asksToInvestigate,
  asksToRefactor,
  keepsBehaviour,
} from '../phrases/intents.ts';
import { agreement } from '../phrases/openings.ts';
import type { Turn } from '../turn.ts';
import { findPickedOption, type Option } from './options.ts';
import { MARKERS } from './rating/markers.ts';
import { isCourtesy } from './rating/noise.ts';
import { countWords } from './text/count-words.ts';
import { offer } from './text/cues.ts';
import { isEmptyTalk } from './text/empty-talk.ts';
import { dropOpening, dropVerdict, readOffer } from './text/openings.ts';
import { stripMarkup, stripScaffolding } from './text/plain.ts';
import { endsInQuestion } from './text/punctuation.ts';
import { LONGEST_SENTENCE, readSentences, type Sentence, splitSentences } from './text/sentences.ts';
import { firstSentences, shorten } from './text/shorten.ts';
import { isSelfContained } from './text/title.ts';

export type Intent = 'fix' | 'add' | 'refactor' | 'explain' | 'investigate' | 'none';

/** What the person wanted of this turn. */
export interface Request {
  /** The person's own words of this turn, sentence by sentence; none when a machine opened it. */
  own: string[];
  /** For the summary: what was asked, and what a short answer answered. */
  asked: string;
  intent: Intent;
  /** Whether the intent is what the person told the agent to do, not just a word of the request. */
  isImperative: boolean;
  /** What the person picked of what the agent had laid out. */
  picked: Option | undefined;
  /** Whether the person only thanked, agreed or greeted. */
  isEmpty: boolean;
}

const NO_INTENT = { intent: 'none', isImperative: false } as const;

const LONGEST = 320;
/** A prompt of so few words may be an answer to what the agent said before. */
const FEW_WORDS = 8;

export function readRequest(turn: Turn): Request {
  const own = turn.promptOrigin === 'person' && !turn.prompt.startsWith('/') ? ownSentences(turn.prompt) : [];
  const meant = own.filter((sentence) => !isCourtesy(sentence));
  const asked = firstSentences(
    (meant.length > 0 ? meant : own).map((sentence) => dropVerdict(sentence.replace(interjection, ''))),
    LONGEST,
  );
  const picked = findPickedOption(turn, own);
  const referred = picked?.text ?? (ownMeaning(own) ? '' : whatItRefersTo(turn, own));
  const isEmpty = own.every((sentence) => isEmptyTalk(sentence) || isAgreement(sentence));
  return {
    own,
    asked: [asked, referred && asked ? `(${referred})` : referred].filter((part) => part !== '').join(' '),
    ...(turn.promptOrigin === 'machine' ? NO_INTENT : intentOf(`${wish(own)} ${referred}`.trim())),
    picked,
    isEmpty: isEmpty && turn.promptOrigin === 'person' && turn.prompt !== '',
  };
}

/** The person's sentences, as typed: a prompt seldom has the headings and paragraphs of an answer. */
export function ownSentences(prompt: string): string[] {
  return stripScaffolding(prompt)
    .replace(stackFrame, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)/)
    .flatMap((paragraph) =>
      splitSentences(paragraph.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').replace(/\s+/g, ' ')),
    )
    .map((sentence) =>
      stripMarkup(sentence.slice(0, LONGEST_SENTENCE))
        .replace(/\[private\]/g, '')
        .trim(),
    )
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .slice(0, 40);
}

/** A line of a pasted stack trace, whatever the language. */
const stackFrame =
  /^[ \t]*(?:at .+[:(]\d+\)?|#\d+[ \t]+.*(?:0x|:\d+).*|File ".+", line \d+.*|goroutine \d+.*|\S+\.\w{1,4}:\d+(?::\d+)?(?: \+0x\w+)?)[ \t]*$/gm;

/** “hmm, …” */
const interjection = /^(?:hm+|huh|oh|ah|wow|uh|um|well|ähm?|naja|tja)[,.!…]*\s+(?=\S)/i;

function ownMeaning(own: string[]): boolean {
  return (
    own.length > 0 &&
    !(
      countWords(own.join(' ')) <= FEW_WORDS &&
      own.some((each) => isAgreement(each) || pointsBack.test(beginning(each)))
    )
  );
}

const pointsBack =
  /\b(?:it|that|this|them|those|the same|your (?:plan|suggestion|idea)|das|es|ça|le|lo|eso)\b|それ|これ|那个|这个/i;

/** “Create a branch and push it” says itself what “it” is. */
function beginning(words: string): string {
  return words.split(/\s+/).slice(0, 4).join(' ');
}

function isAgreement(words: string): boolean {
  return agreement.test(words) && countWords(words.replace(agreement, '')) <= 4;
}

/** Whether a prompt begins with a yes. */
export function isAccepting(prompt: string): boolean {
  return agreement.test(prompt.trim());
}

/** What “yes, do it” says yes to: the agent's last offer or question, else what was asked before. */
function whatItRefersTo({ earlierWords, earlierPrompts, prompt, promptOrigin }: Turn, own: string[]): string {
  const sentences = readSentences(earlierWords);
  const words = sentences.map(({ text }) => dropOpening(text));
  const offered =
    own.length === 0 ? undefined : words.findLast((text) => offer.test(text) || endsInQuestion(text));
  const deed =
    offered === undefined ? '' : readOffer(offered) || besideOffer(sentences, words.indexOf(offered));
  if (deed !== '') return shorten(deed, 200);
  const before =
    promptOrigin === 'machine' || prompt === '' || own.length > 0
      ? earlierPrompts.findLast((each) => !each.startsWith('/') && !isAgreement(each))
      : undefined;
  return before === undefined ? '' : firstSentences(ownSentences(before), 200);
}

/** A bare “Shall I fix it?” needs the sentence after it, or the last before it that says what “it” is. */
function besideOffer(sentences: Sentence[], at: number): string {
  const before = sentences.slice(0, at).findLast((each) => !each.inList && isSelfContained(each));
  return (sentences[at + 1] ?? before)?.text ?? '';
}

const intents: [Exclude<Intent, 'none'>, RegExp][] = [
  ['refactor', asksToRefactor],
  ['fix', asksToFix],
  ['explain', asksToExplain],
  ['investigate', asksToInvestigate],
  ['add', asksToAdd],
];

/** What is wanted now; a rule for ever after says nothing about it. */
function wish(own: string[]): string {
  return firstSentences(
    own.filter((sentence) => !MARKERS.standing.test(sentence)),
    LONGEST,
  );
}

const beforeTheVerb =
  /^(?:(?:please|pls|can you|could you|would you|hi|hey|hello|ok(?:ay)?|now|and|also|then|next|let's|we (?:should|need to|must)|i (?:want|need|would like|'d like) (?:you )?to|bitte|kannst du|peux-tu|por favor)[\s,:!]+)*/i;

/** “Support says …”, “the build is red”: a noun that looks like the verb of a request. */
const tells =
  /^[\p{L}-]+ (?:says?|said|reports?|reported|tells?|told|wants?|asks?|complain\p{L}*|is|are|was|were|has|had|does|did|needs?)\b/iu;

/** “…を分割してほしい。”: where the verb comes last, a request ends with it. */
const verbFinal = /^[\p{Script=Hiragana}\p{Script=Hangul} ]{1,8}(?:[。．.!！]|$)/u;

/** An imperative tells it; else a complaint wants a cure; else the first verb is what the person wants. */
function intentOf(words: string): Pick<Request, 'intent' | 'isImperative'> {
  if (keepsBehaviour.test(words)) return { intent: 'refactor', isImperative: true };
  const verb = beforeTheVerb.exec(words)?.[0].length ?? 0;
  const places = intents.flatMap(([intent, pattern]) => {
    const found = pattern.exec(words);
    return found ? [{ intent, at: found.index, end: found.index + found[0].length }] : [];
  });
  const imperative = tells.test(words.slice(verb)) ? undefined : places.find(({ at }) => at === verb);
  const last = places.find(({ end }) => verbFinal.test(words.slice(end)));
  const told = imperative ?? last;
  if (told) return { intent: told.intent, isImperative: true };
  const complaint = places.find(({ intent }) => intent === 'fix');
  const [first] = places.sort((a, b) => a.at - b.at);
  return { intent: (complaint ?? first)?.intent ?? 'none', isImperative: false };
}
