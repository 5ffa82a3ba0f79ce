// node bench/prompt-kinds/learn.mjs
//
// Learns the weights of src/distill/offline/prompt-kinds/weights.txt and writes them: from prompts that their authors
// labelled sentence by sentence, and from the prompts of the scripted sessions. The figures printed before are of authors
// whose sentences were not learnt from.

import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadParts } from '../product.mjs';

const folder = new URL('.', import.meta.url);
const target = new URL('../../src/distill/offline/prompt-kinds/weights.txt', folder);

const product = await loadParts(`
  export { factsOf } from './src/distill/offline/distill.ts';
  export { PROMPT_KINDS, parseWeights, weighPromptKinds } from './src/distill/offline/prompt-kinds/kinds.ts';
  export { listPromptSigns } from './src/distill/offline/prompt-kinds/signs.ts';
  export { collectCandidates } from './src/distill/offline/rating/collect.ts';
  export { rateAll } from './src/distill/offline/rating/measure.ts';
  export { distillSessions, surveyBatches } from './test/distill/all.ts';
  export { tellTurns } from './test/distill/tell.ts';
  export { absent } from './test/distill/words.ts';
`);

const { PROMPT_KINDS, listPromptSigns, parseWeights, weighPromptKinds } = product;

/** A sign of fewer examples teaches only their words. */
const LEAST_EXAMPLES = 3;
/** Pulls weights without need towards zero. */
const PULL = 3;
const STEPS = 300;
const STEP = 0.1;
/** Smaller weights are left out of the file. */
const SMALLEST = 0.1;
/** Share of the sentences that are over with the turn, but kept. */
const KEPT_PASSING = [0.05, 0.1];

/** A sentence of a session that no point is made of may be worth keeping all the same. */
const UNKNOWN_WEIGHT = 0.5;

/** Written as people mostly type. The other authors were asked to use the words of rules in other senses too. */
const NATURAL = new Set(['ninth.jsonl', 'tenth.jsonl']);
const NATURAL_WEIGHT = 3;
const MISLEADING_WEIGHT = 0.1;

const KIND_OF_TYPE = { preference: 'rule', decision: 'decision' };

const files = fs.readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const batches = [product.distillSessions, ...product.surveyBatches];
const examples = [
  ...files.flatMap(readExamples),
  ...batches.flatMap((batch, number) => batch.flatMap((session) => readSession(`batch ${number}`, session))),
];
const authors = [...new Set(examples.map(({ author }) => author))];
console.log(`${examples.length} sentences of ${authors.length} authors`);
const judged = authors.flatMap((author) => {
  const weights = learn(examples.filter((each) => each.author !== author));
  return examples
    .filter((each) => each.author === author)
    .map((each) => ({ ...each, shares: weighPromptKinds(each.signs, weights) }));
});
show('all', judged);
show(
  'prompts',
  judged.filter(({ author }) => author.endsWith('.jsonl')),
);
show(
  'sessions',
  judged.filter(({ author }) => !author.endsWith('.jsonl')),
);
for (const language of new Set(judged.map((each) => each.language))) {
  const own = judged.filter((each) => each.language === language);
  if (own.length >= 150) show(language, own);
}
fs.writeFileSync(target, format(learn(examples)));

function readExamples(author) {
  const lines = fs.readFileSync(new URL(author, folder), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line)).flatMap((entry) => readPrompt(author, entry));
}

function readPrompt(author, { lang, before, prompt, reply }) {
  const turn = {
    folder: '/project',
    prompt: joinSentences(prompt.map(([text]) => text)),
    promptOrigin: 'person',
    earlierPrompts: before === '' ? [] : ['Go on.'],
    earlierWords: before,
    closingWords: reply,
    closedBy: 'turn-end',
    ...{ calls: [], changedFiles: [], said: [], reports: [] },
  };
  return readTyped(turn).flatMap(({ text, signs }) => {
    const own = bare(text);
    const labels = prompt.filter(([each]) => own.includes(bare(each)) || bare(each).includes(own));
    const kinds = new Set(labels.map(([, label]) => (PROMPT_KINDS.includes(label) ? label : 'passing')));
    if (kinds.size !== 1) return [];
    return [{ author, language: lang, text, kind: [...kinds][0], signs, weight: weigh(author, signs) }];
  });
}

function weigh(author, signs) {
  if (NATURAL.has(author)) return NATURAL_WEIGHT;
  return signs.includes('has standing') ? MISLEADING_WEIGHT : 1;
}

/** What the person typed in a turn, sentence by sentence. */
function readTyped(turn) {
  const rated = product.rateAll(product.collectCandidates(turn, [], undefined), product.factsOf(turn));
  const typed = rated.filter(({ from }) => from === 'person');
  return typed.map(({ text, features }, place) => {
    const found = Object.keys(features);
    const before = turn.earlierWords;
    return { text, signs: [...listPromptSigns({ text, found, place, of: typed.length, before })] };
  });
}

/** The sentences of a session that make a point worth noting by themselves; the others are mostly passing. */
function readSession(author, session) {
  const { expects, language = 'en' } = session;
  const points = expects.nothing ? [] : [...expects.essentials, ...(expects.niceToHave ?? [])];
  const folder = fs.mkdtempSync(join(tmpdir(), 'cairn-prompts-'));
  const turns = product.tellTurns(session, folder);
  fs.rmSync(folder, { recursive: true });
  return turns.flatMap((turn) =>
    readTyped(turn).map(({ text, signs }) => {
      const made = points.find(({ says }) => product.absent(says, text).length === 0);
      const [type] = [made?.type ?? 'passing'].flat();
      const kind = made ? (KIND_OF_TYPE[type] ?? 'fact') : 'passing';
      return { author, language, text, kind, signs, weight: made ? 1 : UNKNOWN_WEIGHT };
    }),
  );
}

/** Japanese and Chinese have no space between sentences. */
function joinSentences(texts) {
  return texts.reduce((all, text) => all + (/[。！？…」]$/.test(all) ? '' : ' ') + text);
}

function bare(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Multinomial logistic regression, by Adam. */
function learn(taught) {
  const counts = new Map();
  for (const { signs } of taught) for (const sign of signs) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  const known = [...counts].filter(([, count]) => count >= LEAST_EXAMPLES).map(([sign]) => sign);
  const index = new Map(known.map((sign, at) => [sign, at * PROMPT_KINDS.length]));
  const rows = taught.map(({ signs, kind, weight }) => ({
    weight,
    at: signs.flatMap((sign) => index.get(sign) ?? []),
    right: PROMPT_KINDS.indexOf(kind),
  }));
  const weights = new Float64Array(known.length * PROMPT_KINDS.length);
  const [slow, fast] = [new Float64Array(weights.length), new Float64Array(weights.length)];
  for (let step = 1; step <= STEPS; step++) {
    const slope = slopeOf(rows, weights);
    for (let at = 0; at < weights.length; at++) {
      const change = (slope[at] + PULL * weights[at]) / rows.length;
      slow[at] = 0.9 * slow[at] + 0.1 * change;
      fast[at] = 0.999 * fast[at] + 0.001 * change * change;
      weights[at] -=
        (STEP * (slow[at] / (1 - 0.9 ** step))) / (Math.sqrt(fast[at] / (1 - 0.999 ** step)) + 1e-8);
    }
  }
  return parseWeights(
    known
      .map((sign, at) => [sign, PROMPT_KINDS.map((_, kind) => weights[at * PROMPT_KINDS.length + kind])])
      .map(([sign, own]) => `${sign}\t${own.map(round).join(' ')}`)
      .join('\n'),
  );
}

function slopeOf(rows, weights) {
  const slope = new Float64Array(weights.length);
  const kinds = PROMPT_KINDS.length;
  for (const { at, right, weight } of rows) {
    const sums = new Float64Array(kinds);
    for (const start of at) for (let kind = 0; kind < kinds; kind++) sums[kind] += weights[start + kind];
    const most = Math.max(...sums);
    const shares = sums.map((sum) => Math.exp(sum - most));
    const whole = shares.reduce((sum, share) => sum + share, 0);
    for (const start of at)
      for (let kind = 0; kind < kinds; kind++)
        slope[start + kind] += weight * (shares[kind] / whole - (kind === right ? 1 : 0));
  }
  return slope;
}

function round(weight) {
  return Math.round(weight * 10) / 10 || 0;
}

function format(weights) {
  const lines = [...weights]
    .filter(([, own]) => own.some((weight) => Math.abs(weight) >= SMALLEST * 2))
    .map(([sign, own]) => `${sign}\t${own.join(' ')}`);
  return `# Learnt by bench/prompt-kinds/learn.mjs: a sign, then how much it speaks for ${PROMPT_KINDS.join(', ')}.\n${lines.sort().join('\n')}\n`;
}

function show(name, rows) {
  const keep = ({ shares }) => 1 - shares.passing;
  const passing = rows
    .filter(({ kind }) => kind === 'passing')
    .map(keep)
    .sort((a, b) => b - a);
  const kept = KEPT_PASSING.map((share) => {
    const least = passing[Math.floor(passing.length * share)];
    const parts = PROMPT_KINDS.slice(0, 3).map((kind) => {
      const own = rows.filter((each) => each.kind === kind);
      return `${kind} ${(own.filter((each) => keep(each) > least).length / own.length).toFixed(2)}`;
    });
    return `at ${share} (${least?.toFixed(2)}): ${parts.join(', ')}`;
  });
  const called = rows.filter(({ shares }) => Math.max(...Object.values(shares)) === shares.rule);
  const right = called.filter(({ kind }) => kind === 'rule').length;
  console.log(
    `${name.padEnd(4)} ${rows.length}  ${kept.join(' | ')} | called rule and is: ${(right / called.length).toFixed(2)}`,
  );
}
fs.writeFileSync(
  '/tmp/judged.json',
  JSON.stringify(
    judged.map(({ author, language, text, kind, signs, shares }) => ({
      author,
      language,
      text,
      kind,
      signs,
      shares,
    })),
  ),
);
