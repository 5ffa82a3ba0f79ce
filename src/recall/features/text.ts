import { parseRole } from '../../indexing/role.ts';
import type { Match } from '../match.ts';
import type { Question } from '../parse-question.ts';
import { FEATURE_INDEX, type Features } from './list.ts';

/**
 * Between people longer turns say more. With an agent, the longest turns are its replies, and a person often states in
 * one sentence what matters later: there, every turn counts as this long.
 */
const USUAL_TURN = 40;

/** Features of a text independent of its subject: a question is not an answer, and "when" needs a time. */
export function textFeatures(values: Features, { parsed }: Question, { doc, own }: Match): void {
  const matched = own.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
  values[FEATURE_INDEX.asksIt] = (doc.asks * matched) / Math.max(own.length, 1);
  const words = doc.title === '' && isTurnWithAgent(doc) ? USUAL_TURN : doc.words;
  values[FEATURE_INDEX.length] = Math.log(1 + Math.min(words, 200)) / 4;
  if (doc.words < 5) values[FEATURE_INDEX.tiny] = 1;
  for (const mention of parsed.wants) if (doc.mentions.includes(mention)) values[FEATURE_INDEX[mention]] = 1;
}

function isTurnWithAgent({ saidBy }: Match['doc']): boolean {
  const role = parseRole(saidBy);
  return role === 'person' || role === 'agent';
}
