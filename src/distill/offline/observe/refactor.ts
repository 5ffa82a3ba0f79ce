import type { Observer } from './observer.ts';
import { workNote } from './work-note.ts';

/** The same behaviour in another shape: one observation, however many files it took. */
export const refactor: Observer = (material) =>
  material.work === 'refactor' ? [workNote('refactor', material)] : [];
