import { STOP_WORDS } from '../../indexing/stop-words.ts';
import { tokenise } from '../../indexing/tokenise.ts';
import { hasErrorName } from '../../model/error-text.ts';
import type { SearchFilter } from '../../store/types/search.ts';
import { buildFilter } from '../gather-candidates.ts';
import { parseQuery } from '../parse-query.ts';
import { parseQuestion } from '../parse-question.ts';
import { splitQuery } from '../query-pieces.ts';
import type { RecallRequest } from '../request.ts';
import { findOtherWord } from './find-other-word.ts';
import { findReplacement, type NearWordStore } from './find-replacement.ts';

/** A word that no memory in scope has, and the one that was searched for instead. */
export type Replacement = {
  typed: string;
  used: string;
};

export interface CorrectedQuery {
  /** The query to search for. */
  text: string;
  replaced: Replacement[];
  /** Words that no memory has and that nothing replaced. */
  unknown: string[];
}

/** Of a longer text the words that are known are enough. */
const MOST_WORDS = 20;
const MOST_REPLACED = 3;
/** Shorter beginnings of a word are not completed. */
const LONGEST_START = 2;
/** A name is seldom written in more words. */
const MOST_JOINED = 3;
/** In a sentence words stand side by side by chance. */
const MOST_IN_NAMES = 4;
const WORD = /[^\s,;!?()[\]{}"]+/g;

/**
 * Replaces the words that no memory in scope has by others for the same or by near ones, and adds names that were
 * written apart. Not for hooks. Phrases and operators are left as they are.
 */
export function correctQuery(
  store: NearWordStore,
  request: RecallRequest,
  { isTyping = false } = {},
): CorrectedQuery {
  const { text, now } = request;
  const pieces = splitQuery(text);
  const words = pieces.flatMap((piece) => (piece.kind === 'words' ? (piece.text.match(WORD) ?? []) : []));
  if (words.length === 0 || words.length > MOST_WORDS || text.includes('\n'))
    return { text, replaced: [], unknown: [] };
  const query = parseQuery(text, now);
  const filter = { ...WHOLE_SCOPE, ...pickScope(buildFilter(query, request)) };
  const isKnown = checkTerms(store, filter, [...words.flatMap(tokenise), ...joinedTerms(words)]);
  const asked = new Set(parseQuestion(query.words, now).terms);
  const replaced: Replacement[] = [];
  const unknown: string[] = [];
  const isTypedEnd = (word: string) => isTyping && word === words.at(-1) && /\S$/.test(text);
  // One or two letters of a word that is being typed would match nothing, and hide what the words before it found.
  const isTooShort = (word: string) => word.length <= LONGEST_START && !tokenise(word).some(isKnown);
  const findOther = (part: string, isTyped: boolean) => {
    const near = findReplacement(store, part, filter, isTyped);
    // Two words that were written as one are meant; else a word that the thesaurus has is spelled right.
    return near?.includes(' ') ? near : (findOtherWord(store, part, filter) ?? near);
  };
  const replace = (word: string): string => {
    // The name of an error means exactly this one.
    if (hasErrorName(word)) return word;
    if (isTypedEnd(word) && isTooShort(word) && words.length > 1) return '';
    const terms = tokenise(word);
    if (!terms.some((term) => asked.has(term))) return word;
    const used =
      replaced.length === MOST_REPLACED
        ? word
        : correctWord(word, isKnown, (part) => findOther(part, isTypedEnd(word)));
    if (used !== word) replaced.push({ typed: word, used });
    else if (!terms.some(isKnown)) unknown.push(word);
    return used;
  };
  const corrected = pieces.map((piece) =>
    piece.kind === 'words' ? piece.text.replace(WORD, replace) : piece.text,
  );
  const names = replaced.length > 0 ? [] : listJoined(words).filter(({ name }) => isKnown(tokenise(name)[0]));
  const isOnlyJoined = ({ name, first }: JoinedName) => hasWithout(store, filter, name, first);
  return {
    text: [corrected.join(''), ...names.filter(isOnlyJoined).map(({ name }) => name)].join(' '),
    replaced,
    unknown,
  };
}

/** Whether a memory has the one without the other. */
function hasWithout(store: NearWordStore, filter: SearchFilter, one: string, other: string): boolean {
  const [any, without] = [tokenise(one).slice(0, 1), tokenise(other).slice(0, 1)];
  return store.findSearchCandidates({ any, pairs: [] }, { ...filter, without }, 1).length > 0;
}

/** Other filters do not change which words there are. */
const WHOLE_SCOPE = {
  ...{ phrases: [], without: [], types: [], branches: [], agents: [], files: [] },
  ...{ since: null, before: null },
};

function pickScope({ projects, kinds }: SearchFilter): Pick<SearchFilter, 'projects' | 'kinds'> {
  return { projects, kinds };
}

/** A compound is known as a whole, or else by its parts. */
function correctWord(
  word: string,
  isKnown: (term: string | undefined) => boolean,
  find: (part: string) => string | undefined,
): string {
  const [whole, ...parts] = tokenise(word);
  if (isKnown(whole)) return word;
  if (parts.length === 0) return find(word) ?? word;
  if (parts.every(isKnown)) return word;
  const meant = find(word);
  if (meant) return meant;
  return word
    .split(/(?<=[A-Za-z0-9])(?=[^A-Za-z0-9])|(?<=[^A-Za-z0-9])(?=[A-Za-z0-9])|(?<=[a-z0-9])(?=[A-Z])/)
    .map((part) => (tokenise(part).every(isKnown) ? part : (find(part) ?? part)))
    .join('');
}

function checkTerms(
  store: NearWordStore,
  filter: SearchFilter,
  terms: string[],
): (term: string | undefined) => boolean {
  const all = [...new Set(terms)];
  const { terms: counts } = store.countTerms(filter, all, 1);
  const known = new Set(all.filter((_, index) => (counts[index] ?? 0) > 0));
  return (term) => term !== undefined && known.has(term);
}

function joinedTerms(words: string[]): string[] {
  return listJoined(words).flatMap(({ name }) => tokenise(name).slice(0, 1));
}

interface JoinedName {
  name: string;
  /** Its first word. */
  first: string;
}

/** `web socket` is also written `websocket`. */
function listJoined(words: string[]): JoinedName[] {
  const names: JoinedName[] = [];
  if (words.length > MOST_IN_NAMES) return names;
  for (let from = 0; from < words.length; from++)
    for (let count = 2; count <= MOST_JOINED && from + count <= words.length; count++) {
      const parts = words.slice(from, from + count).map((word) => word.toLowerCase());
      // `log in` is a name, `in the` is none.
      const isName = parts.every((part, at) => /^[a-z0-9]+$/.test(part) && (at > 0 || !STOP_WORDS.has(part)));
      if (isName && parts.filter((part) => STOP_WORDS.has(part)).length < 2)
        names.push({ name: parts.join(''), first: parts[0] ?? '' });
    }
  return names;
}
