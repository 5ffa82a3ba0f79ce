import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../src/platform/installation.ts';

/** Refuses the words that docs/glossary.md avoids, in everything that a person or a model reads. */

interface Text {
  file: string;
  text: string;
}

const root = packageRoot();
const scanner: { codeOnly: (source: string, onComment?: (text: string) => void) => string } = await import(
  join(root, 'scripts/source-text.mjs')
);
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !/\/payloads\/|^bench\/(?:coding-set|recall-training)\//.test(file));
const glossary = read('docs/glossary.md');
const REFUSED = [...readRefused(), ...readAvoided().map(asPattern)];
const NOT_IN_NAMES = readNotInNames();

/** Strings here are data: words of people and rules for secrets, not messages. */
const WITH_DATA =
  /^src\/(?:distill\/(?:offline|phrases)|capture\/redact)\/|^src\/indexing\/(?:stop-words|synonyms)\.ts$|^src\/recall\/(?:question-frames|claims\/prompt-kind)\.ts$/;
const code = files.filter((file) => /^(?:src|bench|scripts|attack)\/.*(?<!\.test)\.(?:ts|mjs)$/.test(file));
const product = code.filter((file) => file.startsWith('src/'));

const KINDS = [
  { name: 'documents', texts: documents() },
  { name: 'messages', texts: product.filter((file) => !WITH_DATA.test(file)).map(messagesIn) },
  { name: 'comments', texts: [...product.map(commentsIn), ...shellScripts()] },
  { name: 'identifiers', texts: code.map(identifiersIn) },
  { name: 'file names', texts: files.map((file) => ({ file, text: wordsOf(file.replaceAll('/', ' ')) })) },
];

describe.each(KINDS)('$name', ({ texts }) => {
  test.each(REFUSED)('do not have $source', ({ pattern }) => {
    const found = texts.flatMap(({ file, text }) =>
      [...text.matchAll(pattern)].map(
        ({ index }) => `${file}: …${text.slice(Math.max(0, index - 30), index + 30)}…`,
      ),
    );
    expect(found).toEqual([]);
  });
});

test.each(NOT_IN_NAMES)('no name has the word %s', (word) => {
  const pattern = asPattern(word).pattern;
  const names = KINDS.filter(({ name }) => name === 'identifiers' || name === 'file names');
  const found = names.flatMap(({ texts }) => texts.filter(({ text }) => text.match(pattern)));
  expect(found.map(({ file }) => file)).toEqual([]);
});

test('the glossary has words and phrases to refuse', () => {
  expect(readRefused().length).toBeGreaterThan(10);
  expect(readAvoided().length).toBeGreaterThan(20);
  expect(NOT_IN_NAMES).toContain('manager');
});

test('comments and identifiers are found', () => {
  const source = "// For anyBody.\nconst inBox = 'a message'; /* nobody's */";
  expect(commentsOf(source)).toBe("// For anyBody.\n/* nobody's */");
  expect(wordsOf(scanner.codeOnly(source))).toContain('in box');
});

function readRefused(): { source: string; pattern: RegExp }[] {
  const block = /^```refused\n(.*?)^```$/ms.exec(glossary)?.[1] ?? '';
  return block
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [source = ''] = line.split(/ {2,}/);
      return { source, pattern: new RegExp(source, 'g') };
    });
}

function readAvoided(): string[] {
  return [...glossary.matchAll(/^\*Avoid:\* (.*)\.$/gm)].flatMap(([, words = '']) => words.split(', '));
}

function readNotInNames(): string[] {
  return (/^## Not in names\n\n([^:]*):/m.exec(glossary)?.[1] ?? '').split(', ');
}

function asPattern(word: string): { source: string; pattern: RegExp } {
  return { source: word, pattern: new RegExp(`\\b${word}s?\\b`, 'gi') };
}

function documents(): Text[] {
  const named = files.filter((file) =>
    /^(?:src\/.*|[^/]+)\.md$|^(?:docs|plugins|\.claude-plugin|\.github)\//.test(file),
  );
  return named.map((file) => ({
    file,
    // The glossary itself lists what to avoid.
    text: read(file).replace(/^\*Avoid:\*.*$|^```refused\n.*?^```$/gms, ''),
  }));
}

/** Every string and piece of a template. */
function messagesIn(file: string): Text {
  const source = read(file);
  const pieces = [...scanner.codeOnly(source).matchAll(/['"`}]\s*(?=['"`]|\$\{)/g)].map(
    ({ 0: found, index }) => source.slice(index + 1, index + found.length),
  );
  return { file, text: pieces.join('\n') };
}

function commentsIn(file: string): Text {
  return { file, text: commentsOf(read(file)) };
}

function commentsOf(source: string): string {
  const comments: string[] = [];
  scanner.codeOnly(source, (text) => comments.push(text));
  return comments.join('\n');
}

function shellScripts(): Text[] {
  return files.filter((file) => /^src\/.*\.sh$/.test(file)).map((file) => ({ file, text: read(file) }));
}

/** One per line; `toldWork` and `told_work` become `told work`. */
function identifiersIn(file: string): Text {
  const identifiers = scanner.codeOnly(read(file)).match(/[\w$]+/g) ?? [];
  return { file, text: wordsOf([...new Set(identifiers)].join('\n')) };
}

function wordsOf(text: string): string {
  return text.replaceAll(/([a-z0-9])([A-Z])|[_-]+/g, '$1 $2').toLowerCase();
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
