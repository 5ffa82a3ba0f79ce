/** A text with the words marked that were searched for. */
export function Highlight({ text, places = [] }: { text: string; places?: [number, number][] | undefined }) {
  return (
    <span>
      {splitAt(text, places).map(({ part, isMatch, at }) => (isMatch ? <mark key={at}>{part}</mark> : part))}
    </span>
  );
}

/** Places are [from, to) in the text; those that overlap or lie outside are left out. */
export function splitAt(
  text: string,
  places: [number, number][],
): { part: string; isMatch: boolean; at: number }[] {
  const parts: { part: string; isMatch: boolean; at: number }[] = [];
  let done = 0;
  for (const [from, to] of [...places].sort((one, other) => one[0] - other[0])) {
    if (from < done || to <= from || to > text.length) continue;
    if (from > done) parts.push({ part: text.slice(done, from), isMatch: false, at: done });
    parts.push({ part: text.slice(from, to), isMatch: true, at: from });
    done = to;
  }
  if (done < text.length) parts.push({ part: text.slice(done), isMatch: false, at: done });
  return parts;
}
