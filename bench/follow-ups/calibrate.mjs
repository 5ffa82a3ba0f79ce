// node bench/follow-ups/calibrate.mjs: fits the table in src/recall/claims/likelihood.ts and
// prints it. Only the tuning halves of the sessions and of the coding set's prompts are looked at.

import { linesOf, openCodingSet } from '../coding-set/load.mjs';
import { learn } from '../coding-set/logistic.mjs';
import { loadSessions, SETTINGS } from '../follow-ups.mjs';
import { workFolder } from '../home.mjs';
import { loadParts } from '../product.mjs';
import { isForTuning } from '../push.mjs';
import { openFollowUpStore } from './fill.mjs';

/** As many as are given with a question. */
const MOST = 8;
const PARTS = `
  export { listClaims } from './src/indexing/claims.ts';
  export { strengthOf, typeStrength } from './src/recall/claims/likelihood.ts';
  export { matchClaims } from './src/recall/claims/match-claims.ts';
  export { asksSomething, readPromptWords } from './src/recall/claims/prompt-words.ts';
  export { measureClaims } from './src/recall/claims/signals.ts';
`;

const parts = await loadParts(PARTS);
const { product, sessions } = await loadSessions();
console.log(learn([...ofSessions(), ...(await ofCodingSet())]));

function ofSessions() {
  const tuning = sessions.filter((session) => session.isForTuning);
  return SETTINGS.flatMap(({ together, padding }) => {
    const filled = openFollowUpStore(product, sessions, { folder: workFolder(), together, padding });
    const examples = tuning.flatMap(({ name, expects }) => {
      const projectId = filled.requestFor(name, '').project.id;
      const textOf = ({ memoryId, position }) =>
        parts.listClaims(filled.store.getMemory(memoryId)).find((claim) => claim.position === position)?.text;
      const isAnswered = (says, claims) => product.absent(says, claims.map(textOf).join('\n')).length === 0;
      const ask = (prompt, isRight) => exampleOf(filled.store, projectId, prompt, isRight, 0.6);
      return [
        ...expects.followUps.map(({ asks, says }) => ask(asks, (claims) => isAnswered(says, claims) || null)),
        ...expects.unrelated.map((prompt) => ask(prompt, () => false)),
        // A question that another project would answer.
        ...tuning
          .filter((other) => other.name !== name && together === 1 && padding === 0)
          .map((other) => ({ ...ask(other.expects.followUps[0].asks, () => false), weight: 0.15 })),
      ];
    });
    filled.close();
    return examples.filter(({ signs }) => signs !== undefined);
  });
}

async function ofCodingSet() {
  const set = await openCodingSet(workFolder());
  const prompts = linesOf('prompts.jsonl').filter(({ id }) => isForTuning(id));
  const examples = prompts.map(({ text, group, relevant }) =>
    exampleOf(set.store, set.contextFor(group).project.id, text, (claims) => {
      if (relevant.length === 0) return false;
      return claims.some(({ memoryId }) => relevant.includes(set.documentOf.get(memoryId))) || null;
    }),
  );
  set.close();
  return examples.filter(({ signs }) => signs !== undefined);
}

/** `isRight` says null where the best claims do not answer what could be answered: that teaches nothing. */
function exampleOf(store, projectId, prompt, isRight, weight = 1) {
  const words = parts.readPromptWords(prompt);
  const docs = store.listClaimDocs(projectId);
  const matched = parts.matchClaims(words, { docs, total: docs.length });
  const types = new Map(docs.map(({ memoryId, type }) => [memoryId, type]));
  const rated = parts.measureClaims(words, matched).map((signals, index) => {
    const { memoryId, position } = matched.matches[index];
    const strength = parts.strengthOf(signals);
    const score = strength + parts.typeStrength(types.get(memoryId), docs.length);
    return { memoryId, position, signals, strength, score };
  });
  const best = rated.reduce((most, each) => (each.strength > (most?.strength ?? 0) ? each : most), null);
  const right = isRight(rated.sort((one, other) => other.score - one.score).slice(0, MOST));
  if (!best || right === null) return {};
  const asks = Number(parts.asksSomething(prompt));
  return {
    signs: { constant: 1, ...best.signals, asks, size: Math.log(docs.length / 50) },
    isRight: right,
    weight,
  };
}
