import type { StoredMemory } from '../store/types/memory.ts';

/** One sentence of a memory that makes sense alone. */
export interface Claim {
  /** Its place among the claims of its memory, from 1: the number it is indexed under. */
  position: number;
  text: string;
}

export type ClaimSource = Pick<StoredMemory, 'title' | 'narrative' | 'facts' | 'parts'>;

/** A memory that says more is no memory but a document; the numbers under which claims are indexed end here too. */
export const MOST_CLAIMS = 63;
const LONGEST_NARRATIVE = 20_000;

/**
 * What a memory says, sentence by sentence: its title, facts and narrative; of a summary what was learned and is left to
 * do, since the rest only tells how the turn went. Nothing twice, so a title that a fact repeats is left out.
 */
export function listClaims({ title, narrative, facts, parts }: ClaimSource): Claim[] {
  if (parts) return number([parts.learned, parts.notes, parts.nextSteps].flatMap(splitSentences));
  const said = [...facts, ...splitSentences(narrative)].filter((text) => text.trim() !== '');
  const heading = title.trim() === '' || isSaidBy(title, said) ? [] : [title];
  return number([...heading, ...said]);
}

/** Whether one of these says all that the text says. */
export function isSaidBy(text: string, others: string[]): boolean {
  return createRepeatCheck(others).isRepeated(text);
}

/** Tells what was said before, in as many or in more words. */
export function createRepeatCheck(texts: string[] = []) {
  const said = texts.map((text) => new Set(wordsOf(text)));
  return {
    add(text: string): void {
      said.push(new Set(wordsOf(text)));
    },
    isRepeated(text: string): boolean {
      const words = wordsOf(text.replace(/…$/, ''));
      const most = Math.floor(words.length * MISSING_SHARE);
      return words.length === 0 || said.some((known) => !hasMoreMissing(words, known, most));
    },
  };
}

/** Another number makes another claim, however much else is the same. */
function hasMoreMissing(words: string[], known: Set<string>, most: number): boolean {
  let missing = 0;
  for (const word of words) if (!known.has(word) && (++missing > most || /\d/.test(word))) return true;
  return false;
}

/** A claim and its short form differ in a word or two. */
const MISSING_SHARE = 0.15;

function number(texts: string[]): Claim[] {
  const claims: string[] = [];
  const said = createRepeatCheck();
  for (const text of texts) {
    if (claims.length === MOST_CLAIMS) break;
    if (said.isRepeated(text)) continue;
    said.add(text);
    claims.push(text);
  }
  return claims.map((text, index) => ({ position: index + 1, text }));
}

/**
 * Ends after `.`, `!` or `?` with white space, or at a line break; not after an abbreviation or a list's number. Twice,
 * because classes of all scripts take a hook milliseconds to compile.
 */
const SENTENCE_END =
  /(?<=[A-Za-z0-9)\]`'"%][.!?]['")]?)\s+(?=[A-Z0-9`"(])(?<!\b(?:e\.g|i\.e|vs|approx|[Nn]o|St|Mr|Ms|Dr)\.\s+)(?<!(?:^|\n)\s*\d+\.\s+)|\n+/;

let endInAnyScript: RegExp | undefined;

function sentenceEndOf(text: string): RegExp {
  if (IS_ASCII.test(text)) return SENTENCE_END;
  endInAnyScript ??=
    /(?<=[\p{L}\p{N})\]`'"’”»%][.!?]['"’”»)]?)\s+(?=[\p{Lu}\p{Lo}\p{N}`"“«(¿¡])(?<!\b(?:e\.g|i\.e|vs|bzw|usw|z\.\s?B|d\.\s?h|ca|approx|[Nn]o|Nr|St|Mr|Ms|Dr)\.\s+)(?<!(?:^|\n)\s*\d+\.\s+)|(?<=[。！？।॥؟۔])|\n+/u;
  return endInAnyScript;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const IS_ASCII = /^[\x00-\x7f]*$/;

export function splitSentences(text: string): string[] {
  return text
    .slice(0, LONGEST_NARRATIVE)
    .split(sentenceEndOf(text))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Scripts without spaces by the character. Ranges, because classes of all scripts take a hook milliseconds to compile. */
const WORD =
  /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|[\w\u00c0-\u1fff\u2c00-\u2fef\ud800-\udfff\ufb00-\ufdff\ufe70-\ufeff]+/g;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
