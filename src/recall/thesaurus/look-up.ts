import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokenise } from '../../indexing/tokenise.ts';
import { packageRoot } from '../../platform/installation.ts';
import { hasForms, isNearForm } from '../near-forms.ts';
import type { PromptWord } from '../prompt-words.ts';
import { ALL_LANGUAGES, guessLanguages } from './guess-languages.ts';

/** Another word for the same, as terms that have to be there together. */
export type RelatedWord = string[];

/** Gives other words that people use for the same as a word of this text: English ones and those of its language. */
export type RelatedLookup = (word: PromptWord) => RelatedWord[];

export function createRelatedLookup(text: string): RelatedLookup {
  const tables = ['en', ...guessLanguages(text)].map(readTable);
  const unspaced = UNSPACED.test(text) ? tables.flatMap((table) => findUnspaced(table, text)) : [];
  const known = new Map<string, RelatedWord[]>();
  const lookUp = (word: PromptWord) => {
    const rows = word.isRun
      ? unspaced.filter((each) => isPart(each.word, word)).map(({ row }) => row)
      : tables.flatMap((table, index) => findRows(table, word, index > 0));
    return listOthers(word, rows, tables);
  };
  return (word) => {
    const key = word.terms.join(' ');
    const related = known.get(key) ?? lookUp(word);
    known.set(key, related);
    return related;
  };
}

/**
 * The same for words of which too few are there to tell the language: those that are not English are looked for in every
 * language, each in exactly this form, and get the words of every language if `inAll`.
 */
export function lookUpInAllLanguages(words: PromptWord[], { inAll = false } = {}): RelatedWord[][] {
  const english = readTable('en');
  const others = ALL_LANGUAGES.map(readTable);
  return words.map((word) => {
    const rows = findExactRows(english, word);
    if (rows.length > 0) return listOthers(word, rows, inAll ? [english, ...others] : [english]);
    return others.flatMap((table) =>
      listOthers(word, findExactRows(table, word), inAll ? [english, ...others] : [english, table]),
    );
  });
}

function findExactRows(table: Table, word: PromptWord): number[] {
  if (!word.isRun) return findRows(table, word, false);
  return findUnspaced(table, word.written).flatMap(({ row, word: found }) =>
    found === word.written ? [row] : [],
  );
}

/** What these rows have besides the word itself. */
function listOthers({ terms: own }: PromptWord, rows: number[], tables: Table[]): RelatedWord[] {
  const known = new Set(own);
  return [...new Set(rows)]
    .flatMap((row) => tables.flatMap((table) => table.rows[row]?.split(' ').filter(Boolean) ?? []))
    .map(toTerms)
    .filter((terms) => !terms.every((term) => known.has(term)));
}

/** A language of the thesaurus: its rows one below the other, and each by itself. */
interface Table {
  text: string;
  rows: string[];
}

const UNSPACED = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;
/** All forms of a word begin with so many of its letters. */
const HEAD = 4;

/** The rows that have the word; of languages that the index has no stems of, also those that have a form of it. */
function findRows({ text }: Table, { terms }: PromptWord, withForms: boolean): number[] {
  return terms.flatMap((term) => [
    ...placesOf(` ${term} `, text).map((at) => rowAt(text, at)),
    ...(withForms && hasForms(term) ? placesOf(` ${term.slice(0, HEAD)}`, text) : [])
      .filter((at) => isNearForm(term, text.slice(at + 1, text.indexOf(' ', at + 1))))
      .map((at) => rowAt(text, at)),
  ]);
}

/** The words of scripts without spaces that a text has, with their rows. */
function findUnspaced({ rows }: Table, text: string): { word: string; row: number }[] {
  return rows.flatMap((words, row) =>
    words
      .split(' ')
      .filter((word) => UNSPACED.test(word) && text.includes(word))
      .map((word) => ({ word, row })),
  );
}

/** Of a text without spaces, words are pieces that may be longer or shorter than those of the table. */
function isPart(word: string, { written }: PromptWord): boolean {
  return written.includes(word) || word.includes(written);
}

function placesOf(part: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

function rowAt(text: string, at: number): number {
  let row = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) row++;
  return row;
}

function toTerms(word: string): RelatedWord {
  return UNSPACED.test(word) ? tokenise(word).filter((term) => [...term].length === 2) : word.split('-');
}

const tables = new Map<string, Table>();

function readTable(language: string): Table {
  const table = tables.get(language) ?? loadTable(language);
  tables.set(language, table);
  return table;
}

/** Without its file, as in a damaged installation, there are no other words. */
function loadTable(language: string): Table {
  const folder = join(packageRoot(), 'dist', 'assets', 'recall', 'thesaurus');
  try {
    const text = readFileSync(join(folder, `${language}.txt`), 'utf8');
    return { text, rows: text.split('\n') };
  } catch {
    return { text: '', rows: [] };
  }
}
