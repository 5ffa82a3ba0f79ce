import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../src/platform/installation.ts';

/** The words that docs/glossary.md refuses, in everything that a person or a model reads. */

const root = packageRoot();
const scanner: { codeOnly: (source: string) => string } = await import(join(root, 'scripts/source-text.mjs'));
const REFUSED = readRefused(read('docs/glossary.md'));

describe.each(REFUSED)('instead of $source', ({ pattern }) => {
  test.each([
    { name: 'documents', texts: documents() },
    { name: 'messages', texts: messages() },
  ])('$name', ({ texts }) => {
    const found = texts.flatMap(({ file, text }) =>
      [...text.matchAll(pattern)].map(
        ({ index }) => `${file}: …${text.slice(Math.max(0, index - 30), index + 30)}…`,
      ),
    );
    expect(found).toEqual([]);
  });
});

test('the glossary refuses something', () => {
  expect(REFUSED.length).toBeGreaterThan(10);
});

function readRefused(glossary: string): { source: string; pattern: RegExp }[] {
  const block = /^```refused\n(.*?)^```$/ms.exec(glossary)?.[1] ?? '';
  return block
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [source = ''] = line.split(/ {2,}/);
      return { source, pattern: new RegExp(source, 'g') };
    });
}

function documents(): { file: string; text: string }[] {
  const files = [
    ...readdirSync(root).filter((name) => name.endsWith('.md')),
    ...filesIn('docs'),
    ...filesIn('plugins'),
  ];
  return files.map((file) => ({
    file,
    // The glossary itself lists what to avoid.
    text: read(file).replace(/^\*Avoid:\*.*$|^```refused\n.*?^```$/gms, ''),
  }));
}

/** Every string and piece of a template in the program, without comments. */
function messages(): { file: string; text: string }[] {
  const files = filesIn('src').filter(
    (file) =>
      file.endsWith('.ts') &&
      !/\.test\.ts$|\/payloads\/|^src\/distill\/offline\/|^src\/indexing\/stop-words|^src\/store\//.test(
        file,
      ),
  );
  return files.map((file) => {
    const source = read(file);
    const pieces = [...scanner.codeOnly(source).matchAll(/['"`}]\s*(?=['"`]|\$\{)/g)].map(
      ({ 0: found, index }) => source.slice(index + 1, index + found.length),
    );
    return { file, text: pieces.join('\n') };
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
