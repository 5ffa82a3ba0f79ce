import { clauseBreak } from '../phrases/contrasts.ts';
import type { MarkerTest } from '../phrases/marker.ts';
import { afterDenied, beforeDenied } from '../phrases/negations.ts';
import type { Quantity } from './quantities.ts';

const arrow = /^\s*(?:→|->|=>|auf|to|à|a|на|到|から|에서)\s*$/iu;

/** A part of a sentence, with its place. */
export interface Clause {
  text: string;
  start: number;
}

export function splitClauses(text: string): Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  for (const { index, 0: mark } of text.matchAll(clauseBreak)) {
    clauses.push({ text: text.slice(start, index), start });
    start = index + mark.length;
  }
  clauses.push({ text: text.slice(start), start });
  return clauses.filter((clause) => clause.text.trim() !== '');
}

/** The quantities that a sentence says do not hold, or no longer hold. */
export function findDenied(text: string, quantities: Quantity[]): Quantity[] {
  const clauses = splitClauses(text);
  return quantities.filter((quantity, at) => {
    const clause = clauses.findLast(({ start }) => start <= quantity.index);
    if (!clause) return false;
    const end = quantity.index + quantity.text.length;
    const previous = quantities[at - 1];
    const from = Math.max(clause.start, previous ? previous.index + previous.text.length : 0);
    const next = quantities[at + 1]?.index ?? text.length;
    const rest = text.slice(end, Math.min(next, clause.start + clause.text.length));
    return (
      matches(beforeDenied, text.slice(from, quantity.index)) ||
      matches(afterDenied, rest) ||
      (next < text.length && arrow.test(text.slice(end, next)))
    );
  });
}

function matches(marker: MarkerTest, text: string): boolean {
  return text.trim() !== '' && marker.test(text);
}

const MOST_DENIED = 3;

/** What a clause denies: “not Redis”, “kein Quantum bitte”, “enero no”. */
export function findDeniedWords(text: string, longestClause = Infinity): string[] {
  return splitClauses(text).flatMap((clause) => {
    const words = clause.text.match(/[\p{L}\p{N}_.-]+/gu) ?? [];
    const at = words.length > longestClause ? -1 : words.findIndex((word) => matches(beforeDenied, word));
    if (at < 0) return [];
    const isLast = at === words.length - 1;
    const denied = isLast ? words.slice(-1 - MOST_DENIED, -1) : words.slice(at + 1, at + 1 + MOST_DENIED);
    return denied.map((word) => word.toLowerCase().replace(/[.-]+$/, ''));
  });
}
