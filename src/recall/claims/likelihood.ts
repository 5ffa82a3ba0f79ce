import type { PromptKind } from './cues.ts';
import type { ClaimMatch, MatchedClaims } from './match-claims.ts';
import { type ClaimSignals, sum } from './signals.ts';

/** What a claim is worth for a prompt, as a linear sum. Learnt by bench/follow-ups/calibrate.mjs. */
const ORDER: ClaimSignals = {
  own: 2.63,
  header: 0.42,
  request: 0.9,
  siblings: 0.53,
  session: 0.79,
  related: 0.94,
  named: 0.44,
  words: 1.67,
  length: 0.84,
  cause: 0.47,
  rule: 0.56,
  leave: 0.97,
  trouble: 0.17,
  preference: 0.64,
  gotcha: 0.2,
  decision: -0.02,
  summary: -0.07,
  change: -0.12,
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
  constant: -2.36,
  own: 1.79,
  header: 1.81,
  request: 1.97,
  siblings: 1.43,
  session: 1.31,
  related: 0.69,
  named: 0.26,
  words: 1.77,
  about: -0.72,
  together: 0.22,
  three: 1.78,
  worth: -0.13,
  asks: 1.16,
  leave: 2.9,
  trouble: 0.48,
  work: -2.26,
  past: 3.26,
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
