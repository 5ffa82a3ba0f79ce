// node bench/follow-ups/calibrate.mjs [--ablate] [--settings 0,1,2]
//
// Learns the tables of src/recall/claims/likelihood.ts and prints them: first what claims are put in order by, then how
// likely the best three answer. The figures printed before are from sessions that their weights were not learnt on: the
// sessions are divided into FOLDS parts, and each part is judged by what the others teach. First for several thresholds,
// from which CLAIM_THRESHOLD is chosen, then for the present one.

import { settingsOf } from '../follow-ups.mjs';
import { readExamples } from './examples.mjs';
import { learnLikelihood, learnOrder } from './learn.mjs';

const FOLDS = 7;
const THRESHOLDS = [0.7, 0.72, 0.74, 0.76, 0.78, 0.8, 0.82, 0.84, 0.86, 0.88, 0.9];
/** Claims that are given with a prompt. */
const GIVEN = 3;
/** Signals of a prompt that are signals of its best claim. */
const OF_THE_BEST = ['own', 'header', 'request', 'siblings', 'session', 'related', 'named', 'words'];

const known = new Map();
const examples = await readExamples(settingsOf(process.argv), FOLDS);
const { orderNames, promptNames, threshold } = examples;

const heldOut = judge(orderNames, promptNames);
for (const least of THRESHOLDS) console.log(`${least} | ${describe(heldOut, least).join(' | ')}`);
for (const [setting, judged] of groupBySetting(heldOut))
  console.log(`${setting} | ${describe(judged, threshold).join(' | ')}`);
if (process.argv.includes('--ablate')) {
  const without = (names, name) => names.filter((other) => other !== name);
  const show = (name, judged) => console.log(`${name} | ${describe(judged, threshold).join(' | ')}`);
  show('all signals, all settings', heldOut);
  for (const name of orderNames) show(`order: no ${name}`, judge(without(orderNames, name), promptNames));
  for (const name of promptNames)
    show(`likelihood: no ${name}`, judge(orderNames, without(promptNames, name)));
}
const order = learnOrder(examples.questions, orderNames);
const { weights } = learnLikelihood(toPrompts(examples, order), promptNames);
console.log('ORDER', order);
console.log('LIKELIHOOD', weights);

/** Every prompt with its likelihood by what the other folds teach. */
function judge(forOrder, forLikelihood) {
  const judged = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const all = readPrompts(fold, forOrder);
    const { estimate } = learnLikelihood(
      all.filter((each) => each.fold !== fold),
      forLikelihood,
    );
    for (const prompt of all.filter((each) => each.fold === fold))
      judged.push({ ...prompt, likelihood: estimate(prompt.signals) });
  }
  return judged;
}

function groupBySetting(judged) {
  const names = [...new Set(judged.map(({ setting }) => setting))];
  return names.map((name) => [name, judged.filter(({ setting }) => setting === name)]);
}

/** All prompts, with claims in the order that the other folds teach. */
function readPrompts(fold, names) {
  const key = `${fold} ${names}`;
  if (!known.has(key)) {
    const others = examples.questions.filter((each) => each.fold !== fold);
    known.set(key, toPrompts(examples, learnOrder(others, names)));
  }
  return known.get(key);
}

function describe(judged, threshold) {
  const share = (list, of) => `${((100 * list.filter(of).length) / Math.max(1, list.length)).toFixed(0)} %`;
  const asked = judged.filter(({ kind }) => kind === 'question');
  const isGiven = ({ likelihood }) => likelihood >= threshold;
  const isAnswered = (each) => isGiven(each) && each.isRight;
  const ofKind = (kind) => judged.filter((each) => each.kind === kind);
  return [
    `answered ${share(asked, isAnswered)} (without a threshold ${share(asked, ({ isRight }) => isRight)})`,
    `shared word ${share(
      asked.filter(({ shares }) => shares === true),
      isAnswered,
    )}`,
    `no shared word ${share(
      asked.filter(({ shares }) => shares === false),
      isAnswered,
    )}`,
    `unrelated ${share(ofKind('unrelated'), isGiven)}`,
    `general tasks ${share(ofKind('task'), isGiven)}`,
    `general questions ${share(ofKind('questions'), isGiven)}`,
  ];
}

/** What a prompt's claims, put in order by these weights, say about it. */
function toPrompts({ questions, unrelated }, table) {
  const weightList = orderNames.map((name) => table[name] ?? 0);
  const ownAt = orderNames.indexOf('own');
  return [...questions, ...unrelated].map(({ claims, prompt, isAnswered, ...each }) => {
    const sorted = claims
      .map((claim) => ({
        ...claim,
        worth: claim.values.reduce((sum, value, at) => sum + value * weightList[at], 0),
      }))
      .sort((one, other) => other.worth - one.worth);
    const [best] = sorted;
    const signals = { ...prompt, worth: best.worth };
    for (const name of OF_THE_BEST) signals[name] = best.values[orderNames.indexOf(name)];
    signals.three = sorted.slice(0, 3).reduce((sum, { values }) => sum + values[ownAt], 0) / 3;
    return { ...each, signals, isRight: each.kind === 'question' && isAnswered(sorted, GIVEN) };
  });
}
