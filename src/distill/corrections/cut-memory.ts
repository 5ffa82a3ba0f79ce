import { removePieces, splitPieces } from '../../model/wording.ts';
import type { MemoryTexts } from '../../store/types/memory.ts';
import { needsContext } from '../offline/rating/complete.ts';
import { headingFrom } from '../offline/text/title.ts';

const CORRECTED_PARTS = ['learned', 'completed', 'nextSteps', 'notes'] as const;

/** The statements of a memory that may turn out wrong. What the person asked for stays as typed. */
export function listStatements({ title, narrative, facts, parts }: MemoryTexts): string[] {
  const texts = parts ? CORRECTED_PARTS.map((part) => parts[part]) : [title, narrative, ...facts];
  return texts
    .flatMap(splitPieces)
    .map((piece) => piece.trim())
    .filter(Boolean);
}

/** The same object if nothing was corrected, null if nothing is left. What the person asked for stays as typed. */
export function cutMemory<T extends MemoryTexts>(
  memory: T,
  isCorrected: (piece: string) => boolean,
): T | MemoryTexts | null {
  let gone = 0;
  const cut = (text: string): string => {
    const pieces = new Set(findPieces(text, isCorrected));
    if (pieces.size === 0) return text;
    gone += pieces.size;
    return removePieces(text, (piece) => pieces.has(piece.trim())).text;
  };
  const { title, subtitle, narrative, facts, parts } = memory;
  if (parts) {
    const left = { ...parts };
    for (const part of CORRECTED_PARTS) left[part] = cut(parts[part]);
    return gone === 0 ? memory : { title, subtitle, narrative, facts, parts: left };
  }
  const left = {
    title: cut(title),
    subtitle,
    narrative: cut(narrative),
    facts: facts.map(cut).filter(Boolean),
    parts,
  };
  if (gone === 0) return memory;
  if (left.title !== '') return left;
  // What pointed at the title says nothing without it.
  const [first = '', ...rest] = [left.narrative, ...left.facts].filter(
    (text) => text !== '' && !needsContext({ text }),
  );
  const heading = headingFrom(first);
  if (heading === '') return null;
  return {
    ...left,
    title: heading,
    narrative: '',
    facts: heading.length >= first.length - 1 ? rest : [first, ...rest],
  };
}

/** The pieces of a text that are taken back, with those that cannot be understood without them. */
export function findPieces(text: string, isCorrected: (piece: string) => boolean): string[] {
  const gone: string[] = [];
  let isGone = false;
  for (const piece of splitPieces(text)) {
    const words = piece.trim();
    isGone = isCorrected(words) || (isGone && needsContext({ text: words }));
    if (isGone) gone.push(words);
  }
  return gone;
}
