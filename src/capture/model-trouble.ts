import type { Redacted } from '../model/redacted.ts';
import { createStateNote } from '../platform/state-note.ts';

/** Why the model is not asked at present, for status and for the person at session start. */
export interface ModelTrouble {
  why: Redacted;
  since: number;
}

export const {
  read: readModelTrouble,
  write: saveModelTrouble,
  clear: clearModelTrouble,
} = createStateNote<ModelTrouble>('model-trouble');
