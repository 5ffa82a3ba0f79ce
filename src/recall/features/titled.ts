import type { SearchDoc } from '../../store/types/search.ts';
import type { Match } from '../match.ts';
import type { Question } from '../parse-question.ts';
import { type Content, readContent } from './content.ts';
import { learnFromBest } from './feedback.ts';
import { countInFields } from './fields.ts';
import { compareGrams } from './grams.ts';
import { findJoinedNames } from './joined.ts';
import { FEATURE_INDEX, type Features } from './list.ts';
import { comparePairs } from './pairs.ts';

/** Sets the features of a memory with a title; others have none of them. */
export type TitledFeatures = (values: Features, match: Match) => void;

/** Weight of pairs and grams in the order that feedback starts from. */
const BESIDE_FIELDS = 0.3;

/**
 * These features compare a memory with other candidates, so they are prepared for all.
 * @param most the number of best ones, by fields, whose texts are compared; the others have little of the question
 */
export function prepareTitledFeatures(
  { parsed, idf }: Question,
  matches: Match[],
  most: number,
): TitledFeatures {
  const titled = matches.filter(({ doc }) => doc.title !== '');
  const inFields = countInFields(titled.map(({ doc }) => doc));
  const joined = findJoinedNames(parsed, idf);
  const total = sumOf(idf) || 1;
  const fieldsOf = (match: Match) =>
    inFields(match).reduce((sum, value, index) => sum + value * (idf[index] ?? 0), 0) / total;
  const best = titled
    .map((match) => ({ match, doc: match.doc, fields: fieldsOf(match) }))
    .sort((a, b) => b.fields - a.fields || b.doc.at - a.doc.at || b.doc.id - a.doc.id);
  const texts = compareTexts(parsed.terms, best.slice(0, most));
  const fieldsById = new Map(best.map(({ doc, fields }) => [doc.id, fields]));

  return (values, match) => {
    const { doc, counts } = match;
    if (doc.title === '') return;
    const fields = fieldsById.get(doc.id) ?? fieldsOf(match);
    values[FEATURE_INDEX.fields] = (fields * total) / 10;
    values[FEATURE_INDEX.fieldShare] = fields;
    values[FEATURE_INDEX.names] =
      counts.reduce((sum, { names }, index) => sum + (names > 0 ? (idf[index] ?? 0) : 0), 0) / total;
    const compared = texts.get(doc.id);
    if (!compared) return;
    const { content, pairs, grams, feedback } = compared;
    values[FEATURE_INDEX.joined] = joined(doc) / total;
    values[FEATURE_INDEX.titleFit] =
      sumOf(counts.map(({ title }) => title)) / Math.max(content.title.length, 1);
    values[FEATURE_INDEX.pairs] = pairs;
    values[FEATURE_INDEX.grams] = grams;
    values[FEATURE_INDEX.feedback] = feedback;
  };
}

interface ComparedText {
  content: Content;
  pairs: number;
  grams: number;
  feedback: number;
}

function compareTexts(
  terms: string[],
  best: { doc: SearchDoc; fields: number }[],
): Map<number, ComparedText> {
  const read = best.map(({ doc, fields }) => ({ doc, fields, content: readContent(doc) }));
  const countGrams = compareGrams(
    terms,
    best.map(({ doc }) => doc),
  );
  const countPairs = comparePairs(
    terms,
    read.map(({ content }) => content),
  );
  const ranked = read
    .map(({ doc, fields, content }) => {
      const [grams, pairs] = [countGrams(doc), countPairs(content)];
      return { doc, content, grams, pairs, score: fields + BESIDE_FIELDS * (grams + pairs) };
    })
    .sort((a, b) => b.score - a.score || b.doc.at - a.doc.at || b.doc.id - a.doc.id);
  const feedback = learnFromBest(terms, ranked);
  return new Map(
    ranked.map(({ doc, content, grams, pairs }) => [
      doc.id,
      { content, grams, pairs, feedback: feedback(content) },
    ]),
  );
}

function sumOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
