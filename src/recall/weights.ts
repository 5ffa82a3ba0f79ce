import type { Feature } from './features/list.ts';

/**
 * The weight of each feature. Trained by bench/recall-training/train.mjs, except those under "by hand", for which
 * there are no data. docs/recall-measurements.md shows their effect.
 */
export const WEIGHTS: Record<Feature, number> = {
  /** The question's words in the document and its neighbours, weighted by rarity. */
  weight: 4.73,
  /** The share of the question in the document. */
  own: 1.5,
  /** The share in the document or its neighbours. */
  around: 2.5,
  /** The share in the document, or in the question that it answers. */
  answers: 2.78,
  /** Words that are adjacent in the question and close together here. */
  together: 2.39,
  /** Missing words with another of the same prefix. */
  alike: 1.6,
  /** The share in the header: files, names, concepts, branch. */
  header: 0.43,

  // Of memories with a title, for which see below.
  ...{ fields: 0, fieldShare: 0, names: 0, titleFit: 0, joined: 0, pairs: 0, grams: 0, feedback: 0 },

  /** The best match of the same session. */
  session: 1.92,
  /** The share anywhere in the same session. */
  sessionOwn: 3.27,

  /** By a speaker whom the question names, or who asks it. */
  said: 1,
  /** By another speaker, although the question names one … */
  saidByOther: -0.86,
  /** … but that one is mentioned in it. */
  addressed: 0.26,
  /** A turn of the agent, unless the question asks what the agent said: replies are long and repeat the person. */
  byAgent: -5,
  /** The person says how something should be done, and the question asks the agent to do or advise something. */
  instructs: 1.2,

  /** It asks the same instead of answering it. */
  asksIt: -1.37,
  /** The logarithm of its length in words: longer documents say more. */
  length: 1.57,
  /** Fewer than five words. */
  tiny: -0.83,
  /** A number, if one was asked for; likewise a time, a name, a cause. */
  number: 1.55,
  time: 1.67,
  name: 2.15,
  cause: 0.27,

  // By hand.
  /** The share of the question that is there in other words only: chosen on the coding set's tuning half. */
  related: 4,
  /** From the time in the question, or the days around it. */
  day: 2,
  /** From today; half of it from three weeks ago. */
  recent: 0.2,
  /** Learned on the current branch, or on another that is not merged. */
  branch: 0.5,
  otherBranch: -0.5,
  /** About a file that is being changed. */
  file: 1,
  pinned: 0.5,
  /** Superseded: far behind, but still found. */
  superseded: -4,
  /** From another project. */
  elsewhere: -0.5,
  /** What was noted by hand, or by the agent itself, comes first among equals. */
  note: 0.1,
  /** Decisions, preferences, gotchas and how things work outlive what was merely done. */
  lasting: 0.2,
  summary: -0.2,
  prompt: 0,
};

/**
 * Weights that differ for a memory with a title, which names its subject, while a turn of a conversation depends on
 * those around it. Trained by bench/recall-training/train-titled.mjs on questions about merged changes.
 */
export const TITLED_WEIGHTS: Partial<Record<Feature, number>> = {
  /** The question's words, weighted by rarity, where a title or a name counts more than the text; absolute … */
  fields: 3.19,
  /** … and relative to the question. */
  fieldShare: 0.62,
  own: 1.51,
  alike: 0.54,
  /** The share of the question in its names: symbols, concepts, aliases. */
  names: 1.95,
  /** The share of its title in the question. */
  titleFit: 2.55,
  /** Words of the question that are one name here. */
  joined: 1.52,
  /** Words adjacent in the question and here. */
  pairs: 2.11,
  /** Sequences of four characters in common: other forms of a word, names written apart. */
  grams: 1.12,
  /** Words that the best matches have in common besides those of the question. */
  feedback: 2.12,

  // In those above, or true only of conversations.
  ...{ weight: 0, together: 0, header: 0, length: 0, tiny: 0 },
  ...{ around: 0, answers: 0, session: 0, sessionOwn: 0 },
  ...{ number: 0, time: 0, name: 0, cause: 0 },
};

/**
 * By hand: a rare name in common with one of the best hits. Less if more memories have the name or the hit matches
 * less; never enough to rank before the best three.
 */
export const LINK_WEIGHT = 4;
