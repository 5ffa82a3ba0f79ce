import type { Distilled, Observation } from '../../model/memory.ts';
import { measureOverlap, SAME_MEMORY } from '../../model/same-memory.ts';
import { wordsIn } from '../../model/wording.ts';
import type { KeptSentence } from '../offline/rating/rated-sentence.ts';
import { headingFrom } from '../offline/text/title.ts';

/** A claim with this score may not be lost; the rules keep a sentence from 1 on. */
export const LASTING_SCORE = 3.5;
const MOST_ADDED = 5;
/** Of a claim's words, how many an observation must have to say it in words of its own. */
const SAME_SHARE = 0.5;
/** So many names and numbers, all of them in one observation, say it in any language. */
const FEWEST_NAMES = 2;

/**
 * A model may leave out what it takes for unimportant. A claim with a high score that none of its observations says is
 * added back, as the rules had stored it.
 */
export function keepWeightySentences(
  answer: Distilled,
  offline: Distilled,
  claims: KeptSentence[],
): Distilled {
  const said = answer.observations.map((observation) => new Set(wordsIn(textOf(observation))));
  const lost = claims
    .filter(({ score, statement }) => score >= LASTING_SCORE && !said.some((words) => says(words, statement)))
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_ADDED)
    .map(({ statement }) => statement);
  if (lost.length === 0) return answer;
  const isSaid = (text: string) => said.some((words) => says(words, text));
  const added = offline.observations.flatMap((observation) => reduce(observation, lost, isSaid) ?? []);
  return { ...answer, observations: [...answer.observations, ...added] };
}

/** The observation with the lost claims only; null if it has none of them. */
function reduce(
  observation: Observation,
  lost: string[],
  isSaid: (text: string) => boolean,
): Observation | null {
  const facts = observation.facts.filter((fact) => lost.some((claim) => isSame(fact, claim)));
  const titleWords = new Set(wordsIn(observation.title));
  const isTitleLost = !isSaid(observation.title) && lost.some((claim) => holds(wordsIn(claim), titleWords));
  if (isTitleLost) return { ...observation, facts };
  const [first] = facts;
  return first === undefined
    ? null
    : { ...observation, title: headingFrom(first) || first, subtitle: '', facts };
}

function isSame(fact: string, claim: string): boolean {
  return measureOverlap(new Set(wordsIn(fact)), new Set(wordsIn(claim))) >= SAME_MEMORY;
}

function says(words: Set<string>, claim: string): boolean {
  const own = [...new Set(wordsIn(claim))].filter((word) => word.length > 2 || /\d|\p{Lo}/u.test(word));
  const shared = own.filter((word) => words.has(word)).length;
  if (own.length > 0 && shared / own.length >= SAME_SHARE) return true;
  const names = own.filter((word) => /\d|[._/@-]/.test(word));
  return names.length >= FEWEST_NAMES && names.every((name) => words.has(name));
}

/** A title is a short form of a claim: all its words are in it. */
function holds(claim: string[], title: Set<string>): boolean {
  const words = new Set(claim);
  return title.size > 0 && [...title].every((word) => words.has(word));
}

function textOf({ title, subtitle, narrative, facts }: Observation): string {
  return [title, subtitle, narrative, ...facts].join('\n');
}
