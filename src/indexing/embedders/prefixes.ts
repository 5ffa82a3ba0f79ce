import type { Purpose } from './embedder.ts';

/** The prefixes with which models were trained, by name. Without them some models find a third less. */
const PREFIXES: [RegExp, Record<Purpose, string>][] = [
  [/nomic-embed-text/, { memory: 'search_document: ', query: 'search_query: ' }],
  [/(?:^|[/_-])e5-/, { memory: 'passage: ', query: 'query: ' }],
  [
    /(?:bge-(?:small|base|large)-en|mxbai-embed|snowflake-arctic-embed)/,
    { memory: '', query: 'Represent this sentence for searching relevant passages: ' },
  ],
  [/embeddinggemma/, { memory: 'title: none | text: ', query: 'task: search result | query: ' }],
];

export function addPrefix(text: string, model: string, purpose: Purpose): string {
  const found = PREFIXES.find(([name]) => name.test(model.toLowerCase()));
  return `${found?.[1][purpose] ?? ''}${text}`;
}
