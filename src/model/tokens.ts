/**
 * Estimates the tokens of a text. No tokenizer fits every model, and a real one takes 30 MB of memory; this counts
 * words, pieces of long words, punctuation and CJK characters.
 */
export function countTokens(text: string): number {
  return PLAIN_TEXT.test(text) ? countPlain(text) : countAny(text);
}

/** ASCII and typographic characters: dashes, quotes, the ellipsis, angle quotes, arrows, ticks. */
const PLAIN_TEXT = /^[\t-\r\x20-\x7e\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2700-\u27bf]*$/;
const PLAIN_PIECES = /\s?[A-Za-z]+|\d{1,3}|\n+|\s+(?=\S)|[^\sA-Za-z\d]+/g;

/** Much faster than `countAny`, and sufficient for most texts: hooks count tokens while an agent waits. */
export function countPlain(text: string): number {
  let tokens = 0;
  for (const piece of text.match(PLAIN_PIECES) ?? []) tokens += costOfPlain(piece);
  return tokens;
}

function costOfPlain(piece: string): number {
  const begin = piece.charCodeAt(0) <= SPACE ? 1 : 0;
  const letter = piece.charCodeAt(begin) | AS_LOWER_CASE;
  if (letter >= LETTER_A && letter <= LETTER_Z) {
    const rest = piece.slice(begin + 1);
    return Math.ceil((rest.length + 1) / (rest === rest.toLowerCase() ? COMMON : UNCOMMON));
  }
  if (begin === 1) return piece.includes('\n') ? 1 : 0;
  return Math.ceil(piece.length / 2);
}

const SPACE = 0x20;
const LETTER_A = 0x61;
const LETTER_Z = 0x7a;
const AS_LOWER_CASE = 0x20;

/** Characters per token. Plain lower-case words are usually one token; camelCase names and other scripts are split. */
const COMMON = 7;
const UNCOMMON = 4;

export function countAny(text: string): number {
  const pieces =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|\s?\p{L}+|\d{1,3}|\n+|\s+(?=\S)|[^\s\p{L}\d]+/gu;
  let tokens = 0;
  for (const piece of text.match(pieces) ?? []) tokens += costOf(piece);
  return tokens;
}

function costOf(piece: string): number {
  const text = piece.trimStart();
  if (text === '') return piece.includes('\n') ? 1 : 0;
  if (/^\p{L}/u.test(text)) return Math.ceil(text.length / (/^[A-Z]?[a-z]+$/.test(text) ? COMMON : UNCOMMON));
  return Math.ceil(text.length / 2);
}
