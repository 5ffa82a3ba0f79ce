/** The text parts of a summary, in display order. */
export const SUMMARY_PARTS = [
  ['request', 'Asked'],
  ['completed', 'Done'],
  ['learned', 'Learned'],
  ['investigated', 'Investigated'],
  ['nextSteps', 'Next'],
  ['notes', 'Notes'],
] as const;
