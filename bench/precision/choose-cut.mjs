// node bench/precision/choose-cut.mjs: prints what each cut would return on the tuning half of the coding set, and the
// one to write into src/recall/cut.ts.

import { judgeAnswers, openAnswers } from './answers.mjs';

/** The cut that comes closest to both wins. */
const WANTED = { precision: 0.6, recall: 0.85 };
/** Share of the questions that may lose their whole answer to the floor, if it keeps others empty. */
const MOST_LOST = 0.02;

const { answers, search, close, CUT } = await openAnswers();
const tuning = answers.filter(({ isForTuning }) => isForTuning);

const withoutFloor = judge({ floor: 0 });
const floors = range(0.2, 0.3, 0.02).map((floor) => judge({ floor }));
const floor = Math.max(
  0,
  ...floors.filter(({ empty }) => empty - withoutFloor.empty <= MOST_LOST).map((each) => each.floor),
);
const cuts = range(0, 0.1, 0.05).flatMap((fewer) =>
  range(0.5, 0.6, 0.01).map((relative) => judge({ relative, fewer, floor })),
);
const best = cuts.reduce((one, other) => (nearness(other) > nearness(one) ? other : one));
console.log(`\nrelative: ${best.relative}, fewer: ${best.fewer}, floor: ${best.floor}`);
close();

function judge(numbers) {
  const cut = Object.assign(CUT, numbers);
  const { precision, pooled, recall, hits, empty } = judgeAnswers(tuning, search);
  const row = { ...cut, precision, pooled, recall, hits, empty };
  console.log(
    Object.entries(row)
      .map(([name, value]) => `${name} ${value.toFixed(3)}`)
      .join('  '),
  );
  return row;
}

function nearness({ precision, recall }) {
  return Math.min(precision / WANTED.precision, recall / WANTED.recall);
}

function range(from, to, step) {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) =>
    Number((from + index * step).toFixed(2)),
  );
}
