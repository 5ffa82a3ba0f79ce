import { type Anchors, bitOf } from './anchors.ts';
import { addEdits, type Edit, mergeEdits, NO_EDITS } from './edits.ts';
import { addressRules } from './rules/addresses.ts';
import type { PlaceRule } from './rules/place-rule.ts';
import { FIRST_PLACE_GROUP, placeRules } from './scan.ts';

/** Place rules that a finder tries, and the bits of their anchors. */
interface Range {
  from: number;
  to: number;
  bits: number;
}

let ranges: { addresses: Range; credentials: Range } | undefined;

function findRanges(): { addresses: Range; credentials: Range } {
  const count = addressRules().length;
  return { addresses: rangeOf(0, count), credentials: rangeOf(count, placeRules().length) };
}

function rangeOf(from: number, to: number): Range {
  let bits = 0;
  for (let number = from; number < to; number++) bits |= bitOf(FIRST_PLACE_GROUP + number);
  return { from, to, bits };
}

/** Finds secrets in addresses: `https://user:…@host`. */
export function findAddresses(text: string, anchors: Anchors): Edit[] {
  if (!isAnySeen(anchors)) return NO_EDITS;
  ranges ??= findRanges();
  return findPlaces(text, anchors, ranges.addresses);
}

/** Finds credentials in headers, statements and files of a known form: SQL, `.pgpass`, password hashes. */
export function findCredentials(text: string, anchors: Anchors): Edit[] {
  if (!isAnySeen(anchors)) return NO_EDITS;
  ranges ??= findRanges();
  return findPlaces(text, anchors, ranges.credentials);
}

function isAnySeen({ seen }: Anchors): boolean {
  return seen >>> FIRST_PLACE_GROUP !== 0;
}

function findPlaces(text: string, anchors: Anchors, { from, to, bits }: Range): Edit[] {
  let edits = NO_EDITS;
  if ((anchors.seen & bits) === 0) return edits;
  for (let number = from; number < to; number++) {
    const count = anchors.counts[FIRST_PLACE_GROUP + number] ?? 0;
    const rule = placeRules()[number];
    const positions = anchors.positions[FIRST_PLACE_GROUP + number];
    if (count === 0 || rule === undefined || positions === undefined) continue;
    const found = rule.searchesAll === true ? searchAll(text, rule) : searchAt(text, rule, positions, count);
    edits = addEdits(edits, found);
  }
  return mergeEdits(edits);
}

/** Maximum distance of a match from its anchor. */
const LONGEST_PLACE = 5000;

function searchAt(text: string, rule: PlaceRule, positions: number[], count: number): Edit[] {
  const { kind, needs, rejects, accepts } = rule;
  const pattern = rule.pattern();
  let edits = NO_EDITS;
  let done = 0;
  let needed = -1;
  for (let number = 0; number < count; number++) {
    const anchor = positions[number] ?? 0;
    if (anchor < done || rejects?.(text, anchor) === true) continue;
    if (needs !== undefined) {
      if (needed < anchor) needed = text.indexOf(needs, anchor);
      if (needed === -1) break;
      if (needed - anchor > LONGEST_PLACE) continue;
    }
    pattern.lastIndex = anchor;
    const hit = pattern.exec(text);
    if (hit === null) continue;
    const [whole, before = '', value = ''] = hit;
    const start = anchor + before.length;
    // The match may contain the next place.
    done = start;
    if (value === '' || !accepts(value)) continue;
    done = anchor + whole.length;
    if (edits === NO_EDITS) edits = [];
    edits.push({ start, end: start + value.length, kind });
  }
  return edits;
}

function searchAll(text: string, { kind, pattern, accepts }: PlaceRule): Edit[] {
  const edits: Edit[] = [];
  for (const { index, 1: before = '', 2: value = '' } of text.matchAll(pattern())) {
    const start = index + before.length;
    if (accepts(value)) edits.push({ start, end: start + value.length, kind });
  }
  return edits;
}
