import { INDEXED_STOP_WORDS, STOP_WORDS } from '../indexing/stop-words.ts';
import { tokenise } from '../indexing/tokenise.ts';
import { OTHER_STOP_WORDS } from './other-stop-words.ts';

/** A word of a prompt, and the terms it is looked for under. */
export interface PromptWord {
  written: string;
  terms: string[];
  /** Of a run of characters all terms have to be there, of any other word one. */
  isRun: boolean;
  /** Of code, a file or an error: one of them tells more than three words do. */
  isName: boolean;
}

/** Prompts may be pages long; what they are about is said soon. */
const MOST_WORDS = 32;
const LONGEST = 10_000;
const NAME = /[a-z][A-Z]|_|\w[./]\w|\w\(|[A-Z]{2}|[A-Za-z]\d|\d{4}|^[@`]/;
const SPACES = /[\s,;!?()[\]{}"«»“”„，。、！？；：（）「」]+/;

/** What was written as one word is one piece of evidence, in however many terms it is looked for. */
export function readPromptWords(prompt: string): PromptWord[] {
  const words = new Map<string, PromptWord>();
  for (const written of prompt.slice(0, LONGEST).split(SPACES)) {
    if (words.size >= MOST_WORDS) break;
    for (const word of hasRuns(written) ? readRuns(written) : [readSpaced(written)]) {
      const key = word.terms.join(' ');
      if (key !== '' && !words.has(key)) words.set(key, word);
    }
  }
  return [...words.values()].slice(0, MOST_WORDS);
}

/** Classes of scripts are slow to make: 0.6 ms for those of this file, and most prompts need none. */
function hasRuns(written: string): boolean {
  if (/^[\0-\u02ff]*$/.test(written)) return false;
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]/u.test(
    written,
  );
}

function readSpaced(written: string): PromptWord {
  const terms = [...new Set(tokenise(written))].filter(saysSomething);
  return { written, terms, isRun: false, isName: NAME.test(written) };
}

function readRuns(written: string): PromptWord[] {
  // Korean puts its particles behind a name without a space: CI에서 is CI with one.
  const particles = /(?<=[A-Za-z0-9)`])[\p{Script=Hangul}]{1,3}(?!\p{Script=Hangul})/gu;
  // Japanese writes words in one script and their endings in another; Han and Hangul are taken by pairs.
  const runs = /[\p{Script=Katakana}ー]{2,}|\p{Script=Han}+|\p{Script=Hangul}+|\p{Script=Thai}+/gu;
  const words = (written.replace(particles, ' ').match(runs) ?? []).flatMap((run): PromptWord[] => {
    const pairs = tokenise(run).filter((term) => [...term].length === 2 && saysSomething(term));
    // Korean writes the particle after the word: 커밋을 is 커밋 with one.
    if (/^\p{Script=Hangul}/u.test(run)) {
      const terms = pairs.length > 1 ? pairs.slice(0, -1) : pairs;
      return [{ written: run, terms, isRun: true, isName: false }];
    }
    if (/^[\p{Script=Katakana}ー]/u.test(run))
      return [{ written: run, terms: pairs, isRun: true, isName: false }];
    return pairs.map((pair) => ({ written: pair, terms: [pair], isRun: true, isName: false }));
  });
  const spaced = written.match(/[\w./@:#-]+/g) ?? [];
  return [...spaced.map(readSpaced), ...words];
}

function saysSomething(term: string): boolean {
  if (STOP_WORDS.has(term) || INDEXED_STOP_WORDS.has(term) || OTHER_STOP_WORDS.has(term)) return false;
  if (/^[a-z0-9]/.test(term)) return !/^[a-z]$/.test(term);
  if (/^[\u0080-\u1fff]$/.test(term)) return false;
  return !/^[\p{P}\p{S}]*$/u.test(term);
}

/** So short a prompt is either an answer, such as "go on", or names the thing it is about. */
const SHORT_PROMPT = 12;

export function isShortPrompt(prompt: string): boolean {
  return prompt.trim().length < SHORT_PROMPT;
}

/** A question wants knowledge; a task mostly wants work. */
export function asksSomething(prompt: string): boolean {
  // Greek writes a semicolon.
  return /[?？؟]|[\u0370-\u03ff]['"»)]?[;\u037e]\s*$/.test(prompt.slice(-LONGEST));
}
