/** Parts of a summary that are text, in the order in which they are shown. */
export const SUMMARY_PARTS = [
  ['request', 'Asked'],
  ['completed', 'Done'],
  ['learned', 'Learned'],
  ['investigated', 'Investigated'],
  ['nextSteps', 'Next'],
  ['notes', 'Notes'],
] as const;
