/** Letters without a Unicode decomposition. */
const WHOLE_LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' };

/** Lower case, without full-width forms, and without accents on Latin, Greek and Cyrillic letters. */
export function fold(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: most texts are plain ASCII.
  if (/^[\x00-\x7f]*$/.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßæœøđłı]/g, (letter) => WHOLE_LETTERS[letter] ?? letter);
}
