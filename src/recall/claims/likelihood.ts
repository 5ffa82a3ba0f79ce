import type { ScorePart } from '../../model/score-part.ts';
import type { PromptWord } from '../prompt-words.ts';
import type { ClaimMatch } from './match-claims.ts';
import type { PromptKind } from './prompt-kind.ts';
import { type ClaimSignals, sum } from './signals.ts';
import { isEveryday } from './word-weight.ts';

/** What a claim is worth for a prompt, as a linear sum. Learnt by bench/follow-ups/calibrate.mjs. */
const ORDER: ClaimSignals = {
  own: 3.26,
  header: 0.76,
  around: 1.97,
  related: 1.93,
  words: 3.13,
  named: 1.21,
  length: 2.02,
  cause: 0.14,
  rule: 0.53,
  leave: 0.96,
  trouble: 0.78,
  amount: 1.19,
  preference: 0.92,
  change: -0.32,
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
  'has other words for the same': ['related'],
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
  related: number;
  words: number;
  named: number;
  /** The share of the prompt's telling words that nothing in the project has, in whatever words. */
  unknown: number;
  /** Words in the best three claims, on average. */
  three: number;
  /** A question wants knowledge; a task mostly wants work. */
  asks: number;
  leave: number;
  reason: number;
  how: number;
  difference: number;
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
  constant: -1.54,
  own: 1.53,
  around: 1.52,
  related: 1.1,
  unknown: -1.06,
  words: 2.16,
  named: 0.54,
  three: 2.1,
  asks: 0.1,
  leave: 2.78,
  reason: -0.62,
  how: -2.51,
  difference: -0.7,
  agent: -1.74,
  trouble: 0.49,
  work: -2.15,
  past: 2.16,
  states: 0.38,
  size: -0.49,
};
/** The size that counts as none. */
const SMALL = 50;

export interface RatedClaim {
  match: ClaimMatch;
  signals: ClaimSignals;
  worth: number;
}

export interface PromptTraits {
  words: PromptWord[];
  asks: boolean;
  kind: PromptKind;
  /** How many claims and headers there are to choose from. */
  docs: number;
}

/** @param rated the best first; at least one. */
export function measurePrompt(
  rated: [RatedClaim, ...RatedClaim[]],
  { asks, kind, docs, words }: PromptTraits,
): PromptSignals {
  const { own, around, related, named } = rated[0].signals;
  const { asksLeave, asksReason, asksAgent, reportsTrouble, ordersWork, recallsPast } = kind;
  const tells = [asks, asksLeave, asksReason, asksAgent, reportsTrouble, ordersWork, recallsPast];
  return {
    ...{ own, around, related, words: rated[0].signals.words, named },
    unknown: measureUnknown(rated, words),
    three: sum(rated.slice(0, 3).map(({ signals }) => signals.own)) / 3,
    asks: Number(asks),
    leave: Number(asksLeave),
    reason: Number(asksReason),
    how: Number(kind.asksHow),
    difference: Number(kind.asksDifference),
    agent: Number(asksAgent),
    trouble: Number(reportsTrouble),
    work: Number(ordersWork),
    past: Number(recallsPast),
    states: Number(!tells.includes(true)),
    size: Math.log(Math.max(1, docs) / SMALL),
  };
}

function measureUnknown(rated: RatedClaim[], words: PromptWord[]): number {
  const telling = [...words.keys()].filter((at) => words[at] && !isEveryday(words[at]));
  if (telling.length === 0) return 0;
  const isKnown = (at: number) =>
    rated.some(({ match: { own, header, request, related } }) =>
      [own, header, request, related].some((list) => (list[at] ?? 0) > 0),
    );
  return telling.filter((at) => !isKnown(at)).length / telling.length;
}

export function estimateLikelihood(signals: PromptSignals): number {
  let total = LIKELIHOOD.constant;
  for (const [name, value] of Object.entries(signals))
    total += LIKELIHOOD[name as keyof PromptSignals] * value;
  return 1 / (1 + Math.exp(-total));
}
