import type { PromptKind } from './cues.ts';
import type { ClaimMatch, MatchedClaims } from './match-claims.ts';
import { type ClaimSignals, sum } from './signals.ts';

/** What a claim is worth for a prompt, as a linear sum. Learnt by bench/follow-ups/calibrate.mjs. */
const ORDER: ClaimSignals = {
  own: 2.78,
  header: 0.48,
  request: 0.89,
  siblings: 0.01,
  session: 0.79,
  related: 1.2,
  named: 0.5,
  words: 1.76,
  length: 0.6,
  cause: 0.38,
  rule: 0.74,
  leave: 0.96,
  trouble: 0.18,
  preference: 0.61,
  gotcha: 0.17,
  decision: -0.06,
  summary: -0.17,
  change: -0.28,
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
  constant: -2.57,
  own: 1.96,
  header: 1.66,
  request: 2.97,
  siblings: 0.59,
  session: 1.55,
  related: 1.29,
  named: 0.16,
  words: 1.71,
  about: -0.46,
  together: 0.2,
  three: 1.74,
  worth: -0.1,
  asks: 1.17,
  leave: 2.97,
  trouble: 0.33,
  work: -2.2,
  past: 2.96,
  size: -0.64,
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
