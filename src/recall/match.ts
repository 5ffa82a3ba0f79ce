import { findEndOfNames } from '../indexing/header.ts';
import type { SearchDoc } from '../store/types/search.ts';

/** How often a term occurs in each field. */
export interface FieldCounts {
  title: number;
  body: number;
  /** In the header: aliases, concepts, symbols. */
  names: number;
  /** In the header: files, branch, type, author. */
  others: number;
}

/** The question's words in a document; every list has an entry per term. */
export interface Match {
  doc: SearchDoc;
  /** Saturated counts as in BM25: from 0 to SATURATION. */
  own: number[];
  counts: FieldCounts[];
  inTitle: boolean[];
  inHeader: boolean[];
  /** Its first position in the text, or -1. */
  place: number[];
  /** The term is missing, but a word with the same prefix is there. */
  alike: boolean[];
}

const K1 = 1.2;
/** Memories and prompts differ much in length: more normalisation than usual. */
const B = 0.9;
export const SATURATION = K1 + 1;
const TITLE_COUNTS = 2;
const HEADER_COUNTS = 0.5;

export function matchDoc(doc: SearchDoc, terms: string[], averageWords: number): Match {
  const match: Match = { doc, own: [], counts: [], inTitle: [], inHeader: [], place: [], alike: [] };
  const norm = K1 * (1 - B + (B * doc.words) / Math.max(averageWords, 1));
  const endOfNames = findEndOfNames(doc.header);
  for (const term of terms) {
    const word = ` ${term} `;
    const inTitle = count(doc.title, word);
    const place = doc.body.indexOf(word);
    const inBody = place < 0 ? 0 : 1 + count(doc.body, word, place + word.length - 1);
    const firstInHeader = doc.header.indexOf(word);
    const inHeader = firstInHeader >= 0;
    const times = inTitle * TITLE_COUNTS + inBody || (inHeader ? HEADER_COUNTS : 0);
    const names = inHeader && firstInHeader < endOfNames ? count(doc.header, word, 0, endOfNames) : 0;
    const others = inHeader ? count(doc.header, word, Math.max(endOfNames, firstInHeader)) : 0;
    match.counts.push({ title: inTitle, body: inBody, names, others });
    match.own.push(times === 0 ? 0 : (times * SATURATION) / (times + norm));
    match.inTitle.push(inTitle > 0);
    match.inHeader.push(inHeader);
    match.place.push(place);
    match.alike.push(times === 0 && hasSimilarWord(doc, term));
  }
  return match;
}

function count(text: string, word: string, from = 0, to = text.length): number {
  let times = 0;
  for (let at = text.indexOf(word, from); at >= 0 && at < to; at = text.indexOf(word, at + word.length - 1))
    times++;
  return times;
}

const BEGINNING = 5;

/** photograph and photographer, decide and decided: similar enough to count a little. */
function hasSimilarWord(doc: SearchDoc, term: string): boolean {
  if (term.length <= BEGINNING || !/^[a-z]+$/.test(term)) return false;
  const beginning = ` ${term.slice(0, Math.max(BEGINNING, term.length - 2))}`;
  for (const text of [doc.title, doc.body]) {
    for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
      const length = text.indexOf(' ', at + 1) - at - 1;
      if (Math.abs(length - term.length) <= 4) return true;
    }
  }
  return false;
}
