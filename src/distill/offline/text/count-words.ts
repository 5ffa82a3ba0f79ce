/** Scripts without spaces: two characters count as a word. */
export function countWords(text: string): number {
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length + unspaced / 2;
}
