import type { Node } from 'jsonc-parser';
import { applyEdit, InvalidJsonError, listProperties, parseJsonText, type TextEdit } from './json-text.ts';

/** A settings text being edited: it is parsed again after every step and can be undone. */
export interface Draft {
  text(): string;
  root(): Node | undefined;
  apply(edits: TextEdit[]): void;
  result(): { text: string; changed: boolean; undo: TextEdit[] };
}

export function openDraft(before: string): Draft {
  let text = before;
  let root = parseSettings(text);
  const undo: TextEdit[] = [];
  return {
    text: () => text,
    root: () => root,
    apply(edits) {
      for (const edit of edits) {
        text = applyEdit(text, edit);
        undo.unshift({ offset: edit.offset, removed: edit.inserted, inserted: edit.removed });
      }
      root = parseSettings(text);
    },
    result: () => ({ text, changed: text !== before, undo }),
  };
}

function parseSettings(text: string): Node | undefined {
  const root = parseJsonText(text);
  if (root === undefined) return undefined;
  const refuse = (node: Node, what: string) => {
    throw new InvalidJsonError(text, node.offset, what);
  };
  if (root.type !== 'object') refuse(root, 'the top level is not an object');
  for (const { key, value: hooks } of listProperties(root)) {
    if (key !== 'hooks') continue;
    if (hooks.type !== 'object') refuse(hooks, '"hooks" is not an object');
    for (const { key: event, value } of listProperties(hooks)) {
      if (value.type !== 'array') refuse(value, `"hooks.${event}" is not an array`);
    }
  }
  return root;
}
