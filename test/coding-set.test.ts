import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OBSERVATION_TYPES } from '../src/model/memory.ts';

const folder = resolve(import.meta.dirname, '../bench/coding-set');

interface Doc {
  id: string;
  group: string;
  session: string;
  at: string;
  kind: string;
  type: string | null;
  title: string;
  text: string;
  files: string[];
}

interface Question {
  id: string;
  group: string;
  category?: string;
  text: string;
  relevant: string[];
}

const docs: Doc[] = linesOf('docs.jsonl');
const queries: Question[] = linesOf('queries.jsonl');
const prompts: Question[] = linesOf('prompts.jsonl');
const groupOf = new Map(docs.map(({ id, group }) => [id, group]));

describe('the memories of the coding set', () => {
  test('have unique ids', () => {
    expect(groupOf.size).toBe(docs.length);
  });

  test('have a title, a time, and a known kind and type', () => {
    const types: (string | null)[] = [...OBSERVATION_TYPES, null];
    const bad = docs.filter(
      ({ kind, type, title, at }) =>
        !['observation', 'summary', 'note'].includes(kind) ||
        !types.includes(type) ||
        title === '' ||
        Number.isNaN(Date.parse(at)),
    );
    expect(bad).toEqual([]);
  });

  test('contain no e-mail address and no folder of the machine they were made on', () => {
    const bad = docs.filter((doc) =>
      /\b[\w.+-]+@[\w-]+\.(com|org|net|io|jp|de)\b|\/tmp\/|\/root\//.test(JSON.stringify(doc)),
    );
    expect(bad.map(({ id }) => id)).toEqual([]);
  });

  test('come from sources with a named licence', () => {
    const licences = readFileSync(resolve(folder, 'LICENSES.md'), 'utf8');
    const sources: { group: string; repository: string; licence: string; copyright: string }[] = JSON.parse(
      readFileSync(resolve(folder, 'sources.json'), 'utf8'),
    );
    expect(new Set(docs.map(({ group }) => group))).toEqual(
      new Set(['sessions', ...sources.map(({ group }) => group)]),
    );
    for (const { group, repository, licence, copyright } of sources) {
      expect(['MIT', 'Apache-2.0', 'BSD-3-Clause', 'ISC']).toContain(licence);
      expect(licences).toContain(`| ${group} | ${repository} | ${licence} | ${copyright} |`);
    }
  });
});

describe('the questions of the coding set', () => {
  test.each([
    { name: 'queries.jsonl', questions: queries },
    { name: 'prompts.jsonl', questions: prompts },
  ])('$name: unique ids, relevant memories of the same group', ({ questions }) => {
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    const lost = questions.flatMap(({ id, group, relevant }) =>
      relevant.filter((doc) => groupOf.get(doc) !== group).map((doc) => `${id}: ${doc}`),
    );
    expect(lost).toEqual([]);
  });

  test('include at least 300 queries, each with an answer, of every category', () => {
    expect(queries.length).toBeGreaterThanOrEqual(300);
    expect(queries.filter(({ relevant }) => relevant.length === 0)).toEqual([]);
    const categories = new Set(queries.map(({ category }) => category));
    expect([...categories].sort()).toEqual([
      'decision',
      'error',
      'file',
      'how',
      'paraphrase',
      'second-memory',
      'symbol',
      'time',
      'two-memories',
      'vague',
      'why',
    ]);
  });

  test('do not repeat the title of a memory', () => {
    const titles = new Set(docs.map(({ title }) => title.toLowerCase()));
    expect(queries.filter(({ text }) => titles.has(text.toLowerCase()))).toEqual([]);
  });

  test('include at least 60 prompts that need a memory and 60 that do not', () => {
    const needing = prompts.filter(({ relevant }) => relevant.length > 0);
    expect(needing.length).toBeGreaterThanOrEqual(60);
    expect(prompts.length - needing.length).toBeGreaterThanOrEqual(60);
  });
});

function linesOf<T>(name: string): T[] {
  return readFileSync(resolve(folder, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
