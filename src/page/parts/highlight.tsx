import { splitCode } from './markdown-tree.ts';

/** A text with the search terms highlighted. */
export function Highlight({ text, places = [] }: { text: string; places?: [number, number][] | undefined }) {
  return (
    <span>
      {splitCode(text).map(({ part, isCode, at }) => {
        const inside = splitAt(part, clip(places, at, part.length)).map((piece) =>
          piece.isMatch ? <mark key={piece.at}>{piece.part}</mark> : piece.part,
        );
        return isCode ? <code key={at}>{inside}</code> : inside;
      })}
    </span>
  );
}

/** Converts places to positions in a part of the text. */
function clip(places: [number, number][], at: number, length: number): [number, number][] {
  return places.map(([from, to]) => [Math.max(from - at, 0), Math.min(to - at, length)]);
}

/** Places are [from, to) in the text. Overlapping places and places outside the text are ignored. */
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
