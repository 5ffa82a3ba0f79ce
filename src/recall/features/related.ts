import type { SearchDoc } from '../../store/types/search.ts';
import type { Match } from '../match.ts';
import type { Question, RelatedTerm } from '../parse-question.ts';
import { FEATURE_INDEX, type Features } from './list.ts';

/** Another word for the same in the text counts less than in the title. */
const IN_TEXT = 0.7;

/** How much of the question a document has in other words only. */
export function relatedFeature(values: Features, { idf, related }: Question, { doc, own }: Match): void {
  const total = idf.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return;
  const found = related.reduce((sum, list, index) => {
    const other = own[index] ? undefined : findRelatedIn(list, doc);
    if (!other) return sum;
    const isInTitle = other.terms.some((term) => doc.title.includes(` ${term} `));
    return sum + Math.min(idf[index] ?? 0, other.idf) * (isInTitle ? 1 : IN_TEXT);
  }, 0);
  values[FEATURE_INDEX.related] = found / total;
}

/** Of other words for the same, the rarest that the document has. */
export function findRelatedIn(list: RelatedTerm[], doc: SearchDoc): RelatedTerm | undefined {
  let best: RelatedTerm | undefined;
  for (const other of list)
    if (other.idf > (best?.idf ?? 0) && other.terms.every((term) => hasTerm(doc, term))) best = other;
  return best;
}

function hasTerm({ title, body, header }: SearchDoc, term: string): boolean {
  const word = ` ${term} `;
  return title.includes(word) || body.includes(word) || header.includes(word);
}
