import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const SYNC = 'src/sync.js';

export const stillRed: DistillSession = {
  name: 'still red',
  about: 'The agent narrows a failure down but does not cure it; it says so, and so must the memory.',
  files: {
    'package.json': '{ "name": "bike-sync", "private": true, "type": "module" }\n',
    [SYNC]: `import { stations } from './stations.js';

/** Bikes per station after the reports of one night. */
export function sync(reports) {
  const counts = new Map(stations.map((id) => [id, 0]));
  for (const { from, to } of reports) {
    counts.set(from, counts.get(from) - 1);
    counts.set(to, counts.get(to) + 1);
  }
  return counts;
}
`,
    'src/stations.js': "export const stations = ['harbour', 'market', 'station'];\n",
    'test/sync.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sync } from '../src/sync.js';

test('a bike that comes from the depot is counted', () => {
  const counts = sync([{ from: 'depot', to: 'market' }]);
  assert.equal(counts.get('market'), 1);
  assert.equal(counts.get('depot'), -1);
});
`,
  },
  prompts: ['test/sync.test.js fails. can you make it green?'],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          fail('node --test', 'Run the test', 'depot'),
          read(SYNC),
          read('src/stations.js'),
          read('test/sync.test.js'),
        ],
        [
          say('The depot is not in the list of stations. I try to add it.'),
          edit('src/stations.js', "['harbour'", "['depot', 'harbour'"),
        ],
        [run('node --test', 'Run the test', 'is counted')],
        [
          say('Green, but let me see who else uses the list.'),
          run('grep -rn "stations" . --include=*.js --include=*.md', 'Who uses stations', 'stations.js'),
          run('git log -3 --format=%s -- src/stations.js', 'History of the list', 'start'),
        ],
        [
          say('The same list is what the map shows to riders, so the depot would appear there. I undo it.'),
          run('git checkout -q -- src/stations.js', 'Undo'),
          fail('node --test', 'Confirm that it is red as before', 'depot'),
        ],
        [
          say(`The test is **still red**; I found the cause but did not change anything, because the cure is for you to choose.

The cause: \`sync()\` in \`${SYNC}\` only knows the places in \`src/stations.js\`, and \`depot\` is not one of them, so \`counts.get('depot')\` is \`undefined\` and the count becomes \`NaN\`.

I tried to add \`depot\` to \`src/stations.js\`. That makes the test green, but the public map shows every entry of that list, so riders would see the depot as a station. I took it back.

Two ways are open:
1. Let \`sync()\` start unknown places at 0.
2. Keep a second list for places that are not stations.

Tell me which one you want.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha'],
        says: ['depot', 'src/stations.js', /map|riders/, /NaN|undefined|not one of them/],
        prompt: 1,
      },
    ],
    niceToHave: [{ type: ['discovery', 'gotcha', 'how-it-works'], says: ['stations', /public map|riders/] }],
    summaries: [
      {
        prompt: 1,
        request: ['sync.test.js'],
        learned: ['depot', /map|NaN/],
        nextSteps: [/unknown places|second list|choose/],
        filesRead: [SYNC, 'src/stations.js'],
      },
    ],
    untrue: [/\b(fixed|passes now|tests? pass(es)?)\b/],
    noise: ['I try to add', 'Tell me which', /^Green, but let me see/m, 'ERR_ASSERTION', 'new Map('],
  },
};
