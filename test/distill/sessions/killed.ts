import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const BACKFILL = 'scripts/backfill-slugs.mjs';
const SLUG = 'src/slug.js';

export const killed: DistillSession = {
  name: 'killed',
  about: 'The bug is found and fixed; the terminal dies while a long script runs, before any closing words.',
  files: {
    'package.json': '{ "name": "recipes", "private": true, "type": "module" }\n',
    [SLUG]: `/** The last part of a recipe's address. */
export function slug(title) {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
`,
    [BACKFILL]: `import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { slug } from '../src/slug.js';

const titles = readFileSync('recipes.txt', 'utf8').trim().split('\\n');
for (let round = 1; round <= 40; round++) {
  for (const title of titles) appendFileSync('backfill.log', \`\${round} \${slug(title)}\\n\`);
  await pause(150);
}
`,
    'recipes.txt': 'Crème brûlée\nBœuf bourguignon\nÎles flottantes\n',
    'test/slug.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../src/slug.js';

test('accents lose their marks', () => {
  assert.equal(slug('Crème brûlée'), 'creme-brulee');
});
`,
  },
  prompts: ['slugs of french recipes come out as cr-me-br-l-e, please fix and then run the backfill script'],
  how: { cut: 'killed', when: 'backfill.log' },
  script: (dir) => {
    const { run, fail, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [say("I'll reproduce it first."), fail('node --test', 'Run the tests', 'cr-me-br-l-e')],
        [read(SLUG), read(BACKFILL)],
        [
          say(
            'The cause: `slug()` replaces everything outside a–z before accents are taken off, so each accented letter becomes a dash. The fix is to decompose with `normalize("NFD")` and drop the combining marks first.',
          ),
          edit(
            SLUG,
            '    .toLowerCase()\n',
            "    .toLowerCase()\n    // Accented letters are taken apart first: otherwise each of them becomes a dash.\n    .normalize('NFD')\n    .replace(/\\p{M}/gu, '')\n",
          ),
        ],
        [run('node --test', 'Run the tests again', 'accents lose their marks')],
        [
          say('Green. Now I start the backfill; it takes a while.'),
          cut(`node ${BACKFILL}`, 'Run the backfill of all slugs'),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'bugfix',
        says: ['slug', /accent/, /normalize|NFD|taken apart|decompos/],
        files: [SLUG],
        prompt: 1,
      },
    ],
    niceToHave: [{ type: ['discovery', 'change'], says: ['backfill'] }],
    summaries: [
      {
        prompt: 1,
        request: ['slugs of french recipes', 'backfill'],
        filesRead: [BACKFILL],
        filesModified: [SLUG],
      },
    ],
    noise: ['AssertionError', 'ERR_ASSERTION', /reproduce it first/],
    untrue: [/backfill (is|has|was) (done|finished|complete)/, /backfilled/],
  },
};
