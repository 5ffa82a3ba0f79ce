import { listSpaced, listUnspaced, type Phrases } from './phrases.ts';
import { withTraditional } from './traditional-chinese.ts';

/** Tells whether a sentence has one of the phrases of a list. */
export interface MarkerTest {
  test(text: string): boolean;
}

const PLAIN = /^[\p{L}\p{M}'’-]+$/u;
const STEM = /^([\p{L}\p{M}-]+)\\p\{L\}[*+]$/u;
// Vowel signs of Hindi and Arabic are marks.
const WORD = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_'’-]*/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Words must stand alone; Chinese, Japanese and Korean ones are found anywhere. Most words of a list are plain: looking
 * them up takes a tenth of the time of one long pattern, and a turn has hundreds of sentences.
 */
export function createMarker(phrases: Phrases): MarkerTest {
  const plain = new Set<string>();
  const stems: string[] = [];
  const patterns: string[] = [];
  for (const word of listSpaced(phrases)) {
    const stem = STEM.exec(word)?.[1];
    if (PLAIN.test(word)) plain.add(word);
    else if (stem !== undefined) stems.push(stem);
    else patterns.push(word);
  }
  const phrase =
    patterns.length === 0
      ? null
      : new RegExp(`(?<![\\p{L}\\p{N}_])(?:${patterns.join('|')})(?![\\p{L}\\p{M}\\p{N}_])`, 'u');
  const unspaced = listUnspaced(phrases);
  const characters = unspaced.length === 0 ? null : new RegExp(withTraditional(unspaced.join('|')), 'u');
  return {
    test(text) {
      const { lower, words: own, isUnspaced } = readWords(text);
      if (own.some((word) => plain.has(word) || stems.some((stem) => word.startsWith(stem)))) return true;
      if (phrase?.test(lower)) return true;
      return isUnspaced && characters?.test(text) === true;
    },
  };
}

interface SentenceWords {
  lower: string;
  words: string[];
  isUnspaced: boolean;
}

let last: { text: string; found: SentenceWords } | undefined;

/** A sentence is tested by every list in turn. */
function readWords(text: string): SentenceWords {
  if (last?.text === text) return last.found;
  const lower = text.toLowerCase().replaceAll('’', "'");
  const words = lower.match(WORD) ?? [];
  // “l'index” is two words, and so is “pre-release”; “don't” is one as well.
  const parts = words.flatMap((word) => (/['-]/.test(word) ? [word, ...word.split(/['-]/)] : [word]));
  const found = { lower, words: parts, isUnspaced: UNSPACED.test(text) };
  last = { text, found };
  return found;
}
