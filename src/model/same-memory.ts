/** From this share of common words on, two memories say the same: the known one grows stronger. */
export const SAME_MEMORY = 0.75;
/** … they are about the same subject: a new decision replaces the old one, a memory edited by hand keeps its place. */
export const SAME_SUBJECT = 0.5;
/** … a note of a file is the edited form of one that is no longer there. */
export const EDITED_NOTE = 0.4;

/** The share of common words of two texts, from 0 to 1. */
export function measureOverlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}
