// node bench/claims/learn-kinds.mjs
//
// Learns the table of src/distill/offline/topics/claim-kind.ts and prints it. The figures printed before are from sessions
// that their weights were not learnt on: each batch of sessions, which is of another author, is judged by what the other
// batches teach. Then the same by language.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadParts } from '../product.mjs';
import { learnSigns } from './learn.mjs';

const NICE_WEIGHT = 0.7;
const WORK = ['bugfix', 'feature', 'refactor', 'change'];

const product = await loadParts(`
  export { distillSessions, surveyBatches } from './test/distill/all.ts';
  export { scoreSession } from './test/distill/score.ts';
  export { tellTurns } from './test/distill/tell.ts';
  export { absent } from './test/distill/words.ts';
  export { distillOffline, readKeptSentences } from './src/distill/offline/distill.ts';
  export { readEvidence } from './src/distill/offline/evidence.ts';
  export { readRequest } from './src/distill/offline/request.ts';
  export { CLAIM_KINDS, CLAIM_SIGNS, readSigns, readTurnOfClaims } from './src/distill/offline/topics/claim-kind.ts';
  export { classifyWork } from './src/distill/offline/topics/work-kind.ts';
`);
const { CLAIM_KINDS, CLAIM_SIGNS } = product;
const SIGNS = Object.keys(CLAIM_SIGNS);

const batches = [product.distillSessions, ...product.surveyBatches];
const sessions = batches.flatMap((batch, number) =>
  batch.map((session) => ({ ...session, batch: number, turns: readTurns(session) })),
);
const examples = sessions.flatMap((session) => session.turns.flatMap((turn) => readExamples(session, turn)));
console.log(`${sessions.length} sessions, ${examples.length} examples`);

show('present table', sessions.map(judge));
show(
  'batches',
  judgeApart(
    batches.map(
      (_, number) =>
        ({ batch }) =>
          batch === number,
    ),
  ),
);
const languages = [...new Set(sessions.map(({ language = 'en' }) => language))];
show(
  'languages',
  judgeApart(
    languages.map(
      (language) =>
        ({ language: own = 'en' }) =>
          own === language,
    ),
  ),
);
const table = learn(() => true);
use(table);
show('learnt on all', sessions.map(judge));
console.log(table);

function readTurns(session) {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-kinds-'));
  const turns = product.tellTurns(session, folder);
  rmSync(folder, { recursive: true });
  return turns;
}

/** What each part of the sessions gets with the table that the others teach. */
function judgeApart(parts) {
  return parts.flatMap((isOwn) => {
    use(learn((session) => !isOwn(session)));
    return sessions.filter(isOwn).map(judge);
  });
}

function learn(isTaught) {
  return learnSigns(
    examples.filter(({ session }) => isTaught(session)),
    SIGNS,
    CLAIM_KINDS,
  );
}

function use(table) {
  for (const sign of SIGNS) CLAIM_SIGNS[sign] = table[sign];
}

/** Each claim that makes a point worth noting, with the kinds that the point may be of. */
function readExamples(session, turn) {
  const request = product.readRequest(turn);
  const evidence = product.readEvidence(turn);
  const { claims } = product.readKeptSentences(turn, evidence, request);
  const work = product.classifyWork(request, claims, evidence);
  const about = product.readTurnOfClaims(turn, request, evidence, work);
  const possible = CLAIM_KINDS.filter((kind) => kind !== 'work' || about.hasWork);
  const { essentials, niceToHave = [] } = session.expects;
  const points = [
    ...essentials.map((point) => ({ ...point, weight: 1 })),
    ...niceToHave.map((point) => ({ ...point, weight: NICE_WEIGHT })),
  ].filter(({ prompt }) => prompt === undefined || prompt === turn.earlierPrompts.length + 1);
  return points.flatMap((point) => {
    const wanted = [point.type].flat();
    const workType = evidence.tookBack ? 'gotcha' : work;
    const isOnlyWork = wanted.every((type) => WORK.includes(type));
    const accepted = wanted
      .map((type) => (type === workType || isOnlyWork ? 'work' : type))
      .filter((kind) => possible.includes(kind));
    if (accepted.length === 0) return [];
    const makers = claimsThatMake(point, claims);
    return makers.map((claim) => ({
      session,
      signs: product.readSigns(claim, about),
      accepted,
      possible,
      weight: point.weight / makers.length,
    }));
  });
}

/** The claims that make a point alone; if none does, those with the larger part of its words. */
function claimsThatMake({ says }, claims) {
  const lacking = claims.map(({ statement }) => product.absent(says, statement).length);
  const least = Math.min(...lacking);
  return least * 2 > says.length || least === says.length
    ? []
    : claims.filter((_, index) => lacking[index] === least);
}

function judge({ batch, how, turns, expects }) {
  const observations = [];
  for (const turn of turns) {
    const prompt = turn.earlierPrompts.length + 1;
    observations.push(
      ...product.distillOffline(turn).observations.map((observation) => ({ ...observation, prompt })),
    );
  }
  return { batch, how, ...product.scoreSession(expects, { observations, summaries: [] }) };
}

function show(title, scores) {
  const share = (part, of = scores) => {
    const met = of.reduce((sum, score) => sum + score[part].met, 0);
    const all = of.reduce((sum, score) => sum + score[part].of, 0);
    return `${met}/${all} = ${((100 * met) / all).toFixed(1)} %`;
  };
  const newest = batches.length - 2;
  const last = scores.filter(({ batch }) => batch >= newest);
  const cut = scores.filter(({ how }) => how);
  console.log(
    `${title}: types ${share('types')} (newest 20: ${share('types', last)}, cut short: ${share('types', cut)}), essentials ${share('essentials')} (${share('essentials', last)}), nice to have ${share('niceToHave')}`,
  );
}
