/** What is worth remembering of a turn. */
export const OBSERVATION_TYPES = [
  'preference',
  'decision',
  'bugfix',
  'gotcha',
  'feature',
  'refactor',
  'change',
  'discovery',
  'how-it-works',
] as const;

export type ObservationType = (typeof OBSERVATION_TYPES)[number];

/** One thing learnt or done, as a person would note it down. */
export interface Observation {
  type: ObservationType;
  /** What a person would write as a heading. */
  title: string;
  subtitle: string;
  narrative: string;
  facts: string[];
  /** Words to find it by: technologies, parts of the program, kinds of problem. */
  concepts: string[];
  filesRead: string[];
  filesModified: string[];
  /** The events it was made from. */
  events: number[];
}

/** A checkpoint at the end of a turn. A part about which there is nothing to say is empty. */
export interface Summary {
  request: string;
  investigated: string;
  learned: string;
  completed: string;
  nextSteps: string;
  notes: string;
  filesRead: string[];
  filesModified: string[];
}

/** A turn that taught nothing leaves neither. */
export interface Distilled {
  observations: Observation[];
  summary: Summary | null;
}
