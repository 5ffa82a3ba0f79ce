import type { ClaimSignals } from './signals.ts';

/**
 * From the signals of the best claim to the likelihood that a prompt is answered by what is given with it, as a logistic
 * sum. Learnt by bench/follow-ups/calibrate.mjs.
 */
const CALIBRATION = {
  constant: -4.68,
  own: 3.84,
  header: 0.5,
  request: 1.2,
  siblings: 1.88,
  named: 1.03,
  /** A single word may be there by accident, four seldom are. */
  words: 2.24,
  /** How much of the prompt the project knows at all. */
  about: 1.41,
  /** A question wants knowledge; a task mostly wants work. */
  asks: 2.89,
  /** Among more claims more are met by accident. */
  size: -0.87,
};
/** The size that counts as none. */
const SMALL = 50;

export interface PromptTraits {
  asks: boolean;
  /** How many claims and headers there are to choose from. */
  docs: number;
}

export function estimateLikelihood(signals: ClaimSignals, { asks, docs }: PromptTraits): number {
  let sum = CALIBRATION.constant + CALIBRATION.size * Math.log(Math.max(1, docs) / SMALL);
  if (asks) sum += CALIBRATION.asks;
  for (const [name, value] of Object.entries(signals)) sum += CALIBRATION[name as keyof ClaimSignals] * value;
  return 1 / (1 + Math.exp(-sum));
}

/** What claims are put in order by: rules, traps and decisions answer more questions than changes do. */
const ORDER = { own: 1, header: 0.3, request: 0.3, siblings: 0.2 };
const TYPES: Record<string, number> = {
  preference: 1,
  note: 1,
  gotcha: 0.8,
  decision: 0.8,
  'how-it-works': 0.6,
  bugfix: 0.5,
  discovery: 0.5,
  summary: 0.2,
  feature: 0.2,
  refactor: 0.2,
};

/** How strongly a claim is meant by the words of a prompt alone. */
export function strengthOf({ own, header, request, siblings }: ClaimSignals): number {
  return ORDER.own * own + ORDER.header * header + ORDER.request * request + ORDER.siblings * siblings;
}

/** What its type adds, where few claims are left to choose from: there the words alone choose badly. */
export function typeStrength(type: string, docs: number): number {
  return (TYPES[type] ?? 0) * (docs < MANY_DOCS ? 0.6 : 0.3);
}

const MANY_DOCS = 200;
