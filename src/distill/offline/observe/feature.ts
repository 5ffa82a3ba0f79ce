import type { Observer } from './observer.ts';
import { workNote } from './work-note.ts';

/** Something new was built. */
export const feature: Observer = (material) =>
  material.work === 'feature' ? [workNote('feature', material)] : [];
