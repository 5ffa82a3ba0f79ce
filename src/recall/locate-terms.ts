import { tokenise } from '../indexing/tokenise.ts';

/** Terms of a question in a text, as they are written there: several in one name. */
export interface LocatedTerm {
  terms: string[];
  start: number;
  end: number;
}

const LONGEST = 50_000;
const WORD = /[^\s"“”„«»`()[\]{}<>,;!?=*|&~^$%…、。，；：！？「」『』（）]+/g;
const PART = /[^-_./\\:@#'’+]+/g;
/** Punctuation around a name, and the ending of a possessive. */
const BEFORE = /^[-.:'’+]*/;
const AFTER = /(?:['’]s)?[-.:'’\\]*\+?$/;
const HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
/** A quick test without classes of all scripts, which take a hook milliseconds to compile. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/**
 * In order, without overlaps. Of a compound name only the parts that match, unless the whole does. `once`: ends when
 * every term was found.
 */
export function locateTerms(text: string, terms: ReadonlySet<string>, { once = false } = {}): LocatedTerm[] {
  const located: LocatedTerm[] = [];
  if (terms.size === 0) return located;
  const missing = new Set(terms);
  for (const { 0: word, index } of text.slice(0, LONGEST).matchAll(WORD)) {
    const tokens = tokensOf(word).filter((token) => terms.has(token));
    if (tokens.length === 0) continue;
    const wanted = new Set(tokens);
    const places = UNSPACED.test(word) ? locateInRun(word, wanted) : locateInName(word, wanted);
    for (const { terms, start, end } of places)
      located.push({ terms, start: start + index, end: end + index });
    for (const term of wanted) missing.delete(term);
    if (once && missing.size === 0) break;
  }
  return located;
}

/** Cache: the results of a search, and of the next letter typed, repeat words and paths. */
const MOST_KEPT = 5_000;
const LONGEST_KEPT = 100;
const kept = new Map<string, string[]>();

function tokensOf(word: string): string[] {
  const known = kept.get(word);
  if (known) return known;
  if (word.length > LONGEST_KEPT) return tokenise(word);
  if (kept.size >= MOST_KEPT) kept.clear();
  // A copy: a slice would keep the whole text that it was cut from in memory.
  const copy = Buffer.from(word, 'utf16le').toString('utf16le');
  const tokens = tokenise(copy);
  kept.set(copy, tokens);
  return tokens;
}

function locateInName(word: string, wanted: Set<string>): LocatedTerm[] {
  const parts = splitName(word).flatMap(({ part, start }) => {
    const terms = tokensOf(part).filter((token) => wanted.has(token));
    return terms.length === 0 ? [] : [{ terms, start, end: start + part.length }];
  });
  const ofParts = new Set(parts.flatMap(({ terms }) => terms));
  if ([...wanted].every((term) => ofParts.has(term))) return parts;
  const start = BEFORE.exec(word)?.[0].length ?? 0;
  const end = word.endsWith('++') ? word.length : word.replace(AFTER, '').length;
  return [{ terms: [...wanted], start, end: Math.max(start + 1, end) }];
}

function splitName(word: string): { part: string; start: number }[] {
  const parts: { part: string; start: number }[] = [];
  for (const { 0: piece, index } of word.matchAll(PART)) {
    let start = index;
    for (const part of piece.split(HUMP)) {
      parts.push({ part, start });
      start += part.length;
    }
  }
  return parts;
}

/** Pairs of characters overlap: 登录 and 录页 are one place. */
function locateInRun(run: string, wanted: Set<string>): LocatedTerm[] {
  const lower = run.toLowerCase();
  const places = [...wanted]
    .flatMap((term) => {
      const start = lower.indexOf(term);
      return start < 0 ? [] : [{ terms: [term], start, end: start + term.length }];
    })
    .sort((a, b) => a.start - b.start);
  const merged: LocatedTerm[] = [];
  for (const place of places) {
    const last = merged.at(-1);
    if (last && place.start < last.end) {
      last.end = Math.max(last.end, place.end);
      last.terms.push(...place.terms);
    } else merged.push(place);
  }
  return merged;
}
