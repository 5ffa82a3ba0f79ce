import type { VectorSource } from '../store/types/vector.ts';

/** About as many characters as the smaller models read. */
const LONGEST = 1_500;

/**
 * The embedded text of a memory, most important parts first. Cut after redaction: half a secret is not recognised.
 */
export function buildEmbedText({ title, subtitle, narrative, facts, parts, aliases }: VectorSource): string {
  const texts = parts
    ? [parts.request, parts.learned, parts.completed, parts.nextSteps, parts.notes, parts.investigated]
    : [subtitle, narrative, ...facts];
  return [title, ...aliases, ...texts].filter((part) => part.trim() !== '').join('\n');
}

export function clipText(text: string): string {
  return text.length <= LONGEST ? text : text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '');
}
