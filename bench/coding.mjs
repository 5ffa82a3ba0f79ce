import { linesOf, openCodingSet } from './coding-set/load.mjs';
import { workFolder } from './home.mjs';

/** The signals of recall and their features. Those that need more than a question, such as the branch, are left out. */
const SIGNALS = {
  'share of the question that is met': ['own'],
  'words counted by field': ['fields', 'fieldShare'],
  'symbols and concepts': ['names'],
  'words that are one name': ['joined'],
  'words together': ['together', 'pairs'],
  'four characters together': ['grams'],
  'words of the best hits': ['feedback'],
  'words with the same beginning': ['alike'],
  'other words for the same': ['related'],
  title: ['titleFit'],
  'header (files, concepts, branch)': ['header'],
  'neighbours in the session': ['around', 'answers'],
  'session as a whole': ['session', 'sessionOwn'],
  'dates in the question': ['day'],
  'what is asked for (how many, when, who, why)': ['number', 'time', 'name', 'cause'],
  'it asks instead of telling': ['asksIt'],
  length: ['length', 'tiny'],
  recency: ['recent'],
  'kind, type and who said it': ['note', 'lasting', 'summary', 'said', 'saidByOther', 'addressed'],
};

/** How often recall finds the answering memory for questions about coding; with `ablate` also without each signal. */
export async function measure({ ablate }) {
  const set = await openCodingSet(workFolder());
  const queries = linesOf('queries.jsonl');
  const rows = ablate ? withoutEachSignal(set, queries) : byCategory(queries, evaluate(set, queries));
  set.close();
  return {
    title: 'Recall on coding work',
    columns: [ablate ? 'signal left out' : 'questions', 'number', 'R@5', 'R@10', 'MRR'],
    rows,
    notes: ['The set and how it is made: bench/coding-set/README.md.'],
  };
}

function byCategory(queries, found) {
  const categories = [...new Set(queries.map(({ category }) => category))].sort();
  return [
    rowOf('all', found),
    ...categories.map((name) =>
      rowOf(
        name,
        found.filter(({ category }) => category === name),
      ),
    ),
  ];
}

function withoutEachSignal(set, queries) {
  const { FEATURES } = set.product;
  const unknown = Object.values(SIGNALS)
    .flat()
    .filter((feature) => !FEATURES.includes(feature));
  if (unknown.length > 0) throw new Error(`Recall has no feature ${unknown.join(', ')}.`);
  return [
    rowOf('none', evaluate(set, queries)),
    ...Object.entries(SIGNALS).map(([name, leftOut]) => rowOf(name, evaluate(set, queries, { leftOut }))),
    rowOf('links', evaluate(set, queries, { withLinks: false })),
    rowOf('all: the order of the index (FTS5) alone', evaluate(set, queries, { indexAlone: true })),
  ];
}

function evaluate(set, queries, options = {}) {
  return queries.map((query) => {
    const { relevant } = query;
    const ids = set.ask(query.text, query.group, { limit: 10, ...options }).map(({ doc }) => doc);
    const share = (k) => relevant.filter((id) => ids.slice(0, k).includes(id)).length / relevant.length;
    const first = ids.findIndex((id) => relevant.includes(id));
    return { ...query, ids, at5: share(5), at10: share(10), reciprocal: first < 0 ? 0 : 1 / (first + 1) };
  });
}

function rowOf(name, found) {
  const mean = (part) => found.reduce((sum, row) => sum + row[part], 0) / found.length;
  const figures = { 'R@5': mean('at5') * 100, 'R@10': mean('at10') * 100, MRR: mean('reciprocal') };
  const { 'R@5': at5, 'R@10': at10, MRR } = figures;
  return {
    cells: [name, String(found.length), at5.toFixed(1), at10.toFixed(1), MRR.toFixed(3)],
    figures: { name, questions: found.length, ...figures },
  };
}
