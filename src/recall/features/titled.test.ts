import { expect, it, test } from 'vitest';
import { joinHeader } from '../../indexing/header.ts';
import { tokenise } from '../../indexing/tokenise.ts';
import type { SearchDoc } from '../../store/types/search.ts';
import { matchDoc } from '../match.ts';
import { parseQuestion } from '../parse-question.ts';
import { readContent } from './content.ts';
import { learnFromBest } from './feedback.ts';
import { countInFields } from './fields.ts';
import { compareGrams } from './grams.ts';
import { findJoinedNames } from './joined.ts';
import { comparePairs } from './pairs.ts';

interface Written {
  title?: string;
  body?: string;
  names?: string;
  files?: string;
}

let lastId = 0;

function docOf({ title = '', body = '', names = '', files = '' }: Written): SearchDoc {
  const header = joinHeader(indexed(names), indexed(files));
  return { id: ++lastId, title: indexed(title), body: indexed(body), header } as SearchDoc;
}

function indexed(text: string): string {
  return text === '' ? '' : ` ${tokenise(text).join(' ')} `;
}

/** The places of these documents in the order of their values, best first. */
function order<T>(items: T[], measure: (item: T) => number): number[] {
  return [...items.keys()].sort((a, b) => measure(items[b] as T) - measure(items[a] as T));
}

const cases: { name: string; question: string; docs: Written[]; measure: 'fields' | 'grams' | 'pairs' }[] = [
  {
    name: 'a symbol counts more than a file, and a file as much as the text',
    question: 'upload',
    docs: [{ names: 'upload' }, { files: 'src/upload.ts' }, { body: 'nothing here' }],
    measure: 'fields',
  },
  {
    name: 'the title counts more than the text',
    question: 'upload',
    docs: [
      { title: 'retry the upload once', body: 'it gave up' },
      { title: 'retry that once more', body: 'upload gave up' },
      { title: 'retry it', body: 'no' },
    ],
    measure: 'fields',
  },
  {
    name: 'another form of a word shares most of its characters',
    question: 'deduplication',
    docs: [{ title: 'dedupe modules' }, { title: 'reduce memory' }],
    measure: 'grams',
  },
  {
    name: 'a name shares its characters with its words',
    question: 'filename',
    docs: [{ title: 'the name of a file' }, { title: 'other things' }],
    measure: 'grams',
  },
  {
    name: 'adjacent words count more than words with one between them, and these more than words apart',
    question: 'exit code',
    docs: [
      { body: 'the exit code was lost' },
      { body: 'exit worker code' },
      { body: 'code was lost when all the workers had to exit' },
    ],
    measure: 'pairs',
  },
];

it.each(cases)('$name', ({ question, docs: written, measure }) => {
  const terms = tokenise(question);
  const docs = written.map(docOf);
  const contents = new Map(docs.map((doc) => [doc, readContent(doc)]));
  const inFields = countInFields(docs);
  const grams = compareGrams(terms, docs);
  const pairs = comparePairs(terms, contents.values());
  const measures = {
    fields: (doc: SearchDoc) => inFields(matchDoc(doc, terms, 10)).reduce((sum, value) => sum + value, 0),
    grams,
    pairs: (doc: SearchDoc) => pairs(contents.get(doc) ?? readContent(doc)),
  };
  expect(order(docs, measures[measure])).toEqual([...docs.keys()]);
  const values = docs.map(measures[measure]);
  expect(new Set(values).size).toBe(docs.length);
});

test('words of the best documents count where the question has none of them', () => {
  const docs = [
    { title: 'uploader retries with backoff', body: 'jitter and backoff' },
    { title: 'uploader retries', body: 'backoff with jitter' },
    { title: 'backoff without jitter' },
    { title: 'colours of the buttons' },
  ].map(docOf);
  const ranked = docs.map((doc, index) => ({ content: readContent(doc), score: index < 2 ? 1 : 0 }));
  const feedback = learnFromBest(tokenise('uploader'), ranked);
  const [, , about, other] = ranked.map(({ content }) => feedback(content));
  expect(other).toBe(0);
  expect(about).toBeGreaterThan(0);
});

test('a document that was not compared before has a value too', () => {
  const [one, other] = [docOf({ title: 'exit code' }), docOf({ title: 'exit code' })];
  const terms = tokenise('exit code');
  const pairs = comparePairs(terms, [readContent(one)]);
  const grams = compareGrams(terms, [one]);
  expect(pairs(readContent(other))).toBe(pairs(readContent(one)));
  expect(grams(other)).toBe(grams(one));
});

const joinedNames: { question: string; doc: Written; weight: number }[] = [
  { question: 'format element of a node', doc: { names: 'formatElement' }, weight: 2 },
  { question: 'format element of a node', doc: { title: 'rename format_element' }, weight: 2 },
  { question: 'format element of a node', doc: { names: 'format element' }, weight: 0 },
  { question: 'format element of a node', doc: { names: 'formatElementNode' }, weight: 3 },
];

it.each(joinedNames)('"$question" names $doc with $weight words', ({ question, doc, weight }) => {
  const parsed = parseQuestion(question, 0);
  expect(findJoinedNames(parsed, [1, 1, 1])(docOf(doc))).toBe(weight);
});
