import { COMMON_WORDS } from '../common-words.ts';
import type { PromptWord } from '../prompt-words.ts';
import { EVERYDAY_WORDS } from './everyday-words.ts';
import { OTHER_EVERYDAY_WORDS } from './other-everyday-words.ts';

/** As if so many claims more were there: in a project of ten, a word of one is not yet a common one. */
const BACKGROUND = 20;
/** The weight of a word that people use about anything, relative to other words. */
const COMMON = 0.4;
const EVERYDAY = 0.25;

/**
 * How much a term tells that so many of all claims have: 1 is the most that one word can tell. What is in every fourth
 * claim is what the whole project is about, or a small word of a language that no list has.
 */
export function weighTerm(term: string, having: number, total: number): number {
  const all = total + BACKGROUND;
  return (commonness(term) * Math.log((all + 1) / (having + 0.5))) / Math.log(all + 1);
}

/** Whether a word tells nothing of what a prompt is about. */
export function isEveryday({ terms }: PromptWord): boolean {
  return terms.every((term) => commonness(term) < 1);
}

/** A run of characters is as common as its parts are. */
function commonness(term: string): number {
  if (EVERYDAY_WORDS.has(term) || /^\d{1,3}$/.test(term) || isShort(term)) return EVERYDAY;
  const isCommon = COMMON_WORDS.has(term) || term.split(' ').every(isCommonPart);
  return isCommon ? COMMON : 1;
}

/** Words of two letters are small words in any language; names of two letters are few. */
function isShort(term: string): boolean {
  return term.length <= 2 && /^[a-z\u0370-\u1fff]+$/.test(term);
}

/** Characters that stand between words: a pair with one of them is the end of one word and the beginning of another. */
const BETWEEN = /[的了个是吗呢吧啊着这那么们我你他她它把被也都就很]/;

function isCommonPart(part: string): boolean {
  return OTHER_EVERYDAY_WORDS.has(part) || BETWEEN.test(part);
}
