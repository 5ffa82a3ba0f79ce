/**
 * About how many tokens a model takes for a text. No model's own tokenizer is at hand for every model, and a
 * real one keeps 30 MB in memory; this counts words, pieces of long words, marks and CJK characters.
 */
export function countTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += costOf(piece);
  return tokens;
}

const PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|\s?\p{L}+|\d{1,3}|\n+|\s+(?=\S)|[^\s\p{L}\d]+/gu;

function costOf(piece: string): number {
  const text = piece.trimStart();
  if (text === '') return piece.includes('\n') ? 1 : 0;
  if (/^\p{L}/u.test(text)) return isCommon(text) ? Math.ceil(text.length / 7) : Math.ceil(text.length / 4);
  return Math.ceil(text.length / 2);
}

/** Plain lower-case Latin words are mostly one token; names with humps and other scripts fall apart. */
function isCommon(word: string): boolean {
  return /^[A-Z]?[a-z]+$/.test(word);
}
