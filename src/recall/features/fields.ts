import { findEndOfNames } from '../../indexing/header.ts';
import type { SearchDoc } from '../../store/types/search.ts';
import type { FieldCounts, Match } from '../match.ts';

/** BM25F: each field has its weight and its own normalisation by length. */
const FIELDS: Record<keyof FieldCounts, { weight: number; b: number }> = {
  title: { weight: 2, b: 0.5 },
  body: { weight: 1, b: 0.6 },
  names: { weight: 2, b: 0.6 },
  others: { weight: 1, b: 0.6 },
};
const NAMES = Object.keys(FIELDS) as (keyof FieldCounts)[];
const K1 = 1.2;

/** @returns for a match of one of these documents, or of one like them, the saturated count of each term: from 0 to 1. */
export function countInFields(docs: SearchDoc[]): (match: Match) => number[] {
  const averages = { title: 0, body: 0, names: 0, others: 0 };
  for (const doc of docs) {
    const lengths = measureFields(doc);
    for (const name of NAMES) averages[name] += lengths[name] / docs.length;
  }
  return ({ doc, counts }) => {
    const lengths = measureFields(doc);
    const unit = (name: keyof FieldCounts) => {
      const { weight, b } = FIELDS[name];
      return weight / (1 - b + (b * lengths[name]) / Math.max(averages[name], 1));
    };
    const units = { title: unit('title'), body: unit('body'), names: unit('names'), others: unit('others') };
    return counts.map(({ title, body, names, others }) => {
      const times = title * units.title + body * units.body + names * units.names + others * units.others;
      return times / (times + K1);
    });
  };
}

/** In characters: counting words takes longer and says the same. */
function measureFields({ title, body, header }: SearchDoc): FieldCounts {
  const names = findEndOfNames(header);
  return { title: title.length, body: body.length, names, others: header.length - names };
}
