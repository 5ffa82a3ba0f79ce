import type { QueryWords, SearchFilter, SearchScope } from '../types/search.ts';

/** FTS5 expressions. Every word goes through `quoteTerm`, so none can be syntax. */

/** Any of the words, all of the phrases, no excluded word, inside the scope. */
export function buildMatch(words: QueryWords, filter: SearchFilter, members: number[] | null): string {
  const pairs = words.pairs.map((pair) => `(${pair.map(quoteTerm).join(' AND ')})`);
  const wanted = matchAll([
    inText(anyOf([...words.any.map(quoteTerm), ...pairs])),
    ...filter.phrases.map((phrase) => inText(quoteTerm(phrase))),
    buildScopeMatch(filter, members),
    filter.types.length > 0 ? `scope : ${anyOf(filter.types.map((type) => quoteTerm(typeToken(type))))}` : '',
  ]);
  const unwanted = filter.without.map((phrase) => inText(quoteTerm(phrase)));
  return unwanted.length > 0 ? `(${wanted}) NOT ${anyOf(unwanted)}` : wanted;
}

/** Projects and kinds, as stored in the last column of the index. */
export function buildScopeMatch({ kinds }: SearchScope, members: number[] | null): string {
  const withPrompts = kinds.includes('prompt');
  const memoryKinds = kinds.filter((kind) => kind !== 'prompt');
  const everyMemory = memoryKinds.length === 3;
  if (members === null) return everyMemory && withPrompts ? '' : scopes(kinds.map((kind) => `k${kind}`));
  return matchAll([
    scopes([
      ...(memoryKinds.length > 0 ? [...members.map((id) => `m${id}`), 'mglobal'] : []),
      ...(withPrompts ? members.map((id) => `q${id}`) : []),
    ]),
    everyMemory || memoryKinds.length === 0 ? '' : scopes(kinds.map((kind) => `k${kind}`)),
  ]);
}

export function listScopeTokens(doc: {
  kind: string;
  type: string | null;
  projectId: number | null;
  isGlobal: boolean;
}): string[] {
  return [
    `${doc.kind === 'prompt' ? 'q' : 'm'}${doc.projectId ?? 0}`,
    `k${doc.kind}`,
    ...(doc.type ? [typeToken(doc.type)] : []),
    ...(doc.isGlobal ? ['mglobal'] : []),
  ];
}

function typeToken(type: string): string {
  return `t${type.toLowerCase().replace(/[^a-z]/g, '')}`;
}

function scopes(tokens: string[]): string {
  return `scope : ${anyOf(tokens.length > 0 ? tokens : ['nowhere'])}`;
}

/** Restricts an expression to the columns with readable text. */
export function inText(expression: string): string {
  return `{title body header} : ${expression}`;
}

function anyOf(expressions: string[]): string {
  return `(${expressions.join(' OR ')})`;
}

export function matchAll(expressions: string[]): string {
  return expressions
    .filter((expression) => expression !== '')
    .map((expression) => `(${expression})`)
    .join(' AND ');
}

/** Tokens contain neither quotes nor NULs; a text with one matches nothing. */
export function quoteTerm(words: string): string {
  return `"${words.replace(/["\0]/g, ' ')}"`;
}
