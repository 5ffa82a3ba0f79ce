import { callsIn, say, together } from '../calls.ts';
import type { DistillSession } from '../session.ts';

/** Modules of a parking garage that ask for the time: name, and how each uses it. */
const MODULES: [name: string, use: string][] = [
  ['barrier', 'Date.now() - car.seen < 5_000'],
  ['billing', 'Math.ceil((Date.now() - car.entered) / 3_600_000)'],
  ['camera', `\`\${car.plate}-\${Date.now()}.jpg\``],
  ['charging', 'Date.now() + car.minutesLeft * 60_000'],
  ['cleaning', 'Date.now() - car.cleaned > 86_400_000'],
  ['display', 'new Date(Date.now()).getHours() < 6'],
  ['events', '({ plate: car.plate, at: Date.now() })'],
  ['exit', 'car.paidUntil >= Date.now()'],
  ['fines', 'Date.now() > car.paidUntil + 900_000'],
  ['guests', 'car.guestUntil > Date.now()'],
  ['heights', '({ height: car.height, at: Date.now() })'],
  ['keys', 'Date.now().toString(36)'],
  ['lamps', 'Date.now() - car.moved < 60_000'],
  ['lost', 'Date.now() - car.entered > 7 * 86_400_000'],
  ['monthly', 'car.contractEnds - Date.now()'],
  ['night', 'new Date(Date.now()).getHours() >= 22'],
  ['occupancy', '[Date.now(), car.level]'],
  ['payment', '({ plate: car.plate, paidAt: Date.now() })'],
  ['receipts', 'new Date(Date.now()).toISOString()'],
  ['reservations', 'car.reservedFrom - Date.now() < 1_800_000'],
  ['signs', 'Date.now() % 2_000 < 1_000'],
  ['staff', 'car.shiftEnds > Date.now()'],
  ['tickets', `\`T\${Date.now()}\``],
  ['towing', 'Date.now() - car.warned > 3_600_000'],
];

const file = (name: string) => `src/${name}.js`;
const CLOCK = 'src/clock.js';
const TICKETS_TEST = 'test/tickets.test.js';

export const clockInjected: DistillSession = {
  name: 'clock injected',
  about:
    'A long change over two dozen modules, with chatter, an interim commit and one module left out on purpose.',
  long: true,
  files: {
    'package.json': '{ "name": "garage", "private": true, "type": "module" }\n',
    ...Object.fromEntries(
      MODULES.map(([name, use]) => [file(name), `export function ${name}(car) {\n  return ${use};\n}\n`]),
    ),
    [TICKETS_TEST]: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tickets } from '../src/tickets.js';

test('two tickets are never the same', () => {
  const numbers = Array.from({ length: 1000 }, () => tickets({}));
  assert.equal(new Set(numbers).size, 1000);
});
`,
  },
  prompts: [
    'Make the time injectable in all modules under src: every function takes a clock as its last parameter, default is the system clock. I want to be able to test fines and billing without waiting.',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    const names = MODULES.map(([name]) => name);
    const changed = names.filter((name) => name !== 'signs');
    return {
      main: [
        [
          say("I'll begin by finding every use of Date.now."),
          run('grep -rlc "Date.now" src | wc -l', 'Count the modules', '24'),
          fail('node --test', 'State of the tests before', 'two tickets are never the same'),
        ],
        [
          say(
            'Interesting, one test is red already, before I touched anything. I keep that in mind and read on.',
          ),
          ...names.slice(0, 4).map((name) => read(file(name))),
        ],
        ...together(names.slice(4).map((name) => read(file(name)))),
        [write(CLOCK, 'export const systemClock = { now: () => Date.now() };\n')],
        ...together(
          changed.map((name) => edit(file(name), '(car) {', '(car, clock = systemClock) {')),
          6,
        ),
        ...together(
          changed.map((name) => edit(file(name), 'Date.now()', 'clock.now()')),
          6,
        ).map((turn, n) => (n === 0 ? [say('Halfway there! Now the bodies.'), ...turn] : turn)),
        ...together(
          changed.map((name) =>
            edit(
              file(name),
              'export function',
              "import { systemClock } from './clock.js';\n\nexport function",
            ),
          ),
          6,
        ),
        [
          run(
            'git add -A && git commit -qm "wip: clock" && git log --oneline -1',
            'Save the state',
            'wip: clock',
          ),
        ],
        [
          say('Now the red test. Two tickets in the same millisecond get the same number, of course.'),
          edit(file('tickets'), `return \`T\${clock.now()}\``, `return \`T\${clock.now()}-\${++issued}\``),
          edit(file('tickets'), 'export function', 'let issued = 0;\n\nexport function'),
        ],
        [run('node --test', 'Run the tests', 'two tickets are never the same')],
        [
          run('grep -rn "Date.now" src --include=*.js | grep -v clock.js | grep -v signs.js', 'Leftovers'),
          run(
            'git commit -qam "Pass the clock into every module" && git log --oneline -2',
            'Commit',
            'Pass the clock into every module',
          ),
        ],
        [
          say(`All done. 23 of the 24 modules now take \`clock = systemClock\` as their last parameter; \`systemClock\` lives in the new \`${CLOCK}\` and has a single method, \`now()\`.

- **Left out on purpose:** \`src/signs.js\`. Its blinking is driven by the hardware timer, and a fake clock would only hide that.
- **A bug I ran into:** \`tickets()\` built its number from the time alone, so two tickets of the same millisecond were equal, and \`${TICKETS_TEST}\` was red before I started. It now appends a counter (\`T<time>-<n>\`).
- The counter starts at 1 after a restart, so numbers are unique per process and moment, not per counter value.

In a test, pass \`{ now: () => 1_000 }\`. I committed everything as "Pass the clock into every module"; you may want to squash the wip commit before merging.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['refactor', 'feature', 'change'],
        says: ['clock', 'systemClock', /23 of the 24|every|all modules/],
        files: [CLOCK, file('fines'), file('billing'), file('towing')],
        prompt: 1,
      },
      {
        type: ['bugfix', 'gotcha'],
        says: ['tickets', /same millisecond/, /counter/],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['decision', 'gotcha', 'discovery'], says: ['signs', /hardware timer|on purpose/] },
      { type: ['gotcha', 'discovery'], says: [/restart/, /unique/] },
      { type: 'change', says: ['Pass the clock into every module'] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['injectable'],
        learned: [/same millisecond|hardware timer/],
        completed: ['clock'],
        filesRead: [file('barrier'), file('towing')],
        filesModified: [CLOCK, file('billing'), file('tickets')],
      },
    ],
    noise: ['Halfway', 'Interesting,', 'of course', 'toISOString', 'I keep that in mind', '86_400_000'],
  },
};
