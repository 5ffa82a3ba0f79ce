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

/** One thing that was learned or done. */
export interface Observation {
  type: ObservationType;
  title: string;
  subtitle: string;
  narrative: string;
  facts: string[];
  /** Search terms: technologies, parts of the program, kinds of problem. */
  concepts: string[];
  filesRead: string[];
  filesModified: string[];
  events: number[];
}

/** A summary of a turn. Parts without content are empty. */
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

/** The result of distilling. Both parts are empty for a turn with nothing to remember. */
export interface Distilled {
  observations: Observation[];
  summary: Summary | null;
}
