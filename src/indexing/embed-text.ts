import type { VectorSource } from '../store/types/vector.ts';

/** About what the smaller models read of a text; what it is about is said before that. */
const LONGEST = 1_500;

/** What is embedded of a memory: its own words, the weightiest first. Cut when it is clean: half a secret looks harmless. */
export function buildEmbedText({ title, subtitle, narrative, facts, parts, aliases }: VectorSource): string {
  const texts = parts
    ? [parts.request, parts.learned, parts.completed, parts.nextSteps, parts.notes, parts.investigated]
    : [subtitle, narrative, ...facts];
  return [title, ...aliases, ...texts].filter((part) => part.trim() !== '').join('\n');
}

export function clipText(text: string): string {
  return text.length <= LONGEST ? text : text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '');
}
