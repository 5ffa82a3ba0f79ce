import type { Replacement } from './correct-query.ts';

/** For the person or agent that searched; null if every word was known. */
export function describeReplaced(replaced: Replacement[]): string | null {
  if (replaced.length === 0) return null;
  const used = replaced.map((each) => each.used).join(', ');
  const typed = replaced.map((each) => `“${each.typed}”`).join(' or ');
  return `Showing results for ${used} (no memory has ${typed}).`;
}
