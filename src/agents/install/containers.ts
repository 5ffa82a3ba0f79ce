import type { Node } from 'jsonc-parser';
import type { AddedParts } from './edited-settings.ts';
import { findProperty, listProperties, removeChild } from './json-text.ts';
import type { Draft } from './settings-draft.ts';

/**
 * Removes an empty object or array if it was created for Cairn's entries; without `made` that is unknown, and it is
 * removed too. A container with a comment, which a person wrote, is kept.
 */
export function dropIfEmpty(draft: Draft, path: string[], made: AddedParts | undefined): void {
  if (made && !made.containers.some((container) => isSamePath(container, path))) return;
  const parent = findNode(draft, path.slice(0, -1));
  const known = listProperties(parent).findLast((property) => property.key === path.at(-1));
  if (!parent || !known) return;
  const inside = draft.text().slice(known.value.offset + 1, known.value.offset + known.value.length - 1);
  if (inside.trim() === '') draft.apply(removeChild(draft.text(), parent, known.index));
}

export function findNode(draft: Draft, path: string[]): Node | undefined {
  return path.reduce<Node | undefined>(findProperty, draft.root());
}

function isSamePath(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}
