import { INDEXED_STOP_WORDS, STOP_WORDS } from '../../indexing/stop-words.ts';
import { tokenise } from '../../indexing/tokenise.ts';
import { measureOverlap } from '../../model/same-memory.ts';
import { COMMON_WORDS } from '../../recall/common-words.ts';
import { CONTINUE_WORDS, GENERIC_WORDS } from './continue-words.ts';

/** Start and end of a long prompt show its subject; a log pasted in between does not. */
const LONGEST_HALF = 600;

export function promptWords(text: string): Set<string> {
  const isLong = text.length > 2 * LONGEST_HALF;
  return contentWords(isLong ? `${text.slice(0, LONGEST_HALF)} ${text.slice(-LONGEST_HALF)}` : text);
}

/** The stemmed words of a text, without common words of requests. */
export function contentWords(text: string): Set<string> {
  return new Set(tokenise(text).filter((word) => !isStopWord(word)));
}

/** Words that fit any program do not identify a work item. */
export function isCommonWord(word: string): boolean {
  return COMMON_WORDS.has(word) || CONTINUE_WORDS.has(word) || GENERIC_WORDS.has(word) || /^\d$/.test(word);
}

export function distinctiveWords(words: ReadonlySet<string>): string[] {
  return [...words].filter((word) => !isCommonWord(word));
}

/** Verbs such as "add" or "write" do not distinguish two names of the same task. */
const MAKING = new Set(['add', 'write', 'implement', 'creat', 'make', 'build', 'introduc']);
const SAME_TASK = 0.7;

/** Whether two short texts describe the same task. */
export function isSameTask(first: string, second: string): boolean {
  const [one, other] = [dropMakingVerbs(contentWords(first)), dropMakingVerbs(contentWords(second))];
  if (one.size === 0 || other.size === 0) return simplify(first) === simplify(second);
  return measureOverlap(one, other) >= SAME_TASK;
}

function dropMakingVerbs(words: Set<string>): Set<string> {
  const rest = new Set([...words].filter((word) => !MAKING.has(word)));
  return rest.size > 0 ? rest : words;
}

function simplify(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word) || INDEXED_STOP_WORDS.has(word);
}
