import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const KEY = 'src/cache-key.js';
const ARGS = 'src/args.js';
const SEED = 'scripts/seed.mjs';

export const threeThings: DistillSession = {
  name: 'three things',
  about:
    'Three prompts that have nothing to do with each other: a question, a bug, a variable that was not set.',
  files: {
    'package.json': '{ "name": "thumbs", "private": true, "type": "module" }\n',
    [KEY]: `import { createHash } from 'node:crypto';

export function cacheKey(url, { width, height, format = 'webp' }) {
  const size = [width ?? 'auto', height ?? 'auto'].join('x');
  return createHash('sha1').update(\`v3|\${url}|\${size}|\${format}\`).digest('hex');
}
`,
    [ARGS]: `/** --width 200 --no-cache → { width: '200', cache: false } */
export function parseArgs(args) {
  const found = {};
  for (let i = 0; i < args.length; i++) {
    const name = args[i].slice(2);
    if (name.startsWith('no-')) found[name.slice(3)] = false;
    else found[name] = args[i++];
  }
  return found;
}
`,
    'test/args.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseArgs } from '../src/args.js';

test('options with and without a value', () => {
  assert.deepEqual(parseArgs(['--width', '200', '--no-cache']), { width: '200', cache: false });
});
`,
    [SEED]: `const { THUMBS_BUCKET } = process.env;
if (!THUMBS_BUCKET) throw new Error('THUMBS_BUCKET is not set');
console.log(\`12 pictures copied to \${THUMBS_BUCKET}\`);
`,
    '.env.example': 'THUMBS_BUCKET=thumbs-local\n',
  },
  prompts: [
    'what goes into the cache key of a thumbnail?',
    'different topic: thumbs --width 200 says the width is "--width". fix',
    'and seed the local bucket please',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [read(KEY)],
        [
          say(
            'The key is the SHA-1 of four parts: a version prefix (`v3`), the URL of the original, the size as `width x height` with `auto` for a missing side, and the format, which is `webp` unless given. It is built by `cacheKey()` in `src/cache-key.js`. Quality is not part of it, so two thumbnails that differ only in quality share an entry. To drop all thumbnails at once, raise the prefix to `v4`.',
          ),
        ],
        [fail('node --test', 'Run the tests', '--width'), read(ARGS)],
        [edit(ARGS, 'args[i++]', 'args[++i]')],
        [run('node --test', 'Run the tests', 'options with and without a value')],
        [
          say(
            'Fixed. `parseArgs()` in `src/args.js` used `args[i++]`, which reads the option itself and only then moves on; it has to be `args[++i]`, so that the value after the option is read. The test passes.',
          ),
        ],
        [fail(`node ${SEED}`, 'Seed the local bucket', 'THUMBS_BUCKET is not set')],
        [
          say('A variable is missing. Let me see where it is documented.'),
          run('cat .env.example', 'Look for the variable', 'thumbs-local'),
        ],
        [
          run(
            `THUMBS_BUCKET=thumbs-local node ${SEED}`,
            'Seed with the bucket from the example',
            '12 pictures copied',
          ),
        ],
        [
          say(
            `The local bucket is seeded: 12 pictures.\n\nThe script does not read \`.env\`, so \`THUMBS_BUCKET\` has to be set on the command line: \`THUMBS_BUCKET=thumbs-local node ${SEED}\`. Without it the script stops with "THUMBS_BUCKET is not set".`,
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'how-it-works',
        says: ['cacheKey', /SHA-1|four parts/, /version prefix|v3/, 'format'],
        files: [KEY],
        prompt: 1,
      },
      { type: 'bugfix', says: ['parseArgs', 'args[++i]'], files: [ARGS], prompt: 2 },
      {
        type: ['gotcha', 'discovery'],
        says: ['THUMBS_BUCKET', /thumbs-local node scripts\/seed\.mjs|command line/],
        prompt: 3,
      },
    ],
    niceToHave: [{ type: ['gotcha', 'discovery'], says: [/quality/], prompt: 1 }],
    summaries: [
      { prompt: 1, request: ['cache key'], learned: ['SHA-1'], filesRead: [KEY] },
      { prompt: 2, request: ['--width'], completed: [/args\[\+\+i\]|parseArgs/], filesModified: [ARGS] },
      { prompt: 3, request: ['seed'], completed: [/seeded|12 pictures/] },
    ],
    noise: [
      'A variable is missing',
      'throw new Error',
      'createHash',
      'Expected values to be strictly deep-equal',
    ],
  },
};
