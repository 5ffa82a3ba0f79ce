import type { Replacement } from './correct-query.ts';

/** For the person or agent that searched; null if nothing was replaced. `unknown` are the other words that no memory has. */
export function describeReplaced(replaced: Replacement[], unknown: string[]): string | null {
  if (replaced.length === 0) return null;
  const used = replaced.map((each) => each.used).join(', ');
  const missing = [...replaced.map((each) => each.typed), ...unknown].map((word) => `“${word}”`).join(' or ');
  return `Showing results for ${used} (no memory has ${missing}).`;
}
