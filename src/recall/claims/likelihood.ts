import type { ScorePart } from '../../model/score-part.ts';
import type { ClaimMatch } from './match-claims.ts';
import type { PromptKind } from './prompt-kind.ts';
import { type ClaimSignals, sum } from './signals.ts';

/** What a claim is worth for a prompt, as a linear sum. Learnt by bench/follow-ups/calibrate.mjs. */
const ORDER: ClaimSignals = {
  own: 3.32,
  header: 0.71,
  around: 1.89,
  words: 3.12,
  named: 1.15,
  length: 1.71,
  cause: 0.21,
  rule: 0.53,
  leave: 1.02,
  trouble: 0.96,
  amount: 1.05,
  preference: 0.74,
  change: -0.33,
};

const ORDER_NAMES = Object.keys(ORDER) as (keyof ClaimSignals)[];

export function worthOf(signals: ClaimSignals): number {
  let total = 0;
  for (const name of ORDER_NAMES) total += ORDER[name] * signals[name];
  return total;
}

/** What the signals of one kind add up to is one part. */
const PARTS: Record<string, (keyof ClaimSignals)[]> = {
  'has words of the prompt': ['own', 'words', 'named'],
  'title, files or names have them': ['header'],
  'what is around it has them': ['around'],
  'answers the kind of prompt': ['leave', 'trouble', 'amount', 'cause', 'rule'],
  'type of memory': ['preference', 'change'],
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
  around: number;
  words: number;
  named: number;
  /** Words in the best three claims, on average. */
  three: number;
  /** A question wants knowledge; a task mostly wants work. */
  asks: number;
  leave: number;
  reason: number;
  how: number;
  agent: number;
  trouble: number;
  work: number;
  past: number;
  /** It only says how something is: mostly what is to be worked on. */
  states: number;
  /** Among more claims more are met by accident. */
  size: number;
}

/** From these to a likelihood, as a logistic sum. Learnt by the same script. */
const LIKELIHOOD: PromptSignals & { constant: number } = {
  constant: -2.24,
  own: 1.84,
  around: 1.8,
  words: 1.97,
  named: 0.94,
  three: 2.18,
  asks: 0,
  leave: 2.72,
  reason: -0.71,
  how: -2.63,
  agent: -2.01,
  trouble: 0.35,
  work: -2.53,
  past: 2.31,
  states: -0.29,
  size: -0.45,
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
  { asks, kind, docs }: PromptTraits,
): PromptSignals {
  const { own, around, words, named } = rated[0].signals;
  const { asksLeave, asksReason, asksAgent, reportsTrouble, ordersWork, recallsPast } = kind;
  const tells = [asks, asksLeave, asksReason, asksAgent, reportsTrouble, ordersWork, recallsPast];
  return {
    ...{ own, around, words, named },
    three: sum(rated.slice(0, 3).map(({ signals }) => signals.own)) / 3,
    asks: Number(asks),
    leave: Number(asksLeave),
    reason: Number(asksReason),
    how: Number(kind.asksHow),
    agent: Number(asksAgent),
    trouble: Number(reportsTrouble),
    work: Number(ordersWork),
    past: Number(recallsPast),
    states: Number(!tells.includes(true)),
    size: Math.log(Math.max(1, docs) / SMALL),
  };
}

export function estimateLikelihood(signals: PromptSignals): number {
  let total = LIKELIHOOD.constant;
  for (const [name, value] of Object.entries(signals))
    total += LIKELIHOOD[name as keyof PromptSignals] * value;
  return 1 / (1 + Math.exp(-total));
}
