import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadParts } from './product.mjs';

const PARTS = `
  export { WEIGHTS } from './src/distill/offline/rating/weights.ts';
  export { distillSessions, surveySessions } from './test/distill/all.ts';
  export { scoreSession } from './test/distill/score.ts';
  export { tell } from './test/distill/tell.ts';
`;

/** What the offline distiller keeps of scripted sessions; with `ablate` also without each feature of a sentence. */
export async function measure({ ablate }) {
  const product = await loadParts(PARTS);
  const sessions = [...product.distillSessions, ...product.surveySessions].filter(({ how }) => !how);
  const rows = [row('all features', score(product, sessions))];
  for (const feature of ablate ? Object.keys(product.WEIGHTS) : []) {
    const weight = product.WEIGHTS[feature];
    product.WEIGHTS[feature] = 0;
    rows.push(row(`without ${feature} (${weight})`, score(product, sessions)));
    product.WEIGHTS[feature] = weight;
  }
  return {
    title: 'What is kept of a session',
    columns: [
      'features',
      'essentials',
      'nice to have',
      'right type',
      'summary fields',
      'memories',
      'noise',
      'false',
    ],
    rows,
    notes: [
      `${sessions.length} scripted sessions, without the client: commands print what their scripts say. The sessions in test/distill/unseen are not used.`,
    ],
  };
}

const SHARES = ['essentials', 'niceToHave', 'types', 'summaryFields'];

function score({ tell, scoreSession }, sessions) {
  const total = {
    memories: 0,
    noise: 0,
    untrue: 0,
    ...Object.fromEntries(SHARES.map((part) => [part, [0, 0]])),
  };
  for (const session of sessions) {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-claims-'));
    const scored = scoreSession(session.expects, tell(session, folder));
    rmSync(folder, { recursive: true });
    for (const part of SHARES) {
      total[part][0] += scored[part].met;
      total[part][1] += scored[part].of;
    }
    total.memories += scored.unwanted.of;
    total.noise += scored.noise.length;
    total.untrue += scored.untrue.length;
  }
  return total;
}

function row(name, figures) {
  const shares = SHARES.map((part) => `${((100 * figures[part][0]) / figures[part][1]).toFixed(1)} %`);
  const counts = [figures.memories, figures.noise, figures.untrue].map(String);
  return { cells: [name, ...shares, ...counts], figures };
}
