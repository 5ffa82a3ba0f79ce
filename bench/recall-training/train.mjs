// node bench/recall-training/train.mjs <folder>: learns the weights in src/recall/weights.ts and prints them.
// The folder holds a git directory (bare, or with a .git in it) for each name in SOURCES. All of them are under
// licences that allow it; none of their text is kept here. LoCoMo is for measuring only and takes no part.

import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { loadProduct } from '../product.mjs';
import { fillStore, timeOf } from '../recall-store.mjs';
import { documentsOf } from './commits.mjs';
import { dialoguesOf } from './dialogues.mjs';
import { learnRanking } from './learn.mjs';
import { questionsOver } from './questions.mjs';

const SOURCES = {
  fastify: 'https://github.com/fastify/fastify (MIT)',
  vite: 'https://github.com/vitejs/vite (MIT)',
  axum: 'https://github.com/tokio-rs/axum (MIT)',
  flask: 'https://github.com/pallets/flask (BSD-3-Clause)',
  cobra: 'https://github.com/spf13/cobra (Apache-2.0)',
  friendsqa: 'https://github.com/emorynlp/FriendsQA (Apache-2.0)',
};
const COMMITS = 1_500;
const SHARE_ASKED = 0.25;
const DAY = 86_400_000;

/** Nothing in these data tells how much they count: set by hand, for the reasons in docs/recall.md. */
const BY_HAND = {
  ...{
    day: 2,
    recent: 0.2,
    branch: 0.5,
    otherBranch: -0.5,
    file: 1,
    pinned: 0.5,
    superseded: -4,
    elsewhere: -0.5,
  },
  ...{ note: 0, lasting: 0.2, summary: -0.2, prompt: 0 },
};

const [folder] = process.argv.slice(2);
const missing = Object.keys(SOURCES).filter((name) => !folder || !gitDirOf(name));
if (missing.length > 0) {
  console.error('Usage: node bench/recall-training/train.mjs <folder with the clones>\nMissing there:');
  for (const name of missing) console.error(`  ${name}: ${SOURCES[name]}`);
  process.exit(2);
}

const product = await loadProduct();
const random = numbers(42);
const repositories = Object.keys(SOURCES).filter((name) => name !== 'friendsqa');
const commits = repositories.flatMap((name) => documentsOf(gitDirOf(name), name, COMMITS));
const aboutCommits = repositories.flatMap((name) =>
  questionsOver(
    commits.filter(({ group }) => group === name),
    SHARE_ASKED,
    random,
  ),
);
const dialogues = dialoguesOf(gitDirOf('friendsqa'));

const asked = {
  commits: ask(commits, aboutCommits),
  dialogues: ask(dialogues.documents, dialogues.questions),
};
const weights = learnRanking(
  product.FEATURES,
  [
    { weight: 1, questions: asked.dialogues },
    { weight: 0.5, questions: asked.commits },
  ],
  BY_HAND,
);
console.log(product.FEATURES.map((name, at) => `  ${name}: ${weights[at].toFixed(2)},`).join('\n'));

/** Each question as the ranker sees it. */
function ask(documents, questions) {
  const home = fs.mkdtempSync(join(os.tmpdir(), 'cairn-training-'));
  try {
    const path = join(home, 'cairn.db');
    const { projects, documentOf } = fillStore(product, path, documents);
    const store = product.openSqliteStore(path);
    product.bringIndexUpToDate(store);
    const last = Math.max(...documents.map(timeOf));
    const seen = questions.map(({ text, group, relevant }) => {
      const request = { text, projectId: projects.get(group), reach: 'project', limit: 20, now: last + DAY };
      const { found } = product.look(store, request);
      return found.map(({ match, features }) => ({
        features,
        isMeant: relevant.includes(documentOf.get(Math.floor(match.doc.id / 2))),
      }));
    });
    store.close();
    return seen;
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

function gitDirOf(name) {
  return [join(folder, name, '.git'), join(folder, name)].find((path) => fs.existsSync(join(path, 'HEAD')));
}

/** Always the same row of numbers from 0 to 1. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
