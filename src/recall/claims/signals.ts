import { type PromptKind, readClaimCues } from './cues.ts';
import type { ClaimMatch, MatchedClaims } from './match-claims.ts';
import type { PromptWord } from './prompt-words.ts';

/** What speaks for a claim; words in units of the most that one word can tell. */
export interface ClaimSignals {
  /** Words of the prompt in the claim, in its header where the claim does not have them, and so on outwards. */
  own: number;
  header: number;
  request: number;
  siblings: number;
  session: number;
  /** Other words for the same things in the claim. */
  related: number;
  /** Square roots of these four: the first word tells more than the next ones. */
  ownRoot: number;
  headerRoot: number;
  requestRoot: number;
  relatedRoot: number;
  /** Names of code, files and errors in the claim or its header. */
  named: number;
  /** How many words there are in the claim or its header, 1 for four and more. */
  words: number;
  length: number;
  cause: number;
  rule: number;
  /** A rule or a decision, where the prompt asks whether something may be done. */
  leave: number;
  /** A trap, a fixed bug or a finding, where the prompt reports that something goes wrong. */
  trouble: number;
  preference: number;
  gotcha: number;
  decision: number;
  summary: number;
  change: number;
  /** A number, where the prompt asks how many, how long or when. */
  amount: number;
}

const MOST_WORDS = 4;
const RULES = new Set(['preference', 'note', 'decision']);
const TROUBLES = new Set(['gotcha', 'bugfix', 'discovery']);
/** What was done, which few people ask about. */
const WORK = new Set(['change', 'feature', 'refactor']);

export function measureClaims(
  words: PromptWord[],
  kind: PromptKind,
  { matches }: Pick<MatchedClaims, 'matches'>,
): ClaimSignals[] {
  return matches.map((match) => measureClaim(words, kind, match));
}

function measureClaim(
  words: PromptWord[],
  kind: PromptKind,
  { doc, tokens, own, header, request, siblings, session, related }: ClaimMatch,
): ClaimSignals {
  const inside = raise(own, header);
  const around = raise(raise(inside, request), siblings);
  const { givesCause, givesRule } = readClaimCues(tokens);
  const isRule = RULES.has(doc.type);
  const told = {
    own: sum(own),
    header: sumBeyond(header, own),
    request: sumBeyond(request, inside),
    related: sum(related),
  };
  return {
    own: told.own,
    header: told.header,
    request: told.request,
    siblings: sumBeyond(siblings, inside),
    session: sumBeyond(session, around),
    related: told.related,
    ownRoot: Math.sqrt(told.own),
    headerRoot: Math.sqrt(told.header),
    requestRoot: Math.sqrt(told.request),
    relatedRoot: Math.sqrt(told.related),
    named: sum(inside.filter((_, word) => words[word]?.isName)),
    words: Math.min(MOST_WORDS, inside.filter((value) => value > 0).length) / MOST_WORDS,
    length: Math.log2(tokens.length + 1) / 5,
    cause: Number(givesCause),
    rule: Number(givesRule),
    leave: Number(kind.asksLeave && isRule),
    trouble: Number(kind.reportsTrouble && TROUBLES.has(doc.type)),
    preference: Number(doc.type === 'preference' || doc.type === 'note'),
    gotcha: Number(doc.type === 'gotcha'),
    decision: Number(doc.type === 'decision'),
    summary: Number(doc.type === 'summary'),
    change: Number(WORK.has(doc.type)),
    amount: Number(kind.asksAmount && tokens.some((token) => /^\d/.test(token))),
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
