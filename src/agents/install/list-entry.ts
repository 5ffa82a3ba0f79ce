import { dropIfEmpty, findNode } from './containers.ts';
import type { AddedParts, EditedSettings } from './edited-settings.ts';
import { addWholeValue, appendItem, InvalidJsonError, removeChild } from './json-text.ts';
import { openDraft } from './settings-draft.ts';

/** Cairn's text in a list, such as a rule in `permissions.allow`. Text in, text out, like `hook-entries.ts`. */
export interface WantedText {
  list: [outer: string, inner: string];
  text: string;
}

/** An existing entry still belongs to the person: `made` records whether the text was added here. */
export function installText(before: string | null, { list, text }: WantedText): EditedSettings {
  const draft = openDraft(before ?? '');
  const made: AddedParts = { object: draft.root() === undefined, containers: [] };
  const wasThere = hasText(before, { list, text });
  if (!wasThere) {
    if (made.object) draft.apply([addWholeValue(draft.text(), {})]);
    const [outer, inner] = list;
    const root = draft.root();
    const parent = findNode(draft, [outer]);
    const known = findNode(draft, list);
    if (parent && parent.type !== 'object')
      refuse(draft.text(), parent.offset, `"${outer}" is not an object`);
    if (known && known.type !== 'array')
      refuse(draft.text(), known.offset, `"${list.join('.')}" is not a list`);
    if (known) draft.apply(appendItem(draft.text(), known, text));
    else if (parent) draft.apply(appendItem(draft.text(), parent, [text], inner));
    else if (root) draft.apply(appendItem(draft.text(), root, { [inner]: [text] }, outer));
    made.containers = [...(parent ? [] : [[outer]]), ...(known ? [] : [list]), [...list, text]];
  }
  // The rule alone is not an installation.
  return { ...draft.result(), made, wasThere: false };
}

/** Removes the text if it was added here; without `made` it counts as added. */
export function removeText(before: string, { list, text }: WantedText, made?: AddedParts): EditedSettings {
  const draft = openDraft(before);
  const mark = [...list, text].join('\n');
  const isAdded = made === undefined || made.containers.some((path) => path.join('\n') === mark);
  const known = findNode(draft, list);
  const index = known?.children?.findIndex((child) => child.value === text) ?? -1;
  if (isAdded && known && index >= 0) {
    draft.apply(removeChild(draft.text(), known, index));
    dropIfEmpty(draft, list, made);
    dropIfEmpty(draft, list.slice(0, 1), made);
  }
  return { ...draft.result(), made: made ?? { object: false, containers: [] }, wasThere: false };
}

export function hasText(settings: string | null, { list, text }: WantedText): boolean {
  return Boolean(findNode(openDraft(settings ?? ''), list)?.children?.some((child) => child.value === text));
}

function refuse(text: string, offset: number, reason: string): never {
  throw new InvalidJsonError(text, offset, reason);
}
