import { parseQuery } from './parse-query.ts';
import { parseQuestion } from './parse-question.ts';

/** The terms that a search looks for, to find them in the text of a hit. Operators are not words. */
export function readQueryTerms(text: string, now: number): Set<string> {
  return new Set(parseQuestion(parseQuery(text, now).words, now).terms);
}
