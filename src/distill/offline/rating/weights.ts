/**
 * How much each feature of a sentence counts. A sentence is kept from `KEEP_FROM` on; without any feature it has the
 * weight of its source. bench/claims prints what each of them does.
 */
export const WEIGHTS = {
  // Where it comes from.
  person: 0,
  answer: 2,
  plan: 0,
  between: -0.6,
  report: 0.4,
  compaction: 0,
  commit: 0.9,
  closing: 0.5,

  // What it says.
  cause: 1.4,
  reason: 0,
  contrast: 1.5,
  but: 0.4,
  obligation: 0.7,
  condition: 0.8,
  negation: 0.5,
  choice: 1.0,
  refutation: 1.4,
  standing: 0,
  deed: 0.3,
  open: 0.8,
  guess: -0.8,
  /** A guess before the calls that look into it. */
  hypothesis: -2.5,
  /** Of code, files, errors: for the first, and for each further one up to three. */
  named: 0.9,
  moreNames: 0.35,
  number: 0.6,
  /** A number with a unit, or one number against another. */
  measured: 0.7,
  error: 0.7,

  // How it is said.
  inList: 0.3,
  /** In a list of what is left to do. */
  underNext: 1.9,
  /** Another value than the agent's. */
  correctsAgent: 2,
  /** An order that the calls of this turn have carried out. */
  carriedOut: -1,
  afterFailure: 0.5,
  /** Between two calls of a turn that was stopped: no closing words say it again. */
  neverClosed: 0.5,
  /** What follows a cause in its paragraph is mostly the remedy. */
  afterCause: 0.6,
  answersQuestion: 0.6,
  /** After the last call but before the end nothing is announced any more. */
  beforeCall: -1.1,
  atEnd: -0.6,
  /** The last sentences, where they name nothing and give no reason. */
  ending: -1.5,
  short: -1,
  tiny: -1.5,
  /** Ten words and more, and fourteen. */
  medium: 0.3,
  long: 0.7,
  restatesRequest: -0.8,

  // Noise.
  offer: -4,
  question: -3.5,
  intention: -1.7,
  outcome: -1.6,
  courtesy: -3,
  cheer: -2,
  filesOnly: -1.5,
} as const;

/** Of a sentence that the person typed: signs for the table of prompt kinds, which weighs them. */
export const PROMPT_FEATURES = [
  'personRule',
  'personMust',
  'personTells',
  'personTwofold',
  'correction',
  'answersAgent',
  'wish',
  'bare',
  'request',
] as const;

export type SentenceFeature = keyof typeof WEIGHTS | (typeof PROMPT_FEATURES)[number];

export const KEEP_FROM = 1;
/** … if the agent reports it at the end, with a name or a number. */
export const KEEP_REPORTED_FROM = 0.4;
/** Added to the odds of a sentence of the person: few are worth keeping. */
export const PROMPT_BIAS = 0.8;
