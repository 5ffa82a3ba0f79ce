import { tokenise } from '../../indexing/tokenise.ts';
import { listErrorNames, parseErrors } from '../../model/error-text.ts';
import { parseQuery } from '../parse-query.ts';
import type { RecallRequest } from '../request.ts';

/** The names of errors that a query gives, which what is found first has to contain. */
export interface ExactNames {
  /** Of each name the phrases of the index that are this name. */
  phrases: string[][];
  /** Whether nothing else was asked for: then what lacks the name is no answer. */
  isAll: boolean;
  /** Whether the names are those of any program, so that a memory with one of them need not be about the same. */
  areCommon: boolean;
}

const COMMON_NAMES = new Set(
  (
    'TypeError ReferenceError SyntaxError RangeError ValueError KeyError AttributeError RuntimeError IndexError NameError ' +
    'AssertionError ImportError OSError IOError NullPointerException RuntimeException IllegalArgumentException ' +
    'IllegalStateException ArgumentError NoMethodError InvalidOperationException'
  ).split(' '),
);

/** Null for a query without the name of an error, and for one that says itself what must be in the answer. */
export function findExactNames({ text, now }: RecallRequest): ExactNames | null {
  const { words, phrases } = parseQuery(text, now);
  if (phrases.length > 0) return null;
  const isPasted = words.includes('\n');
  const names = listErrorNames(isPasted ? (parseErrors(words, 1)[0]?.name ?? '') : words);
  if (names.length === 0) return null;
  const rest = names.reduce((left, name) => left.replace(name, ' '), words);
  return {
    phrases: names.map(phrasesOf),
    isAll: !isPasted && tokenise(rest).length === 0,
    areCommon: names.every((name) => COMMON_NAMES.has(name)),
  };
}

/** The parts of the name in a row: MODULE_NOT_FOUND is in ERR_MODULE_NOT_FOUND, and in "module not found". */
function phrasesOf(name: string): string[] {
  const [whole = '', ...parts] = tokenise(name);
  return parts.length > 0 ? [parts.join(' '), whole] : [whole];
}
