/**
 * About how many tokens a model takes for a text. No model's own tokenizer is at hand for every model, and a
 * real one keeps 30 MB in memory; this counts words, pieces of long words, marks and CJK characters.
 */
export function countTokens(text: string): number {
  return PLAIN_TEXT.test(text) ? countPlain(text) : countAny(text);
}

/** ASCII and the marks of print: dashes, quotes, the ellipsis, arrows, ticks. */
const PLAIN_TEXT = /^[\t-\r\x20-\x7e\u2010-\u2027\u2190-\u21ff\u2700-\u27bf]*$/;
const PLAIN_PIECES = /\s?[A-Za-z]+|\d{1,3}|\n+|\s+(?=\S)|[^\sA-Za-z\d]+/g;

/** Much faster than for any text, and most texts are plain: hooks count while an agent waits. */
export function countPlain(text: string): number {
  let tokens = 0;
  for (const piece of text.match(PLAIN_PIECES) ?? []) tokens += costOf(piece, /^[A-Za-z]/);
  return tokens;
}

export function countAny(text: string): number {
  const pieces =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|\s?\p{L}+|\d{1,3}|\n+|\s+(?=\S)|[^\s\p{L}\d]+/gu;
  let tokens = 0;
  for (const piece of text.match(pieces) ?? []) tokens += costOf(piece, /^\p{L}/u);
  return tokens;
}

function costOf(piece: string, letter: RegExp): number {
  const text = piece.trimStart();
  if (text === '') return piece.includes('\n') ? 1 : 0;
  if (letter.test(text)) return isCommon(text) ? Math.ceil(text.length / 7) : Math.ceil(text.length / 4);
  return Math.ceil(text.length / 2);
}

/** Plain lower-case Latin words are mostly one token; names with humps and other scripts fall apart. */
function isCommon(word: string): boolean {
  return /^[A-Z]?[a-z]+$/.test(word);
}
