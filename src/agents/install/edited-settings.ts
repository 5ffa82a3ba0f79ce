import type { TextEdit } from './json-text.ts';

/** A settings text as an installation or its removal leaves it. */
export interface EditedSettings {
  text: string;
  changed: boolean;
  /** Takes the new text back to the old one, in this order. */
  undo: TextEdit[];
  made: AddedParts;
  /** Some entry of ours was there before. */
  wasThere: boolean;
}

/** What was not there before; only this is taken away again. */
export interface AddedParts {
  /** The text had no value at all. */
  object: boolean;
  /** The objects and arrays around our entries, each by the keys that lead to it. */
  containers: string[][];
}

export type EntryState = 'installed' | 'missing' | 'outdated' | 'doubled';
