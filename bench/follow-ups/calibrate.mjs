// node bench/follow-ups/calibrate.mjs [--ablate] [--settings 0,1,2]
//
// Learns the tables of src/recall/claims/likelihood.ts and prints them: first what claims are put in order by, then how
// likely the best three answer, then the threshold. The figures printed before are from prompts that nothing was learnt on:
// sessions are divided by their authors and general prompts into as many parts, and each part is judged by the weights and
// the threshold that the others teach.

import { settingsOf } from '../follow-ups.mjs';
import { readExamples } from './examples.mjs';
import { learnLikelihood, learnOrder } from './learn.mjs';

/** Of each kind of unrelated prompts, the share that may be given something; those of other authors get a little more. */
const MOST_DISTURBED = 0.017;
/** Claims that are given with a prompt. */
const GIVEN = 3;
/** Signals of a prompt that are signals of its best claim. */
const OF_THE_BEST = ['own', 'around', 'related', 'words', 'named'];

const examples = await readExamples(settingsOf(process.argv));
const { folds, orderNames, promptNames } = examples;

const heldOut = judge(orderNames, promptNames);
for (const [setting, judged] of groupBySetting(heldOut)) show(setting, judged);
show('all settings', heldOut);
if (process.argv.includes('--ablate')) {
  const without = (names, name) => names.filter((other) => other !== name);
  for (const name of orderNames) show(`order: no ${name}`, judge(without(orderNames, name), promptNames));
  for (const name of promptNames)
    show(`likelihood: no ${name}`, judge(orderNames, without(promptNames, name)));
}
const order = learnOrder(examples.questions, orderNames);
const prompts = toPrompts(examples, order);
console.log('ORDER', order);
console.log('LIKELIHOOD', learnLikelihood(prompts, promptNames).weights);
console.log('THRESHOLD', chooseThreshold(prompts, promptNames));

function show(name, judged) {
  console.log(`${name} | ${describe(judged).join(' | ')}`);
}

/** Every prompt with whether it is given something, by what the other folds teach. */
function judge(forOrder, forLikelihood) {
  const judged = [];
  for (let fold = 0; fold < folds; fold++) {
    const taught = examples.questions.filter((each) => each.fold !== fold);
    const all = toPrompts(examples, learnOrder(taught, forOrder));
    const others = all.filter((each) => each.fold !== fold && each.promptFold !== fold);
    const { estimate } = learnLikelihood(others, forLikelihood);
    const threshold = chooseThreshold(others, forLikelihood);
    for (const prompt of all.filter((each) => isJudgedIn(fold, each)))
      judged.push({ ...prompt, isGiven: estimate(prompt.signals) >= threshold });
  }
  return judged;
}

function isJudgedIn(fold, { fold: ofSession, promptFold = fold }) {
  return ofSession === fold && promptFold === fold;
}

/** The lowest that disturbs no kind of unrelated prompts too often; each prompt is rated by what other folds teach. */
function chooseThreshold(prompts, names) {
  const rated = [];
  for (let fold = 0; fold < folds; fold++) {
    const { estimate } = learnLikelihood(
      prompts.filter((each) => each.fold !== fold && each.promptFold !== fold),
      names,
    );
    for (const { kind, signals } of prompts.filter((each) => each.fold === fold))
      rated.push({ kind, likelihood: estimate(signals) });
  }
  const lowest = ['unrelated', 'task', 'questions'].map((kind) => {
    const likely = rated.filter((each) => each.kind === kind).map(({ likelihood }) => likelihood);
    likely.sort((one, other) => other - one);
    return likely[Math.floor(likely.length * MOST_DISTURBED)] ?? 0;
  });
  return Math.max(...lowest) + 1e-6;
}

function groupBySetting(judged) {
  const names = [...new Set(judged.map(({ setting }) => setting))];
  return names.map((name) => [name, judged.filter(({ setting }) => setting === name)]);
}

function describe(judged) {
  const share = (list, of) => `${((100 * list.filter(of).length) / Math.max(1, list.length)).toFixed(1)} %`;
  const asked = judged.filter(({ kind }) => kind === 'question');
  const isGiven = (each) => each.isGiven;
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
