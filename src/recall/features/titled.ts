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

/** These features compare a memory with all candidates, so they are prepared for all. */
export function prepareTitledFeatures({ parsed, idf }: Question, matches: Match[]): TitledFeatures {
  const titled = matches.filter(({ doc }) => doc.title !== '');
  const docs = titled.map(({ doc }) => doc);
  const contents = new Map(docs.map((doc) => [doc.id, readContent(doc)]));
  const contentOf = (doc: SearchDoc): Content => contents.get(doc.id) ?? readContent(doc);
  const inFields = countInFields(docs);
  const joined = findJoinedNames(parsed, idf);
  const grams = compareGrams(parsed.terms, docs);
  const pairs = comparePairs(parsed.terms, contents.values());
  const total = sumOf(idf) || 1;
  const fieldsOf = (match: Match) =>
    inFields(match).reduce((sum, value, index) => sum + value * (idf[index] ?? 0), 0);
  const ranked = titled
    .map((match) => {
      const content = contentOf(match.doc);
      const score = fieldsOf(match) / total + BESIDE_FIELDS * (grams(match.doc) + pairs(content));
      return { content, score, doc: match.doc };
    })
    .sort((a, b) => b.score - a.score || b.doc.at - a.doc.at || b.doc.id - a.doc.id);
  const feedback = learnFromBest(parsed.terms, ranked);

  return (values, match) => {
    const { doc, counts } = match;
    if (doc.title === '') return;
    const content = contentOf(doc);
    const fields = fieldsOf(match);
    values[FEATURE_INDEX.fields] = fields / 10;
    values[FEATURE_INDEX.fieldShare] = fields / total;
    values[FEATURE_INDEX.names] =
      counts.reduce((sum, { names }, index) => sum + (names > 0 ? (idf[index] ?? 0) : 0), 0) / total;
    values[FEATURE_INDEX.titleFit] =
      sumOf(counts.map(({ title }) => title)) / Math.max(content.title.length, 1);
    values[FEATURE_INDEX.joined] = joined(doc) / total;
    values[FEATURE_INDEX.pairs] = pairs(content);
    values[FEATURE_INDEX.grams] = grams(doc);
    values[FEATURE_INDEX.feedback] = feedback(content);
  };
}

function sumOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
