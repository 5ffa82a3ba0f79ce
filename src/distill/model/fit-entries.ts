/** One line of what was done. */
export interface Entry {
  line: string;
  /** Something was changed or went wrong. */
  matters: boolean;
}

/** Less than this of a long text says nothing. */
const SHORTEST_CLIP = 60;
const GAP = '\n…\n';

/** The lines as text of at most `room` characters; where they are too many, some are left out, evenly. */
export function fitEntries(entries: Entry[], room: number): string {
  const mattering = evenly(
    entries.filter(({ matters }) => matters),
    room,
  );
  const others = evenly(
    entries.filter(({ matters }) => !matters),
    room - lengthOf(mattering),
  );
  const kept = new Set([...mattering, ...others]);
  return entries
    .filter((entry) => kept.has(entry))
    .map(({ line }) => line)
    .join('\n');
}

/** The middle of a long text is left out, at the ends of lines where they are near: results stand at its end. */
export function clipMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text;
  if (longest < SHORTEST_CLIP) return '';
  const room = longest - GAP.length;
  const head = text.slice(0, Math.floor(room * 0.4));
  const tail = text.slice(text.length - Math.ceil(room * 0.6));
  const lastLine = head.lastIndexOf('\n');
  const nextLine = tail.indexOf('\n') + 1;
  const begin = lastLine > head.length / 2 ? head.slice(0, lastLine) : head;
  return `${begin}${GAP}${nextLine < tail.length / 2 ? tail.slice(nextLine) : tail}`;
}

/** As many as fit, at equal distances. */
function evenly(entries: Entry[], room: number): Entry[] {
  let kept = entries;
  while (kept.length > 0 && lengthOf(kept) > room) {
    const count = Math.floor(kept.length * 0.95);
    const step = (at: number) => Math.floor((at * count) / entries.length);
    kept = entries.filter((_, at) => step(at) !== step(at + 1));
  }
  return kept;
}

/** With the ends of the lines. */
function lengthOf(entries: Entry[]): number {
  return entries.reduce((total, { line }) => total + line.length + 1, 0);
}
