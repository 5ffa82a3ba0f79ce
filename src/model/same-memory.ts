/** From this share of common words on, two memories say the same: the existing one is strengthened. */
export const SAME_MEMORY = 0.75;
/** From this share on, the subject is the same: a new decision replaces the old one, a memory edited by hand stays. */
export const SAME_SUBJECT = 0.5;
/** From this share on, a note of a file is the edited form of a note that the file no longer has. */
export const EDITED_NOTE = 0.4;

/** The Jaccard index of two sets of words, from 0 to 1. */
export function measureOverlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}
