import type { StoredMemory } from '../store/types/memory.ts';

/** One sentence of a memory that is understood alone. */
export interface Claim {
  /** Its place among the claims of its memory, from 1. Claims are indexed by it. */
  position: number;
  text: string;
}

export type ClaimSource = Pick<StoredMemory, 'title' | 'narrative' | 'facts' | 'parts'>;

/** The index reserves 64 ids per memory, one of them for the header. A memory with more claims is a document. */
export const MOST_CLAIMS = 63;
const LONGEST_NARRATIVE = 20_000;

/**
 * A memory sentence by sentence: title, facts and narrative; for a summary only what was learned and is left to do,
 * because the rest describes the turn. Repetitions are omitted, such as a title that a fact repeats.
 */
export function listClaims({ title, narrative, facts, parts }: ClaimSource): Claim[] {
  if (parts) return number([parts.learned, parts.notes, parts.nextSteps].flatMap(splitSentences));
  const sentences = [...facts, ...splitSentences(narrative)].filter((text) => text.trim() !== '');
  const heading = title.trim() === '' || isSaidBy(title, sentences) ? [] : [title];
  return number([...heading, ...sentences]);
}

/** Whether one of the other texts contains everything that this text says. */
export function isSaidBy(text: string, others: string[]): boolean {
  return createRepeatCheck(others).isRepeated(text);
}

/** Recognises texts that an earlier text repeats in as many or more words. */
export function createRepeatCheck(texts: string[] = []) {
  const earlier = texts.map((text) => new Set(wordsOf(text)));
  return {
    add(text: string): void {
      earlier.push(new Set(wordsOf(text)));
    },
    isRepeated(text: string): boolean {
      const words = wordsOf(text.replace(/…$/, ''));
      const most = Math.floor(words.length * MISSING_SHARE);
      return words.length === 0 || earlier.some((known) => !hasMoreMissing(words, known, most));
    },
  };
}

/** A different number always makes a different claim, even if all other words are the same. */
function hasMoreMissing(words: string[], known: Set<string>, most: number): boolean {
  let missing = 0;
  for (const word of words) if (!known.has(word) && (++missing > most || /\d/.test(word))) return true;
  return false;
}

/** The share of words that may be missing: a claim and its short form differ in a word or two. */
const MISSING_SHARE = 0.15;

function number(texts: string[]): Claim[] {
  const claims: string[] = [];
  const repeats = createRepeatCheck();
  for (const text of texts) {
    if (claims.length === MOST_CLAIMS) break;
    if (repeats.isRepeated(text)) continue;
    repeats.add(text);
    claims.push(text);
  }
  return claims.map((text, index) => ({ position: index + 1, text }));
}

/**
 * A sentence ends after `.`, `!` or `?` with white space, or at a line break, but not after an abbreviation or a list's
 * number. There are two patterns, because classes of all scripts take a hook milliseconds to compile.
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

/** Scripts without spaces match by character. Ranges, because classes of all scripts take a hook milliseconds to compile. */
const WORD =
  /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|[\w\u00c0-\u1fff\u2c00-\u2fef\ud800-\udfff\ufb00-\ufdff\ufe70-\ufeff]+/g;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
