import fs from 'node:fs';
import { basename, join } from 'node:path';
import { askEach } from './ask.mjs';

const SIGNALS = {
  nothing: [],
  'words right beside it': ['around', 'answers'],
  'session as a whole': ['session', 'sessionOwn'],
  'words in the document itself': ['own'],
  title: ['titleFit'],
  header: ['header'],
  'words counted by field': ['fields', 'fieldShare'],
  'symbols and concepts': ['names'],
  'words that are one name': ['joined'],
  'words together': ['together', 'pairs'],
  'four characters together': ['grams'],
  'words of the best hits': ['feedback'],
  'words with the same beginning': ['alike'],
  'other words for the same': ['related'],
  'who said it': ['said', 'saidByOther', 'addressed'],
  'turns of the agent': ['byAgent'],
  'instructions and preferences': ['instructs'],
  'asks instead of telling': ['asksIt'],
  length: ['length', 'tiny'],
  'number, time, name, cause': ['number', 'time', 'name', 'cause'],
  'the time that is asked about': ['day'],
  recency: ['recent'],
};
const LIMIT = 20;
const SHARE_AMONG = 10;
/** As in `npm run bench -- recall`: LoCoMo's unanswerable questions. */
const NOT_COUNTED = '5';

/** Prints R@10 and MRR without each signal, for these sets and for the folders of further ones. */
export function measure(product, sets, folders) {
  const all = {
    ...sets,
    ...Object.fromEntries(folders.map((folder) => [basename(folder), readSet(folder)])),
  };
  const columns = Object.values(all).map((set) => columnOf(product, set));
  console.log(`| Left out | ${Object.keys(all).join(' | ')} |`);
  Object.keys(SIGNALS).forEach((signal, row) => {
    console.log(`| ${signal} | ${columns.map((column) => column[row]).join(' | ')} |`);
  });
}

function columnOf(product, { documents, questions }) {
  const signals = Object.values(SIGNALS);
  const counted = questions.filter(({ category }) => String(category) !== NOT_COUNTED);
  const asked = askEach(product, { documents, questions: counted }, (candidates, isMeant, { relevant }) =>
    signals.map((leftOut) => {
      const best = product.orderCandidates(candidates, leftOut).slice(0, LIMIT);
      const places = best.flatMap(({ match }, index) => (isMeant(match) ? [index] : []));
      return {
        share: places.filter((place) => place < SHARE_AMONG).length / relevant.length,
        reciprocal: places.length > 0 ? 1 / (places[0] + 1) : 0,
      };
    }),
  );
  const mean = (row, part) => asked.reduce((sum, rows) => sum + rows[row][part], 0) / asked.length;
  return signals.map(
    (_, row) => `${(100 * mean(row, 'share')).toFixed(1)} · ${mean(row, 'reciprocal').toFixed(3).slice(1)}`,
  );
}

export function readSet(folder) {
  const lines = (name) =>
    fs
      .readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { documents: lines('docs.jsonl'), questions: lines('queries.jsonl') };
}
