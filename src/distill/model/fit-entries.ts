/** One call, or several reads in a row, in the digest. */
export interface Entry {
  line: string;
  detail: string;
  /** Something changed or failed. */
  matters: boolean;
}

/** Factor for the space of important entries. */
const WEIGHT = 4;
/** Share of the space for the lines alone; beyond that some are left out. */
const SHARE_OF_LINES = 0.6;
const SHORTEST_DETAIL = 60;
const ENOUGH = 160;
const LONGEST_DETAIL = 10_000;
const GAP = '\n…\n';

/** The entries as text of at most `room` characters: first fewer details, then fewer entries, evenly. */
export function fitEntries(entries: Entry[], room: number): string {
  const shown = dropEntries(entries, room * SHARE_OF_LINES);
  const roomFor = detailRoom(shown, room - sum(shown.map(lineLength)));
  const texts = shown.map((entry) => {
    const detail = clipMiddle(entry.detail, roomFor(entry));
    return detail === '' ? entry.line : `${entry.line}\n${detail}`;
  });
  return texts.join('\n');
}

/** All entries get an equal share; if that is too small, some get enough and the rest nothing. */
function detailRoom(entries: Entry[], spare: number): (entry: Entry) => number {
  const share = computeFairShare(entries, spare);
  if (share * WEIGHT >= ENOUGH) return (entry) => share * weightOf(entry);
  const mattering = entries.filter(({ matters, detail }) => matters && detail !== '');
  const chosen = new Set(selectEvenly(mattering, spare, ({ detail }) => Math.min(detail.length, ENOUGH)));
  return (entry) => (chosen.has(entry) ? ENOUGH : 0);
}

/** Cuts the middle of a long text, at line ends if possible: results are at its end. */
export function clipMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text;
  if (longest < SHORTEST_DETAIL) return '';
  const room = longest - GAP.length;
  const head = text.slice(0, Math.floor(room * 0.4));
  const tail = text.slice(text.length - Math.ceil(room * 0.6));
  const lastLine = head.lastIndexOf('\n');
  const nextLine = tail.indexOf('\n') + 1;
  const begin = lastLine > head.length / 2 ? head.slice(0, lastLine) : head;
  return `${begin}${GAP}${nextLine < tail.length / 2 ? tail.slice(nextLine) : tail}`;
}

function weightOf({ matters }: Entry): number {
  return matters ? WEIGHT : 1;
}

/** The largest share for which all details, each cut to its share, fit. */
function computeFairShare(entries: Entry[], room: number): number {
  const needed = (share: number) =>
    sum(entries.map((entry) => Math.min(entry.detail.length, share * weightOf(entry))));
  let low = 0;
  let high = LONGEST_DETAIL;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (needed(middle) <= room) low = middle;
    else high = middle - 1;
  }
  return low;
}

function dropEntries(entries: Entry[], room: number): Entry[] {
  const mattering = selectEvenly(
    entries.filter(({ matters }) => matters),
    room,
    lineLength,
  );
  const others = selectEvenly(
    entries.filter(({ matters }) => !matters),
    room - sum(mattering.map(lineLength)),
    lineLength,
  );
  const kept = new Set([...mattering, ...others]);
  return entries.filter((entry) => kept.has(entry));
}

/** As many as fit, evenly spaced. */
function selectEvenly(entries: Entry[], room: number, length: (entry: Entry) => number): Entry[] {
  let kept = entries;
  while (kept.length > 0 && sum(kept.map(length)) > room) {
    const count = Math.floor(kept.length * 0.95);
    const step = (at: number) => Math.floor((at * count) / entries.length);
    kept = entries.filter((_, at) => step(at) !== step(at + 1));
  }
  return kept;
}

/** Includes the line ends. */
function lineLength({ line }: Entry): number {
  return line.length + 2;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
