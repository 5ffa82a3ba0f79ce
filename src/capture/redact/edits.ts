import type { Anchors } from './anchors.ts';
import { formatMark } from './mark.ts';

/** A part of a text that holds a secret. */
export interface Edit {
  start: number;
  end: number;
  kind: string;
}

/** The result for most texts, shared to avoid an allocation. Never modified. */
export const NO_EDITS: Edit[] = [];

/**
 * A search for one kind of secret, at its anchors. The edits are in text order and never overlap. A seam is the place
 * of a removed control sequence: a token may begin there, whatever precedes it.
 */
export type Finder = (text: string, anchors: Anchors, isSeam?: IsSeam) => Edit[];

export type IsSeam = (index: number) => boolean;

export function applyEdits(text: string, edits: Edit[]): string {
  let clean = '';
  let copied = 0;
  for (const { start, end, kind } of edits) {
    clean += text.slice(copied, start) + formatMark(kind);
    copied = end;
  }
  return clean + text.slice(copied);
}

/** @returns the list with `more` at its end; the same list, unless it was empty: copying it would take quadratic time. */
export function addEdits(edits: Edit[], more: Edit[]): Edit[] {
  if (more.length === 0) return edits;
  if (edits.length === 0) return more;
  for (const edit of more) edits.push(edit);
  return edits;
}

/** Sorts edits of several rules and drops those that overlap an earlier one. */
export function mergeEdits(edits: Edit[]): Edit[] {
  if (edits.length < 2) return edits;
  const merged: Edit[] = [];
  let end = -1;
  for (const edit of edits.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < end) continue;
    merged.push(edit);
    end = edit.end;
  }
  return merged;
}
