import { type Match, SATURATION } from '../match.ts';
import type { Question } from '../parse-question.ts';
import { FEATURE_INDEX, type Features } from './list.ts';

/** How well the session of a document matches: its best document, and all of them together. */
export function sessionFeatures(
  { idf }: Question,
  matches: Match[],
): (values: Features, match: Match) => void {
  const sessions = new Map<number, { score: number; terms: boolean[] }>();
  for (const match of matches) {
    const session = sessions.get(sessionOf(match)) ?? { score: 0, terms: idf.map(() => false) };
    sessions.set(sessionOf(match), session);
    let score = 0;
    match.own.forEach((value, index) => {
      if (value === 0) return;
      score += value * (idf[index] ?? 0);
      session.terms[index] = true;
    });
    session.score = Math.max(session.score, score);
  }
  const total = idf.reduce((sum, weight) => sum + weight, 0) || 1;
  const found = new Map(
    [...sessions].map(([id, { terms }]) => [
      id,
      terms.reduce((sum, is, at) => sum + (is ? (idf[at] ?? 0) : 0), 0),
    ]),
  );
  return (values, match) => {
    const id = sessionOf(match);
    values[FEATURE_INDEX.session] = (sessions.get(id)?.score ?? 0) / total / SATURATION;
    values[FEATURE_INDEX.sessionOwn] = (found.get(id) ?? 0) / total;
  };
}

/** A document without a session is its own session. */
function sessionOf({ doc }: Match): number {
  return doc.sessionId ?? -doc.id;
}
