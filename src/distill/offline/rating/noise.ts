import { intention, offer, outcome, praise, promise } from '../../phrases/announcements.ts';
import { subordinate } from '../../phrases/conditions.ts';
import { thanks } from '../../phrases/openings.ts';
import { countWords } from '../text/count-words.ts';
import { isEmptyTalk } from '../text/empty-talk.ts';
import { findNames } from '../text/names.ts';
import { endsInQuestion } from '../text/punctuation.ts';
import type { Sentence } from '../text/sentences.ts';
import { MARKERS } from './markers.ts';

/** Whether a sentence only thanks, praises or says what comes next. */
export function isCourtesy(text: string): boolean {
  return isEmptyTalk(text) || text.replace(praise, '').trim().length < 4;
}

/** “all right, thank you and a nice weekend”, but not “thanks, but never do that again”. */
function isThanks(text: string): boolean {
  return (
    thanks.test(text) &&
    countWords(text) <= MOST_WORDS_OF_THANKS &&
    ![MARKERS.obligation, MARKERS.standing, MARKERS.negation].some((marker) => marker.test(text)) &&
    findNames(text).length === 0
  );
}

const MOST_WORDS_OF_THANKS = 8;

export interface Surroundings {
  isAgent: boolean;
  /** In a message before a call: the last sentence of it. */
  isBeforeCall: boolean;
  /** In the last paragraph of the last message. */
  isAtEnd: boolean;
}

export const NOISES = ['offer', 'question', 'intention', 'outcome', 'courtesy', 'cheer'] as const;
export type Noise = (typeof NOISES)[number];

const lastClause = /^(.{20,}?)(?:(?:\s?[;—–]|,)\s+|[，；]\s?)([^,;—–，；]+)$/su;
const LEAST_WORDS = 4;
/** A person who says more than these does not only report that the tests are green. */
const FEW_WORDS = 7;

/** “…, so I'm handing that to a subagent” */
const nextAct = /^so (?:i'm|i am|i'll|i will) (?:now )?\p{L}+/iu;

/** Without a last clause that only says that the tests are green, or what the agent offers or does next. */
export function dropEmptyClause({ text, code }: Pick<Sentence, 'text' | 'code'>): string {
  const [, rest = '', clause = ''] = lastClause.exec(text) ?? [];
  if (clause === '' || code.some((name) => clause.includes(name)) || countWords(rest) < LEAST_WORDS)
    return text;
  if (nextAct.test(clause) && !MARKERS.choice.test(clause)) return rest;
  const isEmpty =
    countWords(clause) <= 8 && [outcome, offer, intention, promise].some((marker) => marker.test(clause));
  return isEmpty && !subordinate.test(clause) && !MARKERS.cause.test(clause) ? rest : text;
}

/** What keeps a sentence from saying anything that lasts, by its form. */
export function findNoise({ text, code }: Pick<Sentence, 'text' | 'code'>, where: Surroundings): Noise[] {
  const found: Noise[] = [];
  if (where.isAgent && offer.test(text)) found.push('offer');
  if (endsInQuestion(text)) found.push('question');
  if (where.isAgent && intention.test(text.slice(0, 60))) found.push('intention');
  if (outcome.test(text) && code.length <= 1 && (where.isAgent || countWords(text) <= FEW_WORDS))
    found.push('outcome');
  if (isCourtesy(text) || (!where.isAgent && isThanks(text))) found.push('courtesy');
  if (where.isAgent && isCheer(text) && code.length === 0) found.push('cheer');
  return found;
}

/** “Die Aufteilung steht, alles viel lesbarer! 🎉”: an exclamation that names nothing. */
function isCheer(text: string): boolean {
  return (
    /[!！]\W*$|\p{Extended_Pictographic}\W*$/u.test(text) && !/\d/.test(text) && findNames(text).length === 0
  );
}
