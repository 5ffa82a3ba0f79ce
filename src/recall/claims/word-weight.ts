import { COMMON_WORDS } from '../common-words.ts';
import { EVERYDAY_WORDS } from './everyday-words.ts';
import { OTHER_EVERYDAY_WORDS } from './other-everyday-words.ts';
import type { PromptWord } from './prompt-words.ts';

/** As if so many claims had been there from the start, in which common words are as common as they are. */
const BACKGROUND = 200;
const COMMON_SHARE = 0.2;
const EVERYDAY_SHARE = 0.4;

/** How much a term tells that so many of all claims have: 1 is the most that one word can tell. */
export function weighTerm(term: string, having: number, total: number): number {
  const all = total + BACKGROUND;
  return Math.log((all + 1) / (having + 0.5 + countBackground(term))) / Math.log(all + 1);
}

/** Whether a word tells nothing of what a prompt is about. */
export function isEveryday({ terms }: PromptWord): boolean {
  return terms.every((term) => countBackground(term) > 0);
}

/** A run of characters is as common as its parts are. */
function countBackground(term: string): number {
  if (EVERYDAY_WORDS.has(term) || /^\d{1,3}$/.test(term)) return BACKGROUND * EVERYDAY_SHARE;
  const isCommon = COMMON_WORDS.has(term) || term.split(' ').every((part) => OTHER_EVERYDAY_WORDS.has(part));
  return isCommon ? BACKGROUND * COMMON_SHARE : 0;
}
