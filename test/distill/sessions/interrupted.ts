import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const CART = 'packages/cart/total.js';

export const interrupted: DistillSession = {
  name: 'interrupted',
  about: 'The person presses Esc in the middle of a full test run and says how it is done here.',
  files: {
    'package.json': '{ "name": "shop-monorepo", "private": true, "type": "module" }\n',
    [CART]: `/** The sum of a cart's lines in cents. */
export function total(lines) {
  return lines.reduce((sum, line) => sum + line.cents * line.count, 0);
}
`,
    'packages/cart/total.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from './total.js';

test('counts each line as often as it is in the cart', () => {
  assert.equal(total([{ cents: 250, count: 2 }, { cents: 100, count: 1 }]), 600);
});
`,
    'scripts/test-all.mjs': `import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

// Every package against every browser; a full run takes most of an hour on a laptop.
for (const name of ['cart', 'checkout', 'search', 'account', 'admin', 'mail', 'stock', 'tax']) {
  appendFileSync('test-all.log', \`\${name} …\\n\`);
  await pause(700);
}
`,
  },
  prompts: [
    'lines with a negative count must not lower the total, throw a RangeError instead',
    'stop. never run scripts/test-all.mjs on my machine, it takes 50 minutes. only run the tests of the package you touched, CI does the rest',
  ],
  how: { cut: 'interrupted', when: 'test-all.log' },
  script: (dir) => {
    const { run, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [say("I'll look at the cart first."), read(CART), read('packages/cart/total.test.js')],
        [
          edit(
            CART,
            '  return lines.reduce(',
            "  if (lines.some((line) => line.count < 0)) throw new RangeError('count must not be negative');\n  return lines.reduce(",
          ),
        ],
        [
          say('Now I run the whole suite to be sure nothing else relied on negative counts.'),
          cut('node scripts/test-all.mjs', 'Run all tests of all packages'),
        ],
        [
          say("Understood. I'll run only the cart's tests."),
          run('node --test packages/cart/total.test.js', 'Run the tests of the cart', 'counts each line'),
        ],
        [
          say(
            'The tests of `packages/cart` pass. `total()` in `packages/cart/total.js` now throws a `RangeError` ("count must not be negative") when a line has a negative count; nothing is summed in that case.\n\nFrom now on I only run the tests of the package I touched and leave `scripts/test-all.mjs` to CI.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'preference',
        says: ['test-all.mjs', /never run/, /only run the tests of the package you touched/],
        prompt: 2,
      },
      { type: ['feature', 'change', 'bugfix'], says: ['total', 'negative', 'RangeError'], files: [CART] },
    ],
    niceToHave: [{ type: ['discovery', 'change'], says: ['packages/cart', 'pass'], prompt: 2 }],
    summaries: [
      { prompt: 1, request: ['negative count'], filesRead: [CART], filesModified: [CART] },
      { prompt: 2, request: ['test-all.mjs'], completed: [/RangeError|tests of .?packages\/cart/] },
    ],
    noise: ['to be sure nothing else', /^Understood/m],
  },
};
