import type { Match } from '../match.ts';
import type { Question } from '../parse-question.ts';
import { documentFeatures } from './document.ts';
import { FEATURES, type Features } from './list.ts';
import { relatedFeature } from './related.ts';
import { sessionFeatures } from './session.ts';
import { speakerFeatures } from './speaker.ts';
import { textFeatures } from './text.ts';
import type { TitledFeatures } from './titled.ts';
import { wordFeatures } from './words.ts';

/** One for each match, in order. */
export function computeFeatures(
  question: Question,
  matches: Match[],
  titledFeatures: TitledFeatures,
): Features[] {
  const byId = new Map(matches.map((match) => [match.doc.id, match]));
  const ofSession = sessionFeatures(question, matches);
  const ofSpeaker = speakerFeatures(question);
  return matches.map((match) => {
    const { doc } = match;
    const previous = doc.previous === null ? undefined : byId.get(doc.previous);
    const next = doc.next === null ? undefined : byId.get(doc.next);
    const values = new Float64Array(FEATURES.length);
    wordFeatures(values, question, match, previous, next);
    relatedFeature(values, question, match);
    ofSession(values, match);
    ofSpeaker(values, match);
    textFeatures(values, question, match);
    documentFeatures(values, question, doc);
    titledFeatures(values, match);
    return values;
  });
}
