/** A part of a query as typed. All pieces together are the query. */
export type QueryPiece =
  | { kind: 'words' | 'phrase' | 'without'; text: string; value: string }
  | { kind: 'operator'; text: string; name: string; value: string };

/** `name:value`, `-not`, `-"not this"` or `"a phrase"`, with white space around. */
const PIECE =
  /(?<=^|\s)(?:(?<name>[a-z]+):(?<value>"[^"]*"|(?!:|\/\/)[^\s"]\S*)(?=\s|$)|-(?<without>"[^"]+"|[^\s!-/:-@[-`{-~][^\s"]+)(?=\s|$)|"(?<phrase>[^"]+)"(?=\s|$))/gi;

/** Operators, phrases and excluded words, and the words between them. `https://x` and `std::io` are words. */
export function splitQuery(text: string): QueryPiece[] {
  // In a longer text a dash is a list item or a command's option.
  const isLong = text.includes('\n');
  const pieces: QueryPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    const { name, value, without, phrase } = match.groups ?? {};
    if (without !== undefined && isLong) continue;
    if (match.index > end) pieces.push(words(text.slice(end, match.index)));
    end = match.index + match[0].length;
    if (name !== undefined)
      pieces.push({ kind: 'operator', text: match[0], name: name.toLowerCase(), value: unquote(value) });
    else if (without !== undefined) pieces.push({ kind: 'without', text: match[0], value: unquote(without) });
    else pieces.push({ kind: 'phrase', text: match[0], value: phrase ?? '' });
  }
  if (end < text.length) pieces.push(words(text.slice(end)));
  return pieces;
}

function words(text: string): QueryPiece {
  return { kind: 'words', text, value: text };
}

function unquote(value = ''): string {
  return value.replace(/^"|"$/g, '');
}
