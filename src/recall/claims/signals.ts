import type { PromptWord } from '../prompt-words.ts';
import { readClaimCues } from './claim-cues.ts';
import type { ClaimMatch } from './match-claims.ts';
import type { PromptKind } from './prompt-kind.ts';

/** What speaks for a claim; words in units of the most that one word can tell. */
export interface ClaimSignals {
  /** Words of the prompt in the claim, and in its header where the claim does not have them. */
  own: number;
  header: number;
  /** Beyond these in what was asked, in other claims of its memory, or anywhere in its session. */
  around: number;
  /** Words of the prompt that it has none of, but other words for the same. */
  related: number;
  /** How many words there are in the claim or its header, 1 for four and more. */
  words: number;
  /** What the rarest name of code in the prompt tells that the claim or its header has. */
  named: number;
  length: number;
  cause: number;
  rule: number;
  /** A rule or a decision, where the prompt asks whether something may be done. */
  leave: number;
  /** A trap, a fixed bug or a finding, where the prompt reports that something goes wrong. */
  trouble: number;
  /** A number, where the prompt asks how many, how long or when. */
  amount: number;
  preference: number;
  change: number;
}

const MOST_WORDS = 4;
const RULES = new Set(['preference', 'note', 'decision']);
const TROUBLES = new Set(['gotcha', 'bugfix', 'discovery']);
/** What was done, which few people ask about. */
const WORK = new Set(['change', 'feature', 'refactor']);

export function measureClaim(
  kind: PromptKind,
  prompt: PromptWord[],
  { doc, tokens, own, header, request, siblings, session, related }: ClaimMatch,
): ClaimSignals {
  const inside = raise(own, header);
  const { givesCause, givesRule } = readClaimCues(tokens);
  return {
    own: sum(own),
    header: sumBeyond(header, own),
    around: sumBeyond(raise(raise(request, siblings), session), inside),
    related: sumBeyond(related, inside),
    words: Math.min(MOST_WORDS, inside.filter((value) => value > 0).length) / MOST_WORDS,
    named: Math.max(0, ...inside.filter((_, word) => prompt[word]?.isName)),
    length: Math.log2(tokens.length + 1) / 5,
    cause: Number(givesCause),
    rule: Number(givesRule),
    leave: Number(kind.asksLeave && RULES.has(doc.type)),
    trouble: Number(kind.reportsTrouble && TROUBLES.has(doc.type)),
    amount: Number(kind.asksAmount && tokens.some((token) => /^\d/.test(token))),
    preference: Number(doc.type === 'preference' || doc.type === 'note'),
    change: Number(WORK.has(doc.type)),
  };
}

function raise(list: number[], other: number[]): number[] {
  return list.map((value, index) => Math.max(value, other[index] ?? 0));
}

function sumBeyond(list: number[], inner: number[]): number {
  let total = 0;
  for (const [index, value] of list.entries()) total += Math.max(0, value - (inner[index] ?? 0));
  return total;
}

export function sum(list: number[]): number {
  let total = 0;
  for (const value of list) total += value;
  return total;
}
