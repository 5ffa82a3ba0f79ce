import type { PromptKind } from './cues.ts';
import type { ClaimMatch, MatchedClaims } from './match-claims.ts';
import { type ClaimSignals, sum } from './signals.ts';

/** What a claim is worth for a prompt, as a linear sum. Learnt by bench/follow-ups/calibrate.mjs. */
const ORDER: ClaimSignals = {
  own: 1.44,
  header: 0.45,
  request: 0.63,
  siblings: 0.66,
  session: 0.72,
  related: 0.72,
  ownRoot: 1.85,
  headerRoot: 0.37,
  requestRoot: 0.59,
  relatedRoot: 0.69,
  named: 0.32,
  words: 1.15,
  length: 0.7,
  cause: 0.36,
  rule: 0.64,
  leave: 1.06,
  trouble: 0.19,
  preference: 0.76,
  gotcha: 0.13,
  decision: -0.18,
  summary: -0.21,
  change: -0.07,
  late: 0.34,
  amount: 0.5,
};

const ORDER_NAMES = Object.keys(ORDER) as (keyof ClaimSignals)[];

export function worthOf(signals: ClaimSignals): number {
  let total = 0;
  for (const name of ORDER_NAMES) total += ORDER[name] * signals[name];
  return total;
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
  constant: -2.62,
  own: 1.86,
  header: 1.68,
  request: 1.94,
  siblings: -0.46,
  session: 1,
  related: 0.99,
  named: 0.27,
  words: 2.06,
  about: 0.17,
  together: 0.77,
  three: 1.71,
  worth: -0.2,
  asks: 1.07,
  leave: 3,
  trouble: 0.68,
  work: -2.34,
  past: 2.8,
  size: -0.58,
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
