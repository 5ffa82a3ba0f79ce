import { choice } from '../../phrases/choices.ts';
import { condition } from '../../phrases/conditions.ts';
import { but, contrast } from '../../phrases/contrasts.ts';
import { guess, refutation } from '../../phrases/guesses.ts';
import { negation } from '../../phrases/negations.ts';
import { cause, reason } from '../../phrases/reasons.ts';
import { obligation, standing } from '../../phrases/rules.ts';
import { deed, open } from '../../phrases/work.ts';

/**
 * The small words by which a sentence gives a reason, a condition, a rule or a guess. They are closed classes, so a list
 * per language covers them; what a sentence is about is never in these lists.
 */
export const MARKERS = {
  cause,
  reason,
  contrast,
  but,
  obligation,
  condition,
  negation,
  guess,
  refutation,
  choice,
  deed,
  open,
  standing,
} as const;

export type Marker = keyof typeof MARKERS;
