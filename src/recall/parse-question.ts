import { INDEXED_STOP_WORDS, STOP_WORDS } from '../indexing/stop-words.ts';
import { tokenise } from '../indexing/tokenise.ts';
import type { Mention } from '../indexing/traits.ts';
import type { Span } from './calendar.ts';
import { findSpan } from './dates.ts';
import type { RecallRequest } from './request.ts';

/** What a question asks for, without its scope. */
export interface ParsedQuestion {
  /** Unique, in order. */
  terms: string[];
  /** The terms as written. */
  written: Map<string, string>;
  span: Span | null;
  /** What the answer must contain. */
  wants: Mention[];
  /** Whose words are asked for: 'person' for "what did I say", 'agent' for "what did you suggest". */
  role: 'person' | 'agent' | null;
}

/** The question, its scope, and the weight of each word. */
export interface Question {
  parsed: ParsedQuestion;
  request: RecallRequest;
  /** One per term: high for a rare one. */
  idf: number[];
  /** Which of the terms are names of speakers among the candidates. */
  speakers: Set<number>;
}

/** Prompts may be pages long; the beginning is enough. */
const MOST_TERMS = 24;
const LONGEST = 10_000;

const WANTS: [Mention, RegExp][] = [
  [
    'number',
    /\bhow (?:many|much|old|long|often|far|big|large|fast)\b|\bwhat (?:number|version|port|percentage)\b/i,
  ],
  ['time', /\bwhen\b|\bwhat (?:date|day|time|year|month)\b|\bhow long\b|\bsince what\b/i],
  ['name', /\b(?:who|whom|whose|where|which)\b|\bnames?\b/i],
  ['cause', /\bwhy\b|\breasons?\b|\bhow come\b|\bwhat (?:caused|causes)\b/i],
];

export function parseQuestion(text: string, now: number): ParsedQuestion {
  const words = text.slice(0, LONGEST);
  const { span, rest } = findSpan(words, now);
  const all = [...new Set(tokenise(rest))].filter(isSearchable);
  const distinctive = all.filter((term) => !STOP_WORDS.has(term) && !INDEXED_STOP_WORDS.has(term));
  return {
    terms: withoutSingles(distinctive.length > 0 || span ? distinctive : all).slice(0, MOST_TERMS),
    written: mapSpellings(rest),
    span,
    wants: WANTS.flatMap(([want, form]) => (form.test(words) ? [want] : [])),
    role: roleOf(words),
  };
}

function isSearchable(term: string): boolean {
  return /[a-z0-9]/.test(term) || !/^[\p{P}\p{S}]*$/u.test(term);
}

function mapSpellings(text: string): Map<string, string> {
  const written = new Map<string, string>();
  for (const word of text.split(/[\s,;!?()[\]{}"]+/))
    for (const term of tokenise(word)) if (!written.has(term)) written.set(term, word.replace(/[.:]+$/, ''));
  return written;
}

/** In a run without spaces pairs are more specific than single characters, which are indexed for queries of one. */
function withoutSingles(terms: string[]): string[] {
  const pairs = terms.filter((term) => [...term].length === 2 && !/[\x20-\x7f]/.test(term));
  return terms.filter(
    (term) => !pairs.some((pair) => pair !== term && [...term].length === 1 && pair.includes(term)),
  );
}

function roleOf(words: string): ParsedQuestion['role'] {
  if (
    /\b(?:did|have|had|do) you\b|\byou (?:said|told|suggest|recommend|mention|gave|list|propos)/i.test(words)
  )
    return 'agent';
  return /\b(?:I|my|me|mine|I'm|I've|I'd)\b/.test(words) ? 'person' : null;
}
