import type { Summary } from '../../model/memory.ts';
import { countTokens } from '../../model/tokens.ts';
import { removePieces, wordsIn } from '../../model/wording.ts';
import type { MemoryTexts } from '../types/memory.ts';

/** A shorter subtitle only names the kind of memory. */
const SUBTITLE_WORDS = 5;

/** All texts that identify a memory. */
export function collectTexts({ title, subtitle, narrative, facts, parts }: MemoryTexts): string[] {
  const own = wordsIn(subtitle).length >= SUBTITLE_WORDS ? [subtitle] : [];
  return [title, ...own, narrative, ...facts, ...partTexts(parts)].filter((text) => text !== '');
}

export function countTextTokens({ title, subtitle, narrative, facts, parts }: MemoryTexts): number {
  const texts = parts
    ? [title, ...partTexts(parts), ...parts.filesRead, ...parts.filesModified]
    : [title, subtitle, narrative, ...facts];
  return countTokens(texts.join('\n'));
}

/** The memory without some of its sentences. `left` is null if no title remains. */
export function cutTexts<T extends MemoryTexts>(
  memory: T,
  goes: (piece: string) => boolean,
): { left: T | null; gone: number } {
  let gone = 0;
  const cut = (text: string) => {
    const result = removePieces(text, goes);
    gone += result.gone;
    return result.text;
  };
  const { title, subtitle, narrative, facts, parts } = memory;
  const left = {
    ...memory,
    // A summary takes its title from one of its parts.
    title: parts ? removePieces(title, goes).text : cut(title),
    subtitle: wordsIn(subtitle).length >= SUBTITLE_WORDS ? cut(subtitle) : subtitle,
    narrative: cut(narrative),
    facts: facts.map(cut).filter((fact) => fact !== ''),
    parts: parts && {
      ...parts,
      request: cut(parts.request),
      investigated: cut(parts.investigated),
      learned: cut(parts.learned),
      completed: cut(parts.completed),
      nextSteps: cut(parts.nextSteps),
      notes: cut(parts.notes),
    },
  };
  const [heading] = [left.title, left.narrative, ...left.facts, ...partTexts(left.parts)].filter(Boolean);
  return { left: heading === undefined ? null : { ...left, title: left.title || heading }, gone };
}

function partTexts(parts: Summary | null): string[] {
  if (!parts) return [];
  const { request, investigated, learned, completed, nextSteps, notes } = parts;
  return [request, investigated, learned, completed, nextSteps, notes];
}
