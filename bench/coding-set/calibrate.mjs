// node bench/coding-set/calibrate.mjs: fits the table in src/recall/calibrate.ts and prints it. Only the questions
// and the tuning half of the prompts are looked at.

import { workFolder } from '../home.mjs';
import { isForTuning, pushRequest } from '../push.mjs';
import { linesOf, openCodingSet } from './load.mjs';
import { learn } from './logistic.mjs';

/** Further back there is little to learn. */
const HITS = 6;

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
