// node bench/coding-set/calibrate.mjs: fits the table in src/recall/calibrate.ts and prints it. Only the questions
// and the tuning half of the prompts are looked at.

import { workFolder } from '../home.mjs';
import { isForTuning, pushRequest } from '../push.mjs';
import { linesOf, openCodingSet } from './load.mjs';

/** Further back there is little to learn. */
const HITS = 6;
const STEPS = 4_000;
const DECAY = 0.0005;

const set = await openCodingSet(workFolder());
const asked = [...linesOf('queries.jsonl'), ...linesOf('prompts.jsonl').filter(({ id }) => isForTuning(id))];
const examples = asked.flatMap(({ text, group, relevant }) => {
  const request = { ...pushRequest(set, text), limit: HITS };
  const signs = set.signs(text, group, request);
  return set.ask(text, group, request).map(({ doc }, index) => ({
    signs: { constant: 1, ...signs[index] },
    isRight: relevant.includes(doc),
  }));
});
set.close();
console.log(learn(examples));

/** Logistic regression by gradient descent, with a step for each weight that shrinks as it is used. */
function learn(examples) {
  const names = Object.keys(examples[0].signs);
  const weights = Object.fromEntries(names.map((name) => [name, 0]));
  const squares = Object.fromEntries(names.map((name) => [name, 1e-8]));
  for (let step = 0; step < STEPS; step++) {
    const slopes = Object.fromEntries(
      names.map((name) => [name, name === 'constant' ? 0 : DECAY * weights[name]]),
    );
    for (const { signs, isRight } of examples) {
      const sum = names.reduce((total, name) => total + weights[name] * signs[name], 0);
      const error = (1 / (1 + Math.exp(-sum)) - Number(isRight)) / examples.length;
      for (const name of names) slopes[name] += error * signs[name];
    }
    for (const name of names) {
      squares[name] += slopes[name] ** 2;
      weights[name] -= (0.5 * slopes[name]) / Math.sqrt(squares[name]);
    }
  }
  return Object.fromEntries(names.map((name) => [name, Number(weights[name].toFixed(2))]));
}
