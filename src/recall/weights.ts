import type { Feature } from './features/list.ts';

/**
 * How much each feature counts. Learnt by bench/recall-training/train.mjs, but for those under "by hand", of which
 * its data tell nothing. docs/recall.md shows what they do for recall.
 */
export const WEIGHTS: Record<Feature, number> = {
  /** The question's words in the document and its neighbours, weighted by rarity. */
  weight: 4.73,
  /** The share of the question in the document. */
  own: 3.73,
  /** The share in the document or its neighbours. */
  around: 2.5,
  /** The share in the document, or in the question that it answers. */
  answers: 2.78,
  /** Words that are adjacent in the question and close together here. */
  together: 2.39,
  /** Missing words with another of the same prefix. */
  alike: 1.6,
  /** The share in the title. */
  title: 1.42,
  /** The share in the header: files, names, concepts, branch. */
  header: 0.43,

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
  /** From the time that the question speaks of, or the days around it. */
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
  note: 0,
  /** Decisions, preferences, gotchas and how things work outlive what was merely done. */
  lasting: 0.2,
  summary: -0.2,
  prompt: 0,
};

/**
 * What counts otherwise for a memory with a title. It says by itself what it is about, while a turn of a
 * conversation lives on those around it; and what was done is asked for with "when" and "how many" inside any sentence.
 * The first four are learnt from questions about commits.
 */
export const TITLED_WEIGHTS: Partial<Record<Feature, number>> = {
  ...{ weight: 6.41, own: 4.79, together: 2.99, length: 1.05 },
  ...{ around: 0, answers: 0, session: 0, sessionOwn: 0 },
  ...{ tiny: 0, number: 0, time: 0, name: 0, cause: 0 },
};

/**
 * By hand: a name in common with one of the best hits, which no other memory has, where that hit has all that was asked.
 * Less when more memories have the name or the hit has less; and never so much that it comes before the best three.
 */
export const LINK_WEIGHT = 4;
