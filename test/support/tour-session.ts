import { join } from 'node:path';
import type { ModelScript } from './scripted-model.ts';

/** The tiny shop in which the tour's session happens. */
export const SHOP: Record<string, string> = {
  'package.json': `{
  "name": "shop",
  "version": "1.0.0",
  "type": "module",
  "scripts": { "test": "node --test --test-reporter=spec" }
}
`,
  'src/discount.js': `/** The price after a discount, in euros. */
export function discounted(price, percent) {
  return price * (1 - percent / 100);
}
`,
  'test/discount.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discounted } from '../src/discount.js';

test('ten percent off', () => {
  assert.equal(discounted(19.99, 10), 17.99);
});
`,
};

export const TOUR_PROMPTS = ['the discount test fails, fix it', 'add a test for zero percent and commit it'];

/** A small believable piece of work: a bug, a first attempt that fails, a decision, a commit. */
export function tourScript(projectDir: string): ModelScript {
  const source = join(projectDir, 'src', 'discount.js');
  const tests = join(projectDir, 'test', 'discount.test.js');
  const runTests = (id: string) => bash(id, 'npm test', 'Run the tests');

  return {
    main: [
      [{ text: 'I run the tests to see the failure.' }, runTests('toolu_tour_see_failure')],
      [
        { id: 'toolu_tour_read_source', tool: 'Read', input: { file_path: source } },
        { id: 'toolu_tour_read_tests', tool: 'Read', input: { file_path: tests } },
      ],
      [
        { text: 'The price is never rounded, so 19.99 less ten percent is 17.991.' },
        edit(
          'toolu_tour_first_attempt',
          source,
          UNROUNDED,
          '  return (price * (1 - percent / 100)).toFixed(2);',
        ),
      ],
      [runTests('toolu_tour_still_failing')],
      [
        { text: '`toFixed` gives a string. I round in cents instead.' },
        edit(
          'toolu_tour_fix',
          source,
          '  return (price * (1 - percent / 100)).toFixed(2);',
          '  return Math.round(price * (100 - percent)) / 100;',
        ),
      ],
      [runTests('toolu_tour_green')],
      [{ text: FIRST_ANSWER }],
      [edit('toolu_tour_add_test', tests, LAST_TEST, `${LAST_TEST}\n\n${ZERO_TEST}`)],
      [runTests('toolu_tour_green_again')],
      [
        bash(
          'toolu_tour_commit',
          'git commit -qam "Round discounted prices to whole cents" && git log --oneline -1 --stat',
          'Commit the fix and its tests',
        ),
      ],
      [{ text: SECOND_ANSWER }],
    ],
  };
}

const UNROUNDED = '  return price * (1 - percent / 100);';

const LAST_TEST = `  assert.equal(discounted(19.99, 10), 17.99);
});`;

const ZERO_TEST = `test('zero percent leaves the price as it is', () => {
  assert.equal(discounted(19.99, 0), 19.99);
});`;

const FIRST_ANSWER = `The discount test passes now.

The cause: \`discounted\` in src/discount.js never rounded, so 19.99 less ten percent was 17.991.

Decision: prices are rounded to whole cents with \`Math.round\`, once, where the discount is applied. \`toFixed\` was the wrong tool, since it returns a string and the callers expect a number.`;

const SECOND_ANSWER = `I added a test that zero percent leaves the price as it is, and committed it together with the fix as "Round discounted prices to whole cents". Both tests pass.

Next: decide what a discount above 100 percent should do; today it gives a negative price.`;

function bash(id: string, command: string, description: string) {
  return { id, tool: 'Bash', input: { command, description } };
}

function edit(id: string, path: string, before: string, after: string) {
  return { id, tool: 'Edit', input: { file_path: path, old_string: before, new_string: after } };
}
