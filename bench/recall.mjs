// npm run bench -- recall --data <folder> [--json]: the quality of recall on a set of documents and questions, compared
// with plain FTS5. docs/recall-measurements.md describes the format. Uses the product's own index and recall.

import fs from 'node:fs';
import { join } from 'node:path';
import { workFolder } from './home.mjs';
import { openPlainIndex } from './plain-fts5.mjs';
import { loadProduct } from './product.mjs';
import { fillStore, timeOf } from './recall-store.mjs';

const LIMIT = 20;
const DAY = 86_400_000;
/** Questions that the set itself marks as unanswerable; they get a separate row. */
const NOT_IN_HEADLINE = '5';
const PLAIN_COLUMNS = ['R@5', 'R@10', 'MRR'];

export async function runRecall({ data, json, say }) {
  const { documents, queries } = readSet(data);
  say(`${documents.length} documents, ${queries.length} questions …`);
  const results = await askAll(documents, queries);
  const report = reportOf(results);
  console.log(json ? JSON.stringify(report) : textOf(report, results.length));
}

function readSet(folder) {
  if (!folder) throw new Error('recall needs --data <folder> with docs.jsonl and queries.jsonl in it.');
  if (!fs.existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  const documents = readLines(join(folder, 'docs.jsonl'), ['id', 'group', 'text']);
  const queries = readLines(join(folder, 'queries.jsonl'), ['id', 'group', 'text', 'relevant']);
  for (const [name, list] of Object.entries({ 'docs.jsonl': documents, 'queries.jsonl': queries }))
    if (list.length === 0) throw new Error(`${join(folder, name)} is empty.`);
  const known = new Set(documents.map(({ id }) => id));
  if (known.size < documents.length) throw new Error('docs.jsonl has the same id twice.');
  for (const { id, relevant } of queries)
    if (!Array.isArray(relevant) || relevant.length === 0)
      throw new Error(`queries.jsonl: ${id} has no list of relevant documents.`);
  return { documents: documents.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)), queries };
}

function readLines(path, required) {
  if (!fs.existsSync(path)) throw new Error(`There is no file ${path}.`);
  return fs
    .readFileSync(path, 'utf8')
    .split('\n')
    .map((line, index) => ({ line: line.replace(/^\uFEFF/, ''), number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => {
      const value = parsed(line);
      if (typeof value !== 'object' || value === null)
        throw new Error(`${path}, line ${number}: not a JSON object.`);
      for (const name of required)
        if (value[name] === undefined) throw new Error(`${path}, line ${number}: it has no "${name}".`);
      return value;
    });
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Asks each question in its own group. A group without documents finds nothing. */
async function askAll(documents, queries) {
  const product = await loadProduct();
  const folder = workFolder();
  const path = join(folder, 'recall.db');
  const { projects, documentOf } = fillStore(product, path, documents);
  const store = product.openSqliteStore(path);
  product.updateIndex(store);
  const plain = openPlainIndex(product, join(folder, 'plain.db'), documents);
  const lastIn = new Map();
  for (const document of documents)
    lastIn.set(document.group, Math.max(lastIn.get(document.group) ?? 0, timeOf(document)));
  const results = queries.map(({ text, group, category, relevant }) => {
    const projectId = projects.get(group) ?? null;
    const now = (lastIn.get(group) ?? 0) + DAY;
    const began = performance.now();
    const hits = product.recall(store, {
      text: String(text),
      projectId,
      reach: 'project',
      limit: LIMIT,
      now,
    });
    const ms = performance.now() - began;
    return {
      category: String(category ?? ''),
      relevant: new Set(relevant),
      found: hits.map(({ id }) => documentOf.get(id)),
      plain: plain.find(String(text), group, LIMIT),
      ms,
    };
  });
  store.close();
  plain.close();
  return results;
}

function reportOf(results) {
  const names = [...new Set(results.map(({ category }) => category))].sort();
  const times = results.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share) => rounded(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0, 2);
  const inPlain = results.map((result) => ({ ...result, found: result.plain }));
  const counted = ({ category }) => category !== NOT_IN_HEADLINE;
  const byCategory = (all) =>
    Object.fromEntries(
      names.map((name) => {
        const those = all.filter(({ category }) => category === name);
        return [name, { questions: those.length, ...figuresOf(those) }];
      }),
    );
  return {
    headline: figuresOf(results.filter(counted)),
    categories: byCategory(results),
    plain: { headline: figuresOf(inPlain.filter(counted)), categories: byCategory(inPlain) },
    ms: { p50: at(0.5), p95: at(0.95) },
  };
}

function figuresOf(results) {
  const mean = (value) =>
    results.reduce((sum, result) => sum + value(result), 0) / Math.max(results.length, 1);
  const shareIn = (count) => (result) =>
    result.found.slice(0, count).filter((id) => result.relevant.has(id)).length / result.relevant.size;
  const percent = (value) => rounded(100 * mean(value), 1);
  return {
    'R@5': percent(shareIn(5)),
    'R@10': percent(shareIn(10)),
    'R@20': percent(shareIn(20)),
    'hit@10': percent((result) => (shareIn(10)(result) > 0 ? 1 : 0)),
    MRR: rounded(
      mean(({ found, relevant }) => {
        const first = found.findIndex((id) => relevant.has(id));
        return first < 0 ? 0 : 1 / (first + 1);
      }),
      3,
    ),
  };
}

function rounded(value, digits) {
  return Number(value.toFixed(digits));
}

function textOf({ headline, categories, plain, ms }, questions) {
  const columns = ['', 'questions', ...Object.keys(headline), ...PLAIN_COLUMNS.map((name) => `FTS5 ${name}`)];
  const inPlain = (figures) => PLAIN_COLUMNS.map((name) => figures[name]);
  const asked = questions - (categories[NOT_IN_HEADLINE]?.questions ?? 0);
  const rows = [
    ['all but 5', asked, ...Object.values(headline), ...inPlain(plain.headline)],
    ...Object.entries(categories).map(([name, { questions: count, ...figures }]) => [
      `category ${name}`,
      count,
      ...Object.values(figures),
      ...inPlain(plain.categories[name]),
    ]),
  ];
  const lines = [columns, ...rows].map((cells) =>
    cells.map((cell, index) => String(cell).padStart(index ? 10 : -1)),
  );
  return [
    ...lines.map(([first, ...cells]) => `${first.padEnd(20)}${cells.join('')}`),
    `a question: ${ms.p50} ms (p50), ${ms.p95} ms (p95)`,
  ].join('\n');
}
