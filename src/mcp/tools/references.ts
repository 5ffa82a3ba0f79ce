import { type Reference, readReference, sayReference } from '../../model/reference.ts';
import { shorten } from '../../model/shorten.ts';
import { ToolTrouble } from './trouble.ts';

export function referenceIn(text: string): Reference {
  const reference = readReference(text);
  if (!reference)
    throw new ToolTrouble(
      `"${shorten(text, 80)}" is no id. A memory is 12, a prompt p34, a session s5; search shows them.`,
    );
  return reference;
}

/** Only memories can be changed. */
export function memoryIn(text: string): number {
  const reference = referenceIn(text);
  if (reference.what !== 'memory')
    throw new ToolTrouble(
      `${sayReference(reference)} is a ${reference.what}; only memories (ids like 12) can be changed.`,
    );
  return reference.id;
}

export function notThere(reference: Reference): string {
  return `There is no ${reference.what} ${sayReference(reference)}.`;
}
