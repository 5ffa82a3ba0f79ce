import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const COPY = 'src/deep-copy.js';

export const deadEnd: DistillSession = {
  name: 'dead end',
  about:
    'An attempt is made, fails for a good reason, and is taken back. The reason is what is worth keeping.',
  files: {
    'package.json': '{ "name": "form-rules", "private": true, "type": "module" }\n',
    [COPY]: `export function deepCopy(value) {
  if (Array.isArray(value)) return value.map(deepCopy);
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.create(Object.getPrototypeOf(value));
  for (const key of Object.keys(value)) copy[key] = deepCopy(value[key]);
  return copy;
}
`,
    'src/rules.js': `import { deepCopy } from './deep-copy.js';

export const defaults = {
  name: { required: true, check: (text) => text.length < 80 },
  age: { required: false, check: (text) => /^\\d{1,3}$/.test(text) },
};

export function rulesFor(changes) {
  return { ...deepCopy(defaults), ...changes };
}
`,
    'test/rules.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaults, rulesFor } from '../src/rules.js';

test('a copy can be changed without changing the defaults', () => {
  const rules = rulesFor({});
  rules.name.required = false;
  assert.equal(defaults.name.required, true);
});

test('checks survive the copy', () => {
  assert.equal(rulesFor({}).age.check('42'), true);
});
`,
  },
  prompts: ['can we get rid of our own deepCopy and use structuredClone?'],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("I'll see who uses it."),
          run('grep -rn deepCopy src', 'Callers of deepCopy', 'src/rules.js'),
          read('src/rules.js'),
          read(COPY),
        ],
        [
          say('Only one caller. I try it.'),
          edit('src/rules.js', "import { deepCopy } from './deep-copy.js';\n\n", ''),
          edit('src/rules.js', 'deepCopy(defaults)', 'structuredClone(defaults)'),
        ],
        [fail('node --test', 'Run the tests', 'could not be cloned')],
        [
          say(
            '`structuredClone` refuses the check functions. I could take them out before and put them back after.',
          ),
          edit('src/rules.js', 'structuredClone(defaults)', 'JSON.parse(JSON.stringify(defaults))'),
        ],
        [fail('node --test', 'Run the tests', 'check is not a function')],
        [
          say('That loses them altogether. I take it back.'),
          run(
            'git checkout -q -- src/rules.js && git status --short && node --test',
            'Undo and run the tests',
            'checks survive the copy',
          ),
        ],
        [
          say(`No, not as things are, so I put everything back; the working tree is unchanged.

- \`structuredClone\` throws a \`DataCloneError\` on functions, and every rule in \`src/rules.js\` has a \`check\` function.
- A round trip through JSON does not throw but silently drops the \`check\` functions, which is worse.

\`deepCopy\` in \`${COPY}\` therefore stays. It could go if the checks were moved out of the rules and looked up by name; that would change the public shape of the rules, so I did not do it.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'decision'],
        says: ['structuredClone', /functions/, 'check', /deepCopy/],
        prompt: 1,
      },
    ],
    niceToHave: [{ type: ['gotcha', 'discovery', 'decision'], says: [/JSON/, /drops/] }],
    summaries: [
      {
        prompt: 1,
        request: ['structuredClone'],
        learned: [/DataCloneError|functions/],
        filesRead: [COPY, 'src/rules.js'],
      },
    ],
    noise: ['I try it', 'take it back', 'Only one caller', 'Object.getPrototypeOf', /who uses it/],
  },
};
