import { baseName, kindOfFile } from './calls/paths.ts';
import type { Evidence } from './evidence.ts';
import type { Sentence } from './text/sentences.ts';

const languages = new Map(
  Object.entries({
    ts: 'TypeScript',
    tsx: 'React',
    jsx: 'React',
    js: 'JavaScript',
    mjs: 'JavaScript',
    cjs: 'JavaScript',
    py: 'Python',
    rs: 'Rust',
    go: 'Go',
    rb: 'Ruby',
    java: 'Java',
    kt: 'Kotlin',
    cs: 'C#',
    cpp: 'C++',
    c: 'C',
    php: 'PHP',
    swift: 'Swift',
    sh: 'shell',
    sql: 'SQL',
    css: 'CSS',
    html: 'HTML',
    vue: 'Vue',
    svelte: 'Svelte',
    md: 'documentation',
    yml: 'YAML',
    yaml: 'YAML',
  }),
);

const errorCode =
  /\b(?:E[A-Z]{4,}|ERR_[A-Z_]+|[A-Z]\w+(?:Error|Exception)|TS\d{4}|E\d{4}|HTTP \d{3}|\b[45]\d\d(?= (?:error|status|response)))\b/g;
const name = /^[\p{L}_$][\p{L}\p{N}_$.-]{2,30}(?:\(\))?$/u;

/** Words to find a memory by: names in code spans, changed functions, packages, errors, languages. */
export function findConcepts(
  { edits, packages }: Pick<Evidence, 'edits' | 'packages'>,
  sentences: Sentence[],
): string[] {
  const named = sentences
    .flatMap(({ code }) => code)
    .filter((code) => name.test(code) && !code.includes('/'));
  const errors = sentences.flatMap(({ text }) => text.match(errorCode) ?? []);
  const sources = edits.filter(({ path }) => kindOfFile(path) !== 'test');
  const few = (sources.length > 0 ? sources : edits).slice(0, 6);
  return unique([
    ...packages.map((each) => each.name),
    ...named.slice(0, 4).map((each) => each.replace(/\(\)$/, '')),
    ...few.flatMap(({ symbols }) => symbols.slice(0, 2)),
    ...errors.filter((error) => !/^Assert/.test(error)),
    ...few.map(({ path }) => baseName(path).replace(/(?:\.(?:test|spec))?\.\w+$/, '')),
    ...few.map(({ path }) => languages.get(path.slice(path.lastIndexOf('.') + 1)) ?? ''),
  ]).slice(0, 8);
}

function unique(words: string[]): string[] {
  const seen = new Map<string, string>();
  for (const word of words) {
    const key = word.toLowerCase();
    if (word !== '' && !seen.has(key)) seen.set(key, word);
  }
  return [...seen.values()];
}
