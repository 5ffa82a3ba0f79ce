/** Literals that mark where a kind of secret may be. Up to five characters are compared. */
export interface AnchorGroup {
  literals: string[];
  /** Case-sensitive. */
  exact?: boolean;
}

/** As the third character of a literal, matches any character. */
export const ANY_CHARACTER = '\u00b7';

/** Three characters of five bits each: upper and lower case of a letter have the same number. */
const TRIGRAMS = 1 << 15;
const MOST_CANDIDATES = 4096;

export interface AnchorTable {
  groups: number;
  /** By the first two characters of a trigram, the third ones that occur in literals: 4 kB, always in the cache. */
  thirds: Uint32Array;
  /** By trigram, the first candidate; 0 means none. */
  first: Uint16Array;
  /** By candidate: the next one with the same trigram, its group, and the checks that the trigram does not cover. */
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

/** The lists of candidates are views of one buffer, which can be packed and unpacked directly. */
function createTable(groups: number, room: number, buffer = new ArrayBuffer(BYTES * room)): AnchorTable {
  const viewList = (number: number) => new Uint16Array(buffer, (4 + 2 * number) * room, room);
  return {
    groups,
    thirds: new Uint32Array(TRIGRAMS >> 5),
    first: new Uint16Array(TRIGRAMS),
    classes: new Uint32Array(buffer, 0, room),
    next: viewList(0),
    group: viewList(1),
    literal: viewList(2),
    tail: viewList(3),
    tailMask: viewList(4),
    count: 0,
  };
}

const BYTES = 14;

export function buildTable(groups: AnchorGroup[]): AnchorTable {
  const table = createTable(groups.length, MOST_CANDIDATES);
  const meanings = groups.flatMap(({ literals, exact = false }, group) =>
    literals.map((literal, number) => ({ literal, meaning: { group, number, exact } })),
  );
  // Literals with an open character first: while their trigrams are free, they share one candidate.
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

function addClosed(table: AnchorTable, literal: string, meaning: Meaning): void {
  const trigram = trigramOf(literal, 3);
  setFirst(table, trigram, addCandidate(table, literal, meaning, table.first[trigram]));
}

const OPEN = ANY_CHARACTER.charCodeAt(0);

interface Meaning {
  group: number;
  number: number;
  exact: boolean;
}

/** Adds a literal of two characters with any third one. */
function addOpen(table: AnchorTable, literal: string, meaning: Meaning): void {
  const start = trigramOf(literal, 2);
  const shared = table.thirds[start >> 5] === 0 ? addCandidate(table, literal, meaning) : undefined;
  for (let trigram = start; trigram < start + 32; trigram++) {
    setFirst(table, trigram, shared ?? addCandidate(table, literal, meaning, table.first[trigram]));
  }
}

function setFirst(table: AnchorTable, trigram: number, candidate: number): void {
  table.first[trigram] = candidate;
  table.thirds[trigram >> 5] = (table.thirds[trigram >> 5] ?? 0) | (1 << (trigram & 31));
}

function trigramOf(literal: string, length: number): number {
  let trigram = 0;
  for (let index = 0; index < length; index++) {
    trigram |= (literal.charCodeAt(index) & 31) << (10 - 5 * index);
  }
  return trigram;
}

function addCandidate(table: AnchorTable, literal: string, meaning: Meaning, next = 0): number {
  const candidate = ++table.count;
  const length = literal.length;
  const isAnyThird = isOpen(literal);
  let classes = isAnyThird ? 0xff0000 : 0;
  for (let index = isAnyThird ? 1 : 2; index >= 0; index--) {
    // The search uses only the lower byte of each character.
    const code = literal.charCodeAt(index) & 255;
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

/** A table in the form stored in a bundle. */
export interface PackedTable {
  groups: number;
  /** The lists of candidates. */
  candidates: string;
  /** Each trigram that has a candidate, with its first one. */
  firsts: string;
}

export function packTable(table: AnchorTable): PackedTable {
  const room = table.count + 1;
  const packed = createTable(table.groups, room);
  for (const list of ['classes', 'next', 'group', 'literal', 'tail', 'tailMask'] as const)
    packed[list].set(table[list].subarray(0, room));
  const firsts = [...table.first.entries()].filter(([, candidate]) => candidate !== 0);
  return {
    groups: table.groups,
    candidates: Buffer.from(packed.classes.buffer).toString('base64'),
    firsts: Buffer.from(Uint16Array.from(firsts.flat()).buffer).toString('base64'),
  };
}

export function unpackTable({ groups, candidates, firsts }: PackedTable): AnchorTable {
  const { buffer } = new Uint8Array(Buffer.from(candidates, 'base64'));
  const room = buffer.byteLength / BYTES;
  const table = createTable(groups, room, buffer);
  table.count = room - 1;
  const pairs = new Uint16Array(new Uint8Array(Buffer.from(firsts, 'base64')).buffer);
  for (let at = 0; at < pairs.length; at += 2) setFirst(table, pairs[at] ?? 0, pairs[at + 1] ?? 0);
  return table;
}
