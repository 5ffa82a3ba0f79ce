import { callsIn, say, together } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const BASKET = 'src/basket.js';

/** Modules that look a user up. */
const CALLERS = ['login', 'profile', 'invite', 'avatar', 'logout'];
const caller = (name: string) => `src/pages/${name}.js`;

export const terseAgent: DistillSession = {
  name: 'terse agent',
  about: 'The agent closes with a word or two: what happened has to be read from what it did.',
  files: {
    'package.json': '{ "name": "kiosk", "private": true, "type": "module" }\n',
    [BASKET]: `export function basketTotal(items) {
  return items.map((item) => item.cents).reduce((sum, cents) => sum + cents);
}
`,
    'test/basket.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basketTotal } from '../src/basket.js';

test('an empty basket costs nothing', () => {
  assert.equal(basketTotal([]), 0);
});
`,
    'src/users.js': `const users = new Map([['ada', { name: 'Ada' }]]);

export function getUser(id) {
  return users.get(id) ?? null;
}
`,
    ...Object.fromEntries(
      CALLERS.map((name) => [
        caller(name),
        `import { getUser } from '../users.js';\n\nexport const ${name} = (id) => \`${name} of \${getUser(id)?.name ?? 'nobody'}\`;\n`,
      ]),
    ),
  },
  prompts: [
    'tests are red',
    'rename getUser to findUser everywhere, it returns null for strangers',
    'run the tests again',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [fail('node --test', 'Run the tests', 'Reduce of empty array with no initial value')],
        [read(BASKET)],
        [edit(BASKET, '(sum, cents) => sum + cents)', '(sum, cents) => sum + cents, 0)')],
        [run('node --test', 'Run the tests', 'an empty basket costs nothing')],
        [say('Fixed, all green.')],
        [run('grep -rln getUser src', 'Find all uses', 'src/users.js'), read('src/users.js')],
        ...together(
          CALLERS.map((name) => read(caller(name))),
          5,
        ),
        [edit('src/users.js', 'function getUser', 'function findUser')],
        ...together(
          CALLERS.flatMap((name) => [
            edit(caller(name), 'import { getUser }', 'import { findUser }'),
            edit(caller(name), '{getUser(id)', '{findUser(id)'),
          ]),
          5,
        ),
        [run('grep -rn getUser src || echo gone', 'Look for leftovers', 'gone')],
        [say('Done.')],
        [run('node --test', 'Run the tests', 'an empty basket costs nothing')],
        [say('Still green.')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'bugfix',
        says: [/basket/, /Reduce of empty array|initial value|empty basket/],
        files: [BASKET],
        prompt: 1,
      },
      {
        type: 'refactor',
        says: ['getUser', 'findUser'],
        files: ['src/users.js', caller('login'), caller('logout')],
        prompt: 2,
      },
    ],
    summaries: [
      { prompt: 1, request: ['tests are red'], filesModified: [BASKET] },
      { prompt: 2, request: ['findUser'], filesModified: ['src/users.js', caller('avatar')] },
      { prompt: 3, optional: true },
    ],
    noise: ["'nobody'", 'users.get(', 'testCodeFailure'],
  },
};
