import { FILLER_WORDS } from './filler-words.ts';

/** The sentences of a text, in a form that recognises the same statement in another text. */
export interface Wording {
  /** The words of each sentence, with single spaces around them. */
  sentences: Set<string>;
  /** Distinctive runs of words, keyed by the longest word of each. */
  distinctive: Map<string, string[][]>;
  /** Pairs of adjacent words, and names. A match means that a text is about the same subject. */
  marks: Set<string>;
}

/** A shorter sentence may occur in any text. */
const DISTINCTIVE = { words: 4, letters: 15 };
/** This many words of a longer sentence are a quote. A step of one would find more but take four times as long. */
const QUOTED = { words: 8, letters: 24, step: 4 };

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const LETTER = `(?![${CJK}])[\\p{L}\\p{N}\\p{M}]`;
let word: RegExp | undefined;

/** Created on demand: compiling takes 1.3 ms, and every hook would wait for it. */
function wordPattern(): RegExp {
  word ??= new RegExp(`[${CJK}]|(?:${LETTER})+(?:[._/@-]+(?:${LETTER})+)*`, 'gu');
  return word;
}

/** `words`: the number of words that makes a sentence distinctive. */
export function analyzeWording(texts: string[], { words: fewest = DISTINCTIVE.words } = {}): Wording {
  const wording: Wording = { sentences: new Set(), distinctive: new Map(), marks: new Set() };
  for (const piece of texts.flatMap(splitPieces)) {
    const words = wordsIn(piece);
    if (words.length === 0) continue;
    const sentence = joined(words);
    if (wording.sentences.has(sentence)) continue;
    for (const mark of marksOf(piece, words)) wording.marks.add(mark);
    wording.sentences.add(sentence);
    if (words.length < fewest || !isDistinctive(words)) continue;
    for (const run of runsOf(words)) {
      const key = run.reduce((longest, word) => (word.length > longest.length ? word : longest));
      wording.distinctive.set(key, [...(wording.distinctive.get(key) ?? []), run]);
    }
  }
  return wording;
}

/** Splits a sentence into overlapping runs of words; a short sentence is a single run. */
function runsOf(words: string[]): string[][] {
  const runs: string[][] = [];
  for (let start = 0; start < words.length; start += QUOTED.step) {
    let letters = 0;
    let end = start;
    while (end < words.length && (end - start < QUOTED.words || letters < QUOTED.letters))
      letters += words[end++]?.length ?? 0;
    if (end < words.length) runs.push(words.slice(start, end));
    else return [...runs, words.slice(Math.max(0, start - QUOTED.step))];
  }
  return runs;
}

/**
 * Whether a text contains one of the sentences, or enough of a long one. In the pages of a database texts follow each
 * other without a gap: with `isGlued`, the first and the last word of a sentence may be part of longer words.
 */
export function containsWording(
  text: string,
  { distinctive }: Wording,
  { isGlued = false }: { isGlued?: boolean } = {},
): boolean {
  // Almost no text contains all the words, and splitting a text takes fifty times as long as searching it.
  const lower = text.toLowerCase();
  const runs = [...distinctive].flatMap(([key, runs]) =>
    lower.includes(key) ? runs.filter((run) => run.every((word) => lower.includes(word))) : [],
  );
  if (runs.length === 0) return false;
  const whole = joined(wordsIn(text));
  return runs.some((run) => {
    const sure = isGlued && run.length > DISTINCTIVE.words + 2 ? run.slice(1, -1) : run;
    return whole.includes(joined(sure));
  });
}

/** Whether a sentence repeats one of the wording, or a distinctive part of one. */
export function isRepeated(piece: string, wording: Wording): boolean {
  const words = wordsIn(piece);
  const sentence = joined(words);
  if (wording.sentences.has(sentence) || containsWording(piece, wording)) return true;
  return isDistinctive(words) && [...wording.sentences].some((known) => known.includes(sentence));
}

/** Whether a sentence is about the same subject in other words. */
export function isRelated(piece: string, wording: Wording): boolean {
  return isRepeated(piece, wording) || marksOf(piece, wordsIn(piece)).some((mark) => wording.marks.has(mark));
}

/** Removes some sentences of a text and leaves the others unchanged. */
export function removePieces(
  text: string,
  isUnwanted: (piece: string) => boolean,
): { text: string; gone: number } {
  const pieces = splitPieces(text);
  const left = pieces.filter((piece) => wordsIn(piece).length === 0 || !isUnwanted(piece));
  if (left.length === pieces.length) return { text, gone: 0 };
  return { text: left.join('').trim(), gone: pieces.length - left.length };
}

/** JSON as text without escapes, which would stick to the next word. */
export function textOfJson(json: string): string {
  if (!json.includes('\\')) return json;
  return json
    .replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrt"\\]/g, ' ');
}

/** Splits a text into sentences and lines. Joined, they are the text. */
export function splitPieces(text: string): string[] {
  return text
    .split(/(?<=[.!?]["')\]*_]{0,3})(?=\s)|(?<=[。！？।॥؟۔])|(?=\n)/u)
    .filter((piece) => piece !== '');
}

/** The words of a text in lower case and without punctuation, which makes spelling and markup irrelevant. */
export function wordsIn(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(wordPattern()) ?? [];
}

function joined(words: string[]): string {
  return ` ${words.join(' ')} `;
}

function isDistinctive(words: string[]): boolean {
  return words.length >= DISTINCTIVE.words && joined(words).length - 2 >= DISTINCTIVE.letters;
}

function marksOf(piece: string, words: string[]): string[] {
  const significant = words.filter((word) => word.length > 1 && !FILLER_WORDS.has(word));
  const pairs = significant.slice(1).map((word, index) => `${significant[index]} ${word}`);
  return [...pairs, ...namesIn(piece)];
}

/**
 * Unusual words: with a digit, an inner capital, a hyphen or an underscore, and compounds in Japanese and Chinese.
 * Paths are excluded, because many statements are about the same file.
 */
function namesIn(piece: string): string[] {
  const text = piece.normalize('NFKC');
  const names = (text.match(wordPattern()) ?? []).filter(
    (word) =>
      word.length >= 6 && !/[/.]/.test(word) && /\p{L}/u.test(word) && /\d|[a-z][A-Z]|[_-]/.test(word),
  );
  const compounds = text.match(/[\p{Script=Han}\p{Script=Katakana}ー]{3,}/gu) ?? [];
  return [...names, ...compounds].map((name) => name.toLowerCase());
}
