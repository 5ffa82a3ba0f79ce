import type { Feature } from './features/list.ts';

/**
 * How much each feature counts. Learnt by bench/recall-training/train.mjs, but for those under "by hand", of which
 * its data tell nothing. docs/recall.md shows what they do for recall.
 */
export const WEIGHTS: Record<Feature, number> = {
  /** The words of the question in it and right beside it, in logarithms of rarity. */
  weight: 4.73,
  /** The share of the question that is in the document itself. */
  own: 3.73,
  /** The share that is in it or right beside it. */
  around: 2.5,
  /** The share that is in it, or in the question that it answers. */
  answers: 2.78,
  /** Words next to each other in the question, and close together here. */
  together: 2.39,
  /** Words that are missing, but another with the same beginning is there. */
  alike: 1.6,
  /** The share that is in the title. */
  title: 1.42,
  /** The share that is in the header: files, names, concepts, branch. */
  header: 0.43,

  /** How well the best document of the same session fits. */
  session: 1.92,
  /** The share that is anywhere in the same session. */
  sessionOwn: 3.27,

  /** Said by a person whom the question names, or who asks it. */
  said: 1,
  /** Said by another person, though the question names a speaker … */
  saidByOther: -0.86,
  /** … but the one who is asked about is named in it. */
  addressed: 0.26,

  /** It asks for the same instead of telling it. */
  asksIt: -1.37,
  /** Longer documents tell more: the logarithm of their words. */
  length: 1.57,
  /** Fewer than five words. */
  tiny: -0.83,
  /** A number, where one was asked for; likewise a time, a name, a cause. */
  number: 1.55,
  time: 1.67,
  name: 2.15,
  cause: 0.27,

  // By hand.
  /** From the time that the question speaks of, or the days around it. */
  day: 2,
  /** From today; half of it from three weeks ago. */
  recent: 0.2,
  /** Learnt on the branch that is checked out, or on another that was not merged. */
  branch: 0.5,
  otherBranch: -0.5,
  /** About a file that is being worked on. */
  file: 1,
  pinned: 0.5,
  /** Something newer took its place: far behind, but still to be found. */
  superseded: -4,
  /** From another project than the one it is asked from. */
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
