import type { Redacted } from '../model/redacted.ts';
import { createStateNote } from '../platform/state-note.ts';

/** Why the model is not used at the moment; shown by `cairn status` and at session start. */
export interface ModelProblem {
  why: Redacted;
  since: number;
}

export const {
  read: readModelProblem,
  write: saveModelProblem,
  clear: clearModelProblem,
} = createStateNote<ModelProblem>('model-trouble');
