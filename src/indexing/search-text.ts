import type { SearchSource, SearchText } from '../store/types/search.ts';
import { joinHeader } from './header.ts';
import { parseRole } from './role.ts';
import { tokenise } from './tokenise.ts';
import { detectTraits } from './traits.ts';

/** Further words do not make a document easier to find. */
const MOST_WORDS = 2_000;
const LONGEST_TEXT = 50_000;

/**
 * A document's text, and a header: subject, place and speaker. Separate, because a word in the header counts less
 * than in the text.
 */
export function buildSearchText(source: SearchSource): SearchText {
  const body = bodyOf(source);
  return {
    title: joinTokens([source.title]),
    body: joinTokens(body),
    header: joinHeader(joinTokens(namesOf(source)), joinTokens(placesOf(source))),
    ...detectTraits([source.title, ...body].join('\n').slice(0, LONGEST_TEXT)),
  };
}

function namesOf({ aliases, concepts, symbols }: SearchSource): string[] {
  return [...aliases, ...concepts, ...symbols];
}

function placesOf({ files, branch, type, saidBy }: SearchSource): string[] {
  return [...files, branch ?? '', type ?? '', parseRole(saidBy) === null ? saidBy : ''];
}

/** The header without aliases and type: the type says what a memory is, not what it is about. */
export function subjectOf(source: SearchSource): string[] {
  return [...namesOf({ ...source, aliases: [] }), ...placesOf({ ...source, type: null })];
}

export function bodyOf({ subtitle, narrative, facts, parts }: SearchSource): string[] {
  if (!parts) return [subtitle, narrative, ...facts];
  const { request, investigated, learned, completed, nextSteps, notes } = parts;
  return [request, learned, completed, nextSteps, notes, investigated];
}

/** Tokens with one space before and after each. */
export function joinTokens(texts: string[]): string {
  const tokens = texts.flatMap((text) => tokenise(text.slice(0, LONGEST_TEXT))).slice(0, MOST_WORDS);
  return tokens.length > 0 ? ` ${tokens.join(' ')} ` : '';
}
