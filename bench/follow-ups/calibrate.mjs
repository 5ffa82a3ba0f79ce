// node bench/follow-ups/calibrate.mjs [--ablate] [--settings 0,1,2]
//
// Learns the tables of src/recall/claims/likelihood.ts and CLAIM_THRESHOLD, and prints them: first what claims are put
// in order by, then how likely the best three answer. The figures printed before are from sessions that their weights
// were not learnt on: the sessions are divided into FOLDS parts, and each part is judged by what the others teach.

import { settingsOf } from '../follow-ups.mjs';
import { readExamples } from './examples.mjs';
import { learnLikelihood, learnOrder, WEIGHTS } from './learn.mjs';

const FOLDS = 7;
/** Of the unrelated prompts at most so many may be disturbed where the threshold is chosen. */
const MOST_DISTURBED = 0.007;
/** Claims that are given with a prompt. */
const GIVEN = 3;
/** Signals of a prompt that are signals of its best claim. */
const OF_THE_BEST = ['own', 'header', 'request', 'siblings', 'session', 'related', 'named', 'words'];

const known = new Map();
const examples = await readExamples(settingsOf(process.argv), FOLDS);
const { orderNames, promptNames } = examples;

for (const [setting, judged] of groupBySetting(judge(orderNames, promptNames)))
  console.log(`${setting} | ${describe(judged).join(' | ')}`);
if (process.argv.includes('--ablate')) {
  const without = (names, name) => names.filter((other) => other !== name);
  const show = (name, judged) => console.log(`${name} | ${describe(judged).join(' | ')}`);
  show('all signals, all settings', judge(orderNames, promptNames));
  for (const name of orderNames) show(`order: no ${name}`, judge(without(orderNames, name), promptNames));
  for (const name of promptNames)
    show(`likelihood: no ${name}`, judge(orderNames, without(promptNames, name)));
}
const order = learnOrder(examples.questions, orderNames);
const prompts = toPrompts(examples, order);
const { weights, estimate } = learnLikelihood(prompts, promptNames);
console.log('ORDER', order);
console.log('LIKELIHOOD', weights);
console.log('CLAIM_THRESHOLD', thresholdOf(prompts, estimate).toFixed(3));

function judge(forOrder, forLikelihood) {
  const judged = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const all = readPrompts(fold, forOrder);
    const others = all.filter((each) => each.fold !== fold);
    const likelihood = learnLikelihood(others, forLikelihood);
    const threshold = thresholdOf(others, likelihood.estimate);
    for (const prompt of all.filter((each) => each.fold === fold))
      judged.push({ ...prompt, isGiven: likelihood.estimate(prompt.signals) >= threshold });
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

function describe(judged) {
  const share = (list, of) => `${((100 * list.filter(of).length) / Math.max(1, list.length)).toFixed(0)} %`;
  const asked = judged.filter(({ kind }) => kind === 'question');
  const isAnswered = ({ isGiven, isRight }) => isGiven && isRight;
  const isGiven = (each) => each.isGiven;
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

/** The lowest that disturbs no more of the unrelated prompts. */
function thresholdOf(prompts, estimate) {
  const unrelated = prompts
    .filter(({ kind }) => kind !== 'question')
    .map(({ signals, kind }) => ({ score: estimate(signals), weight: WEIGHTS[kind] }))
    .sort((one, other) => other.score - one.score);
  const all = unrelated.reduce((sum, { weight }) => sum + weight, 0);
  let above = 0;
  for (const { score, weight } of unrelated) {
    above += weight;
    if (above > all * MOST_DISTURBED) return score;
  }
  return 0;
}
