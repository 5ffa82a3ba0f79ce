/** Literals that tell where a kind of secret may be. Up to five characters are looked at. */
export interface AnchorGroup {
  literals: string[];
  /** Capital and small letters differ. */
  exact?: boolean;
}

/** Where the literals of each group may be, in the order of the text. Valid until the next search. */
export interface Anchors {
  /** One bit for each group that has any; the groups from 31 on share the last one. */
  seen: number;
  /** By group; of the other lists only so many entries are valid. */
  counts: number[];
  positions: number[][];
  /** Which literal of its group it is. */
  literals: number[][];
}

/** As the third character of a literal: any character. */
export const ANY = '\u00b7';

const SIZE = 65_536;
/** Three characters of five bits each: letters of both cases are the same number. */
const TRIGRAMS = 1 << 15;
const MOST_CANDIDATES = 4096;
const MOST_KEPT = 65_536;

/**
 * Prepares to find all literals in one pass over a text. To search for each of five hundred literals on its
 * own takes twenty times as long, and one pattern of all of them takes milliseconds to compile. Now and then
 * a position is given where no literal is; none is missed.
 */
export function indexAnchors(groups: AnchorGroup[]): (text: string) => Anchors {
  const table = buildTable(groups);
  const bytes = Buffer.allocUnsafe(SIZE);
  const anchors: Anchors = {
    seen: 0,
    counts: groups.map(() => 0),
    positions: groups.map(() => []),
    literals: groups.map(() => []),
  };
  return (text) => {
    if (anchors.seen !== 0) clearAnchors(anchors);
    for (let from = 0; from + 2 < text.length; ) {
      const part = text.length <= SIZE ? text : text.slice(from, from + SIZE);
      const length = writeLowBytes(part, bytes);
      // The last two characters of a part may be needed to compare the end of a literal.
      const limit = from + length === text.length ? length : length - 2;
      searchPart(table, { bytes, limit, from }, anchors);
      from += limit - 2;
      if (limit === length) break;
    }
    return anchors;
  };
}

export function bitOf(group: number): number {
  return 1 << Math.min(group, 31);
}

/** A call of `write` takes as long as eighty characters one by one. */
const SHORT = 80;

/** The lower eight bits of each character: literals have no others. */
function writeLowBytes(part: string, bytes: Buffer): number {
  if (part.length > SHORT) return bytes.write(part, 0, 'latin1');
  for (let index = 0; index < part.length; index++) bytes[index] = part.charCodeAt(index);
  return part.length;
}

/** The lists keep their room, unless one text made them huge. */
function clearAnchors(anchors: Anchors): void {
  anchors.seen = 0;
  for (let group = 0; group < anchors.counts.length; group++) {
    if ((anchors.counts[group] ?? 0) > MOST_KEPT) {
      anchors.positions[group] = [];
      anchors.literals[group] = [];
    }
    anchors.counts[group] = 0;
  }
}

interface Table {
  /** By the first two characters of a trigram, the third ones that any literal has: 4 kB, always in the cache. */
  thirds: Uint32Array;
  /** By trigram, the first candidate; 0 is none. */
  first: Uint16Array;
  /** By candidate: the next one of the same trigram, what it stands for, and what the trigram does not tell. */
  next: Uint16Array;
  group: Uint16Array;
  literal: Uint16Array;
  /** Which upper bits the three bytes may have. */
  classes: Uint32Array;
  /** The lower bits of the fourth and fifth byte, and which of them count. */
  tail: Uint16Array;
  tailMask: Uint16Array;
  count: number;
}

interface Part {
  bytes: Buffer;
  limit: number;
  from: number;
}

function searchPart(table: Table, { bytes, limit, from }: Part, anchors: Anchors): void {
  const { thirds, first, next } = table;
  let pair = (((bytes[0] ?? 0) & 31) << 5) | ((bytes[1] ?? 0) & 31);
  for (let index = 2; index < limit; index++) {
    const third = (bytes[index] ?? 0) & 31;
    const before = pair;
    pair = ((pair << 5) | third) & 1023;
    if ((((thirds[before] ?? 0) >>> third) & 1) === 0) continue;
    let candidate = first[(before << 5) | third] ?? 0;
    const upper =
      (1 << ((bytes[index - 2] ?? 0) >> 5)) |
      (256 << ((bytes[index - 1] ?? 0) >> 5)) |
      (65_536 << ((bytes[index] ?? 0) >> 5));
    const tail = (((bytes[index + 1] ?? 0) & 31) << 5) | ((bytes[index + 2] ?? 0) & 31);
    for (; candidate !== 0; candidate = next[candidate] ?? 0) {
      if (((table.classes[candidate] ?? 0) & upper) !== upper) continue;
      if (((tail ^ (table.tail[candidate] ?? 0)) & (table.tailMask[candidate] ?? 0)) !== 0) continue;
      addPosition(anchors, table.group[candidate] ?? 0, from + index - 2, table.literal[candidate] ?? 0);
    }
  }
}

function addPosition(anchors: Anchors, group: number, position: number, literal: number): void {
  const positions = anchors.positions[group];
  const literals = anchors.literals[group];
  if (positions === undefined || literals === undefined) return;
  const count = anchors.counts[group] ?? 0;
  positions[count] = position;
  literals[count] = literal;
  anchors.counts[group] = count + 1;
  anchors.seen |= bitOf(group);
}

function buildTable(groups: AnchorGroup[]): Table {
  const table: Table = {
    thirds: new Uint32Array(TRIGRAMS >> 5),
    first: new Uint16Array(TRIGRAMS),
    next: new Uint16Array(MOST_CANDIDATES),
    group: new Uint16Array(MOST_CANDIDATES),
    literal: new Uint16Array(MOST_CANDIDATES),
    classes: new Uint32Array(MOST_CANDIDATES),
    tail: new Uint16Array(MOST_CANDIDATES),
    tailMask: new Uint16Array(MOST_CANDIDATES),
    count: 0,
  };
  const meanings = groups.flatMap(({ literals, exact = false }, group) =>
    literals.map((literal, number) => ({ literal, meaning: { group, number, exact } })),
  );
  // What leaves a character open first: as long as its trigrams are free, they share one candidate.
  for (const { literal, meaning } of meanings.filter(({ literal }) => isOpen(literal)))
    addOpen(table, literal, meaning);
  for (const { literal, meaning } of meanings.filter(({ literal }) => !isOpen(literal)))
    addClosed(table, literal, meaning);
  return table;
}

function isOpen(literal: string): boolean {
  const third = literal.charCodeAt(2);
  return Number.isNaN(third) || third === OPEN;
}

function addClosed(table: Table, literal: string, meaning: Meaning): void {
  const trigram = trigramOf(literal, 3);
  table.thirds[trigram >> 5] = (table.thirds[trigram >> 5] ?? 0) | (1 << (trigram & 31));
  table.first[trigram] = addCandidate(table, literal, meaning, table.first[trigram]);
}

const OPEN = ANY.charCodeAt(0);

interface Meaning {
  group: number;
  number: number;
  exact: boolean;
}

/** Two characters and any third one. */
function addOpen(table: Table, literal: string, meaning: Meaning): void {
  const { first, thirds } = table;
  const start = trigramOf(literal, 2);
  if (thirds[start >> 5] === 0) {
    thirds[start >> 5] = 0xffffffff;
    first.fill(addCandidate(table, literal, meaning), start, start + 32);
    return;
  }
  for (let trigram = start; trigram < start + 32; trigram++) {
    first[trigram] = addCandidate(table, literal, meaning, first[trigram]);
  }
}

function trigramOf(literal: string, length: number): number {
  let trigram = 0;
  for (let index = 0; index < length; index++) {
    trigram |= (literal.charCodeAt(index) & 31) << (10 - 5 * index);
  }
  return trigram;
}

function addCandidate(table: Table, literal: string, meaning: Meaning, next = 0): number {
  const candidate = ++table.count;
  const length = literal.length;
  const isOpen = length < 3 || literal.charCodeAt(2) === OPEN;
  let classes = isOpen ? 0xff0000 : 0;
  for (let index = isOpen ? 1 : 2; index >= 0; index--) {
    const code = literal.charCodeAt(index);
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
    classes |= (isLetter && !meaning.exact ? 0b1100 : 1 << (code >> 5)) << (8 * index);
  }
  table.next[candidate] = next;
  table.group[candidate] = meaning.group;
  table.literal[candidate] = meaning.number;
  table.classes[candidate] = classes;
  if (length > 3) {
    table.tail[candidate] = ((literal.charCodeAt(3) & 31) << 5) | (literal.charCodeAt(4) & 31);
    table.tailMask[candidate] = length > 4 ? 0x3ff : 0x3e0;
  }
  return candidate;
}
