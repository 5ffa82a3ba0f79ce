import { loadParts } from './product.mjs';

const PARTS = `
  export { WEIGHTS } from './src/distill/offline/claims/weights.ts';
  export { distillOffline } from './src/distill/offline/distill.ts';
  export { distillSessions, surveySessions } from './test/distill/all.ts';
  export { readScriptTurns } from './test/distill/script-turns.ts';
  export { scoreSession } from './test/distill/score.ts';
`;

/** What the offline distiller keeps of scripted sessions; with `ablate` also without each feature of a sentence. */
export async function measure({ ablate }) {
  const product = await loadParts(PARTS);
  const sessions = [...product.distillSessions, ...product.surveySessions].filter(({ how }) => !how);
  const turns = sessions.map((session) => product.readScriptTurns(session));
  const rows = [row('all features', score(product, sessions, turns))];
  for (const feature of ablate ? Object.keys(product.WEIGHTS) : []) {
    const weight = product.WEIGHTS[feature];
    product.WEIGHTS[feature] = 0;
    rows.push(row(`without ${feature} (${weight})`, score(product, sessions, turns)));
    product.WEIGHTS[feature] = weight;
  }
  return {
    title: 'What is kept of a session',
    columns: ['features', 'essentials', 'nice to have', 'right type', 'observations', 'noise'],
    rows,
    notes: [
      `${sessions.length} scripted sessions, without the client: commands print what their scripts say. The sessions in test/distill/unseen are not used.`,
    ],
  };
}

function score({ distillOffline, scoreSession }, sessions, turns) {
  const total = { essentials: [0, 0], niceToHave: [0, 0], types: [0, 0], observations: 0, noise: 0 };
  for (const [index, session] of sessions.entries()) {
    const stored = { observations: [], summaries: [] };
    for (const [number, turn] of turns[index].entries()) {
      const { observations, summary } = distillOffline(turn);
      stored.observations.push(...observations.map((each) => ({ ...each, prompt: number + 1 })));
      if (summary) stored.summaries.push({ ...summary, prompt: number + 1 });
    }
    const scored = scoreSession(session.expects, stored);
    for (const part of ['essentials', 'niceToHave', 'types']) {
      total[part][0] += scored[part].met;
      total[part][1] += scored[part].of;
    }
    total.observations += stored.observations.length;
    total.noise += scored.noise.length;
  }
  return total;
}

function row(name, { essentials, niceToHave, types, observations, noise }) {
  const share = ([met, of]) => `${((100 * met) / of).toFixed(1)} %`;
  return {
    cells: [name, share(essentials), share(niceToHave), share(types), String(observations), String(noise)],
    figures: { essentials, niceToHave, types, observations, noise },
  };
}
