import type { AnchorTable } from './anchor-table.ts';

/** Where the literals of each group may be, in text order. Valid until the next search. */
export interface Anchors {
  /** One bit for each group with a position; groups from 31 on share the last bit. */
  seen: number;
  /** By group; only this many entries of the other lists are valid. */
  counts: number[];
  positions: number[][];
  literals: number[][];
}

const SIZE = 65_536;
/** Enough for nearly every text of a hook. */
const SMALL = 4_096;
const MOST_KEPT = 65_536;

/**
 * Prepares to find all literals in one pass over a text. Searching for each of 500 literals separately takes twenty
 * times as long, and one pattern for all of them takes milliseconds to compile. May return false positives, but never
 * misses a literal.
 */
export function createAnchorSearch(table: AnchorTable): (text: string) => Anchors {
  let bytes = Buffer.allocUnsafe(SMALL);
  const perGroup = Array.from({ length: table.groups });
  const anchors: Anchors = {
    seen: 0,
    counts: perGroup.map(() => 0),
    positions: perGroup.map(() => []),
    literals: perGroup.map(() => []),
  };
  return (text) => {
    if (anchors.seen !== 0) clearAnchors(anchors);
    if (text.length > bytes.length && bytes.length < SIZE) bytes = Buffer.allocUnsafe(SIZE);
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

/** A call of `write` takes as long as copying 80 characters one by one. */
const SHORT = 80;

/** Writes the lower eight bits of each character: literals use no others. */
function writeLowBytes(part: string, bytes: Buffer): number {
  if (part.length > SHORT) return bytes.write(part, 0, 'latin1');
  for (let index = 0; index < part.length; index++) bytes[index] = part.charCodeAt(index);
  return part.length;
}

/** The lists keep their capacity, unless one text made them huge. */
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

interface Part {
  bytes: Buffer;
  limit: number;
  from: number;
}

function searchPart(table: AnchorTable, { bytes, limit, from }: Part, anchors: Anchors): void {
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
