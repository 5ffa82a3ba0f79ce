/** Cuts a text at the end of a clause or a word; what is cut off is marked. */
export function shorten(text: string, longest: number): string {
  const words = text.replace(/\s+/g, ' ').trim();
  if (words.length <= longest) return words;
  const cut = words.slice(0, longest - 1);
  const clause = Math.max(
    ...[' — ', ' – ', '; ', ': ', ', ', '、', '，', '。', ' ('].map((mark) => cut.lastIndexOf(mark)),
  );
  if (clause > longest * 0.55) return `${cut.slice(0, clause).trimEnd()}…`;
  const word = cut.lastIndexOf(' ');
  return `${(word > longest * 0.5 ? cut.slice(0, word) : cut).replace(/[\s,;:—–(-]+$/u, '')}…`;
}

/** The beginning of a text as whole sentences, as many as fit. */
export function firstSentences(sentences: string[], longest: number): string {
  const kept: string[] = [];
  let length = 0;
  for (const sentence of sentences) {
    length += sentence.length + 1;
    if (length > longest && kept.length > 0) break;
    kept.push(sentence);
  }
  return shorten(kept.join(' '), longest);
}

/** Sentences and list items as one text: each ends with a full stop. */
export function joinSentences(texts: string[]): string {
  return texts.map((text) => (/[\p{L}\p{N})\]"”'’`]$/u.test(text) ? text + stopFor(text) : text)).join(' ');
}

function stopFor(text: string): string {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text) ? '。' : '.';
}
