import { INDEXED_STOP_WORDS, STOP_WORDS, TELLING_FORMS } from '../indexing/stop-words.ts';
import { tokenise } from '../indexing/tokenise.ts';
import type { Mention } from '../indexing/traits.ts';
import type { Span } from './calendar.ts';
import { findSpan } from './dates.ts';
import { parseQuery } from './parse-query.ts';
import { findFrames } from './question-frames.ts';
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
  /** Asks for an order or an overview of several sessions. */
  isSurvey: boolean;
  /** Asks the agent to do or to advise something. */
  isRequest: boolean;
}

/** Another word for a term of a question, as the terms that it is indexed as, and its rarity. */
export interface RelatedTerm {
  terms: string[];
  idf: number;
}

/** The question, its scope, and the weight of each word. */
export interface Question {
  parsed: ParsedQuestion;
  request: RecallRequest;
  /** One per term: high for a rare one. */
  idf: number[];
  /** For each term, other words for it that memories have; empty if none were looked for. */
  related: RelatedTerm[][];
  /** Which of the terms are names of speakers among the candidates. */
  speakers: Set<number>;
}

/** Prompts may be pages long; the beginning is enough. */
const MOST_TERMS = 24;
const LONGEST = 10_000;

interface Want {
  mention: Mention;
  /** Each question has one of these: most have none, and a pattern takes a hook long to compile. */
  hints: string[];
  form: RegExp;
}

const WANTS: Want[] = [
  {
    mention: 'number',
    hints: ['how ', 'what '],
    form: /\bhow (?:many|much|old|long|often|far|big|large|fast)\b|\bwhat (?:number|version|port|percentage)\b/i,
  },
  {
    mention: 'time',
    hints: ['when', 'what ', 'how long'],
    form: /\bwhen\b|\bwhat (?:date|day|time|year|month)\b|\bhow long\b|\bsince what\b/i,
  },
  {
    mention: 'name',
    hints: ['who', 'where', 'which', 'name'],
    form: /\b(?:who|whom|whose|where|which)\b|\bnames?\b/i,
  },
  {
    mention: 'cause',
    hints: ['why', 'reason', 'how come', 'what caus'],
    form: /\bwhy\b|\breasons?\b|\bhow come\b|\bwhat (?:caused|causes)\b/i,
  },
];

const TASKS = new Set(
  (
    'help show give write make plan suggest recommend find draft create explain list compare translate design build ' +
    'generate prepare calculate proofread tell describe improve schedule implement'
  ).split(' '),
);
const ADVICE = new Set(['recommend', 'suggest', 'advise', 'advice']);
const REQUEST_PAIRS = new Set([
  ...['should', 'can', 'could', 'would'].flatMap((verb) => [`${verb} i`, `${verb} we`, `${verb} you`]),
  ...['how do', 'how would', 'how to', 'how can', 'best way', 'help me'],
]);

export function parseQuestion(text: string, now: number): ParsedQuestion {
  const words = text.slice(0, LONGEST);
  const { span, rest } = findSpan(words, now);
  const { subject, isSurvey } = findFrames(rest);
  const role = roleOf(words);
  const all = termsIn(rest);
  const written = mapSpellings(rest);
  const isTelling = (term: string) =>
    isDistinctive(term) || TELLING_FORMS.has(written.get(term)?.toLowerCase() ?? '');
  const inSubject = termsIn(subject).filter(isTelling);
  const distinctive = inSubject.length > 0 ? inSubject : all.filter(isTelling);
  return {
    terms: withoutSingles(distinctive.length > 0 || span ? distinctive : all).slice(0, MOST_TERMS),
    written,
    span,
    wants: findWants(words),
    role,
    isSurvey,
    isRequest: !isSurvey && role !== 'agent' && asksForWork(words),
  };
}

function findWants(words: string): Mention[] {
  const lower = words.toLowerCase();
  return WANTS.filter(
    ({ hints, form }) => hints.some((hint) => lower.includes(hint)) && form.test(words),
  ).map(({ mention }) => mention);
}

/**
 * What people ask an agent to do, or to advise: then an instruction or preference may matter. As a regular expression it
 * takes a hook longer to compile than its search takes.
 */
function asksForWork(text: string): boolean {
  const words = text.toLowerCase().split(/\W+/).filter(Boolean);
  const [verb = '', next] = words.slice(countPoliteWords(words));
  return (
    TASKS.has(verb) ||
    (verb === 'set' && next === 'up') ||
    words.some((word, index) => ADVICE.has(word) || REQUEST_PAIRS.has(`${word} ${words[index + 1]}`))
  );
}

/** "please", "could you", "could you please". */
function countPoliteWords([first = '', second, third]: string[]): number {
  if (first === 'please') return 1;
  if (!['can', 'could', 'would', 'will'].includes(first) || second !== 'you') return 0;
  return third === 'please' ? 3 : 2;
}

function termsIn(text: string): string[] {
  return [...new Set(tokenise(text))].filter(isSearchable);
}

/** In Japanese, what is written in hiragana only is mostly grammar. */
const HIRAGANA = /^[\u3041-\u309f]{1,2}$/;

/** Whether an indexed word is more than a stop word. */
export function isDistinctive(term: string): boolean {
  return !STOP_WORDS.has(term) && !INDEXED_STOP_WORDS.has(term) && !HIRAGANA.test(term);
}

/** "the of a": nothing in it tells what is asked for. */
export function isOnlyStopWords(text: string, now: number): boolean {
  const query = parseQuery(text, now);
  const { terms, span } = parseQuestion(query.words, now);
  return query.phrases.length === 0 && span === null && terms.length > 0 && !terms.some(isDistinctive);
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

/** "Can you list …" and "what would you suggest" ask for something new. */
const SAID_BY_AGENT =
  /\b(?:did|have|had) you\b|(?<!\b(?:can|could|would|will|should|do|if) )\byou(?:'ve| have)? (?:said|told|suggest|recommend|mention|gave|list|propos|explain|advise)/i;

function roleOf(words: string): ParsedQuestion['role'] {
  if (/you/i.test(words) && SAID_BY_AGENT.test(words)) return 'agent';
  return /\b(?:I|my|me|mine|I'm|I've|I'd)\b/.test(words) ? 'person' : null;
}
