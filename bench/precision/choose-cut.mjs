// node bench/precision/choose-cut.mjs: prints what each cut would return on the tuning half of the coding set, and the
// one to write into src/recall/cut.ts.

import { askCodingSet, judgeAnswers } from './answers.mjs';

/** The cut that comes closest to both wins. */
const WANTED = { precision: 0.6, recall: 0.85 };
/** Share of the questions that may lose their whole answer to the floor, if it keeps others empty. */
const MOST_LOST = 0.03;

const { answers, strongOf, close } = await askCodingSet();
const tuning = answers.filter(({ isForTuning }) => isForTuning);
const judge = (relative, floor) => ({
  ...{ relative, floor },
  ...judgeAnswers(tuning, strongOf, { relative, floor }),
});

const withoutFloor = judge(0.65, 0);
const floors = range(0.15, 0.4, 0.01).map((floor) => judge(0.65, floor));
const floor = Math.max(
  0,
  ...floors.filter(({ empty }) => empty - withoutFloor.empty <= MOST_LOST).map((each) => each.floor),
);
const cuts = range(0.5, 0.8, 0.01).map((relative) => judge(relative, floor));
const best = cuts.reduce((one, other) => (nearness(other) > nearness(one) ? other : one));

console.log('relative  floor  precision  pooled  recall  hits  empty  empty elsewhere');
for (const row of [...floors, ...cuts]) console.log(lineOf(row));
console.log(`\nrelative: ${best.relative}, floor: ${best.floor}`);
close();

function nearness({ precision, recall }) {
  return Math.min(precision / WANTED.precision, recall / WANTED.recall);
}

function lineOf({ relative, floor, precision, pooled, recall, hits, empty, emptyElsewhere }) {
  const figures = [relative, floor, precision, pooled, recall, hits, empty, emptyElsewhere];
  return figures.map((figure) => figure.toFixed(2).padStart(8)).join('');
}

function range(from, to, step) {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) =>
    Number((from + index * step).toFixed(2)),
  );
}
