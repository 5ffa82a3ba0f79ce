import type { Observer } from './observer.ts';
import { workNote } from './work-note.ts';

/** Something was broken, and the edits of this turn cured it. */
export const bugfix: Observer = (material) =>
  material.work === 'bugfix' ? [workNote('bugfix', material)] : [];
