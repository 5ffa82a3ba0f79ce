import { collectEdits } from '../offline/calls/edits.ts';
import { MARKERS } from '../offline/rating/markers.ts';
import { ownSentences, readRequest } from '../offline/request.ts';
import { endsInQuestion } from '../offline/text/punctuation.ts';
import { readSentences } from '../offline/text/sentences.ts';
import { advice, agrees, doubts } from '../phrases/answers.ts';
import { causeFound, comesFrom } from '../phrases/causes.ts';
import { leaning } from '../phrases/choices.ts';
import type { Turn } from '../turn.ts';
import { countShared, type EarlierStatement, readStatement, type Statement } from './contradict.ts';

/** The answer of a turn whose prompt put the answer before it in doubt. */
export interface NewAnswer {
  /** What the agent now says. */
  said: Statement[];
  /** With what the answer before began. */
  opening: string;
  /** What the person says is so; null if the person only doubts, or shows output. */
  told: Statement | null;
  /** Whether the agent names a cause, or only agrees. */
  namesCause: boolean;
}

/** A prompt of more sentences is about several things. */
const MOST_SENTENCES = 2;
/** “are you sure?” */
const LEAST_WORDS = 3;

/**
 * What a turn answers that only looks into the answer before it: the person tells or doubts something in a sentence or
 * two, and the agent names a cause or agrees. Null for any other turn: one with edits is an order if the person says so,
 * or if the turn before it had edits too.
 */
export function readNewAnswer(turn: Turn, earlierWords: string, hadEdits: boolean): NewAnswer | null {
  const opening = readSentences(earlierWords)[0]?.text;
  if (opening === undefined || turn.promptOrigin !== 'person' || turn.prompt.startsWith('/')) return null;
  const prompt = ownSentences(turn.prompt);
  const isPasted = turn.prompt.trim().includes('\n');
  if (prompt.length === 0 || (prompt.length > MOST_SENTENCES && !isPasted)) return null;
  if (prompt.some(endsInQuestion) && !prompt.some((text) => doubts.test(text))) return null;
  const texts = [...turn.said.map(({ text }) => text), turn.closingWords].flatMap((message) =>
    readSentences(message).map(({ text }) => text),
  );
  const namesCause = texts.some(isDiagnosis);
  if (!namesCause && !agrees.test(readSentences(turn.closingWords)[0]?.text ?? '')) return null;
  const isOrder = collectEdits(turn).length > 0 && (hadEdits || readRequest(turn).isImperative);
  if (isOrder) return null;
  const told = readStatement(prompt.join(' '));
  const isBare = isPasted || told.words.size < LEAST_WORDS;
  return { said: texts.map(readStatement), opening, told: isBare ? null : told, namesCause };
}

/** A cause or an advice of the answer before, or what it began with, that the agent does not repeat. */
export function isSuperseded(earlier: EarlierStatement, answer: NewAnswer): boolean {
  const { said, opening, told, namesCause } = answer;
  const { text } = earlier;
  const isCause = isDiagnosis(text) || opening.startsWith(text.replace(/[.。…]+$/u, ''));
  const isMeant = told === null ? namesCause : sharesSubject(told, earlier, namesCause ? 1 : 2);
  const isAnswer = (isCause && isMeant) || (namesCause && isAdvice(text));
  return isAnswer && !isSaidAgain(earlier, said);
}

/** Acronyms and proper names may be short: “the cdn only serves images”. */
function sharesSubject(told: Statement, earlier: EarlierStatement, least: number): boolean {
  if (countShared(told, earlier) >= least) return true;
  if ([...told.names].some((name) => earlier.names.has(name))) return true;
  const words = new Set(told.text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu));
  const properNames = earlier.text.slice(1).match(/(?<!\p{L})\p{Lu}[\p{L}\p{N}]+/gu) ?? [];
  return properNames.some((name) => words.has(name.toLowerCase()));
}

/** Of the words and names of a sentence, how many another must have to say it again. */
const SAME_SHARE = 0.45;

/** Whether a later sentence says it again, without denying it. */
export function isSaidAgain(earlier: EarlierStatement, said: Statement[]): boolean {
  const size = earlier.words.size + earlier.names.size;
  return said.some((each) => {
    const shared =
      countShared(each, earlier) + [...each.names].filter((name) => earlier.names.has(name)).length;
    return shared >= size * SAME_SHARE && MARKERS.negation.test(each.text) === earlier.isDenial;
  });
}

/** Whether a sentence says why something is so. */
export function isDiagnosis(text: string): boolean {
  return MARKERS.cause.test(text) || causeFound.test(text) || comesFrom.test(text);
}

/** Whether a sentence says what should be done about it. */
export function isAdvice(text: string): boolean {
  return leaning.test(text) || advice.test(text);
}
