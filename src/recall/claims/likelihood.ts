import type { ScorePart } from '../../model/score-part.ts';
import type { PromptKind } from './cues.ts';
import type { ClaimMatch, MatchedClaims } from './match-claims.ts';
import { type ClaimSignals, sum } from './signals.ts';

/** What a claim is worth for a prompt, as a linear sum. Learnt by bench/follow-ups/calibrate.mjs. */
const ORDER: ClaimSignals = {
  own: 1.5,
  header: 0.51,
  request: 0.64,
  siblings: 0.73,
  session: 0.78,
  related: 0.73,
  ownRoot: 1.77,
  headerRoot: 0.42,
  requestRoot: 0.56,
  relatedRoot: 0.66,
  named: 0.39,
  words: 1.09,
  length: 0.66,
  cause: 0.43,
  rule: 0.6,
  leave: 0.99,
  trouble: 0.17,
  preference: 0.72,
  gotcha: 0.12,
  decision: -0.13,
  summary: -0.12,
  change: 0.01,
  amount: 0.47,
};

const ORDER_NAMES = Object.keys(ORDER) as (keyof ClaimSignals)[];

export function worthOf(signals: ClaimSignals): number {
  let total = 0;
  for (const name of ORDER_NAMES) total += ORDER[name] * signals[name];
  return total;
}

/** What the signals of one kind add up to is one part. */
const PARTS: Record<string, (keyof ClaimSignals)[]> = {
  'has words of the prompt': ['own', 'ownRoot', 'words', 'named'],
  'title, files or names have them': ['header', 'headerRoot'],
  'its turn was asked about this': ['request', 'requestRoot'],
  'other sentences of the memory have them': ['siblings'],
  'its session is about this': ['session'],
  'uses other words for this': ['related', 'relatedRoot'],
  'answers the kind of prompt': ['leave', 'trouble', 'amount', 'cause', 'rule'],
  'type of memory': ['preference', 'gotcha', 'decision', 'summary', 'change'],
  'length of the sentence': ['length'],
};

/** The worth of a claim in parts, the largest first. */
export function listWorth(signals: ClaimSignals): ScorePart[] {
  return Object.entries(PARTS)
    .map(([name, of]) => ({
      name,
      points: of.reduce((sum, signal) => sum + ORDER[signal] * signals[signal], 0),
    }))
    .filter(({ points }) => Math.abs(points) >= 0.01)
    .sort((one, other) => Math.abs(other.points) - Math.abs(one.points));
}

/** What tells whether a prompt is answered by the best claims. */
export interface PromptSignals {
  /** Of the best claim. */
  own: number;
  header: number;
  request: number;
  siblings: number;
  session: number;
  related: number;
  named: number;
  words: number;
  /** How much of the prompt the project knows at all. */
  about: number;
  /** The same for the session that knows most of it: words of one topic are found together. */
  together: number;
  /** Words in the best three claims, on average. */
  three: number;
  /** What the best claim is worth. */
  worth: number;
  /** A question wants knowledge; a task mostly wants work. */
  asks: number;
  leave: number;
  trouble: number;
  work: number;
  past: number;
  /** Among more claims more are met by accident. */
  size: number;
}

/** From these to a likelihood, as a logistic sum. Learnt by the same script. */
const LIKELIHOOD: PromptSignals & { constant: number } = {
  constant: -2.64,
  own: 1.6,
  header: 1.38,
  request: 1.71,
  siblings: -0.12,
  session: 1.24,
  related: 0.69,
  named: 0.18,
  words: 1.61,
  about: -0.29,
  together: 0.62,
  three: 1.66,
  worth: -0.08,
  asks: 1.02,
  leave: 2.83,
  trouble: 0.7,
  work: -2.34,
  past: 2.75,
  size: -0.5,
};
/** The size that counts as none. */
const SMALL = 50;

export interface RatedClaim {
  match: ClaimMatch;
  signals: ClaimSignals;
  worth: number;
}

export interface PromptTraits {
  asks: boolean;
  kind: PromptKind;
  /** How many claims and headers there are to choose from. */
  docs: number;
}

/** @param rated the best first; at least one. */
export function measurePrompt(
  rated: [RatedClaim, ...RatedClaim[]],
  { weights, known }: Pick<MatchedClaims, 'weights' | 'known'>,
  { asks, kind, docs }: PromptTraits,
): PromptSignals {
  const all = sum(weights);
  const share = (list: number[]) => (all > 0 ? sum(list) / all : 0);
  const [best] = rated;
  const { own, header, request, siblings, session, related, named, words } = best.signals;
  return {
    ...{ own, header, request, siblings, session, related, named, words },
    about: share(known),
    together: rated.reduce((most, { match }) => Math.max(most, share(match.session)), 0),
    three: sum(rated.slice(0, 3).map(({ signals }) => signals.own)) / 3,
    worth: best.worth,
    asks: Number(asks),
    leave: Number(kind.asksLeave),
    trouble: Number(kind.reportsTrouble),
    work: Number(kind.ordersWork),
    past: Number(kind.recallsPast),
    size: Math.log(Math.max(1, docs) / SMALL),
  };
}

export function estimateLikelihood(signals: PromptSignals): number {
  let total = LIKELIHOOD.constant;
  for (const [name, value] of Object.entries(signals))
    total += LIKELIHOOD[name as keyof PromptSignals] * value;
  return 1 / (1 + Math.exp(-total));
}
