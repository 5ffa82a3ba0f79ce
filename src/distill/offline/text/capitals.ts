/** With a capital at the beginning; a name such as `nights()`, `src/a.ts` or `npm test` keeps its small letter. */
export function capitalise(words: string): string {
  if (/^(?:node|npm|npx|pnpm|yarn|git|python3?|cargo|sh|bash|docker|curl)\s/.test(words)) return words;
  const startsWithWord = /^\p{Ll}[\p{Ll}'’]*(?=\s+[\p{L}\p{N}"“(`*]|[,:;—–-]|$)/u.test(words);
  return startsWithWord ? (words[0] ?? '').toUpperCase() + words.slice(1) : words;
}
