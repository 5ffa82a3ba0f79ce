// node bench/recall-training/train-titled.mjs <clones> <sets>: learns TITLED_WEIGHTS in src/recall/weights.ts and prints
// them; makes the sets first if there is no such folder.
// node bench/recall-training/train-titled.mjs <clones> <sets> --measure: what each signal is worth on the repositories that
// are held out, from which nothing is learnt.

import fs from 'node:fs';
import { join } from 'node:path';
import { askEach, loadRecall } from './ask.mjs';
import { learnRanking } from './learn.mjs';
import { makeChangeSets } from './make-change-sets.mjs';
import { measure, readSet } from './measure.mjs';

/** Of each kind and repository this many: more change nothing. */
const QUESTIONS = 16;
const LEARNT = [
  ...['own', 'alike', 'fields', 'fieldShare', 'names', 'titleFit', 'joined'],
  ...['pairs', 'grams', 'feedback'],
];
/** How far the tenth is behind the best, on average: what is set by hand and the calibration go by this scale. */
const TENTH_BEHIND = 4.9;

const [clones, sets, mode] = process.argv.slice(2);
if (!clones || !sets) {
  console.error(
    'Two folders are needed: one with the clones that change-sources.mjs names, and one for the sets.',
  );
  process.exit(2);
}
if (!fs.existsSync(sets)) await makeChangeSets(clones, sets);
const product = await loadRecall();
if (mode === '--measure') measure(product, { 'held out': readSet(join(sets, 'held-out')) }, []);
else learn(readSet(join(sets, 'taught')));

function learn({ documents, questions }) {
  const counts = new Map();
  const some = questions.filter(({ group, category }) => {
    const kind = `${group}\n${category}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts.get(kind) <= QUESTIONS;
  });
  const at = LEARNT.map((name) => product.FEATURES.indexOf(name));
  const asked = askEach(product, { documents, questions: some }, ({ found }, isMeant) =>
    found.map(({ match, features }) => ({
      features: Float64Array.from(at, (index) => features[index]),
      isMeant: isMeant(match),
    })),
  ).filter((found) => found.some(({ isMeant }) => isMeant));
  const weights = learnRanking(LEARNT, [{ weight: 1, questions: asked }], {});
  const behind = asked.map((found) => {
    const totals = found
      .map(({ features }) => LEARNT.reduce((sum, name, index) => sum + weights[name] * features[index], 0))
      .sort((a, b) => b - a);
    return totals[0] - (totals[9] ?? totals.at(-1));
  });
  const scale = TENTH_BEHIND / (behind.reduce((sum, value) => sum + value, 0) / behind.length);
  console.log(`${asked.length} questions, scaled by ${scale.toFixed(2)}`);
  for (const name of LEARNT) console.log(`  ${name}: ${(weights[name] * scale).toFixed(2)},`);
}
