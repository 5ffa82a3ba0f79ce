import type { TextEdit } from './json-text.ts';

/** A settings text after installing or uninstalling. */
export interface EditedSettings {
  text: string;
  changed: boolean;
  /** Edits that restore the old text, in this order. */
  undo: TextEdit[];
  made: AddedParts;
  wasThere: boolean;
}

/** The added parts; only these are removed again. */
export interface AddedParts {
  /** The text had no value before. */
  object: boolean;
  /** The objects and arrays created around Cairn's entries, each as a path of keys. */
  containers: string[][];
}

export type EntryState = 'installed' | 'missing' | 'outdated' | 'doubled';

export function unchanged(text: string | null): EditedSettings {
  return {
    text: text ?? '',
    changed: false,
    undo: [],
    made: { object: false, containers: [] },
    wasThere: false,
  };
}

/** Combines two consecutive edits of the same text. */
export function combineEdits(first: EditedSettings, second: EditedSettings): EditedSettings {
  return {
    text: second.text,
    changed: first.changed || second.changed,
    undo: [...second.undo, ...first.undo],
    made: {
      object: first.made.object || second.made.object,
      containers: [...first.made.containers, ...second.made.containers],
    },
    wasThere: first.wasThere || second.wasThere,
  };
}
