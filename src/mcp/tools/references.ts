import { formatReference, parseReference, type Reference } from '../../model/reference.ts';
import { shorten } from '../../model/shorten.ts';
import { ToolError } from './tool-error.ts';

export function requireReference(text: string): Reference {
  const reference = parseReference(text);
  if (!reference)
    throw new ToolError(
      `"${shorten(text, 80)}" is not an id. A memory is 12, a prompt p34, a session s5; search shows them.`,
    );
  return reference;
}

/** Rejects references to prompts and sessions: only memories can be changed. */
export function requireMemoryId(text: string): number {
  const reference = requireReference(text);
  if (reference.what !== 'memory')
    throw new ToolError(
      `${formatReference(reference)} is a ${reference.what}; only memories (ids like 12) can be changed.`,
    );
  return reference.id;
}

export function describeMissing(reference: Reference): string {
  return `There is no ${reference.what} ${formatReference(reference)}.`;
}
