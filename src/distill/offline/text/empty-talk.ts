import { courtesy, narration } from './cues.ts';

/** Courtesies and narration of the usual forms. */
export function isEmptyTalk(words: string): boolean {
  return [...courtesy, ...narration].some((pattern) => pattern.test(words));
}
