import { readSentences } from '../offline/text/sentences.ts';
import {
  type EarlierStatement,
  givesOtherValue,
  readEarlierStatement,
  readLaterStatement,
  replacesValue,
} from './contradict.ts';
import type { Quantity } from './quantities.ts';

/** A sentence of the person, understandable by itself. */
export interface CompletedSentence {
  text: string;
  /** Whether it gives another value than the agent did. */
  correctsAgent: boolean;
}

/**
 * “no, a week” says nothing by itself: it becomes the sentence of the agent that it corrects, with the person's value in
 * place of the agent's.
 */
export function completeCorrections(sentences: string[], earlierWords: string): CompletedSentence[] {
  let read: EarlierStatement[] | undefined;
  return sentences.map((text) => {
    const later = readLaterStatement(text);
    const [given] = later.quantities;
    if (!given || (!later.corrects && later.denied.length === 0)) return { text, correctsAgent: false };
    read ??= readSentences(earlierWords).map((sentence) => readEarlierStatement(sentence.text));
    const corrected = read.findLast((earlier) => givesOtherValue(later, earlier));
    const old = corrected?.quantities.find(({ kind }) => kind === given.kind);
    if (corrected && old) return { text: replaceQuantity(corrected.text, old, given), correctsAgent: true };
    return { text, correctsAgent: read.some((earlier) => replacesValue(later, earlier)) };
  });
}

function replaceQuantity(text: string, old: Quantity, given: Quantity): string {
  const end = old.index + old.text.length;
  return `${text.slice(0, old.index)}${given.text} (not ${old.text})${text.slice(end)}`;
}
