import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const NIGHTS = 'src/stay/nights.js';
const TESTS = 'test/nights.test.js';

export const redTestFixed: DistillSession = {
  name: 'red test fixed',
  about: 'A test fails in one week of the year; the agent finds the cause, fixes it and adds a test.',
  files: {
    'package.json': `{
  "name": "guesthouse",
  "version": "2.3.0",
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
    [NIGHTS]: `const DAY = 24 * 60 * 60 * 1000;

/** How many nights a guest stays; both dates are local midnights. */
export function nights(arrival, departure) {
  if (departure <= arrival) throw new RangeError('departure must be after arrival');
  return Math.floor((departure - arrival) / DAY);
}
`,
    'src/stay/price.js': `import { nights } from './nights.js';

const TOURIST_TAX = 2.5;

/** Price of a stay in euros, tourist tax included. */
export function stayPrice(room, arrival, departure, guests) {
  const count = nights(arrival, departure);
  return count * room.rate + count * guests * TOURIST_TAX;
}
`,
    [TESTS]: `process.env.TZ = 'Europe/Berlin';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nights } from '../src/stay/nights.js';

test('a weekend is two nights', () => {
  assert.equal(nights(new Date(2026, 4, 8), new Date(2026, 4, 10)), 2);
});

test('the last week of March is seven nights', () => {
  assert.equal(nights(new Date(2026, 2, 27), new Date(2026, 3, 3)), 7);
});
`,
  },
  prompts: ['the march test in nights.test.js is red since this morning, can you find out why and fix it?'],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [say("I'll run the tests first to see the failure."), fail('npm test', 'Run the tests', '6 !== 7')],
        [say('Let me look at the code and at who uses it.'), read(NIGHTS), read(TESTS)],
        [run('grep -rn "nights" src', 'Find the callers of nights', 'src/stay/price.js')],
        [
          say(
            'In Berlin the clocks go forward on 29 March 2026, so that week has only 167 hours, and `Math.floor` cuts 6.958 down to 6. Let me confirm that.',
          ),
          run(
            `TZ=Europe/Berlin node -e "console.log((new Date(2026,3,3)-new Date(2026,2,27))/36e5)"`,
            'Hours in that week',
            '167',
          ),
        ],
        [
          edit(
            NIGHTS,
            '  return Math.floor((departure - arrival) / DAY);',
            '  // A day is 23 or 25 hours long when the clocks change.\n  return Math.round((departure - arrival) / DAY);',
          ),
        ],
        [
          edit(
            TESTS,
            "test('the last week of March is seven nights'",
            `test('the night the clocks go back is one night', () => {
  assert.equal(nights(new Date(2026, 9, 24), new Date(2026, 9, 25)), 1);
  assert.equal(nights(new Date(2026, 9, 25), new Date(2026, 9, 26)), 1);
});

test('the last week of March is seven nights'`,
          ),
        ],
        [run('npm test', 'Run the tests again', 'clocks go back')],
        [
          say(`The March test passes again, and so do the other two.

**Cause:** \`nights()\` in \`src/stay/nights.js\` divided the difference of two local midnights by 24 hours and rounded it *down* with \`Math.floor\`. The week of 27 March to 3 April 2026 contains the change to summer time, so it is only 167 hours long: 6.96 days became 6 nights.

**Fix:** \`Math.round\` instead of \`Math.floor\`. Both dates are midnights, so the remainder is never more than one hour and rounding is exact.

I also added a test for the October change, where the day has 25 hours.

Note that \`stayPrice()\` uses \`nights()\`, so guests staying over that weekend were charged one night too little. Bookings already invoiced are not corrected by this change.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'bugfix',
        says: ['nights', 'Math.floor', 'Math.round', /summer time|clocks|167 hours|DST/],
        files: [NIGHTS],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: ['stayPrice', /one night too little|not corrected/] },
      { type: ['gotcha', 'discovery'], says: [/summer time|clocks|167 hours/, /23|25|167/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['march test'],
        learned: ['Math.floor', /summer time|167 hours/],
        completed: ['Math.round'],
        filesRead: [NIGHTS],
        filesModified: [NIGHTS, TESTS],
      },
    ],
    noise: ['6 !== 7', 'AssertionError', 'confirm that', 'departure must be after arrival'],
  },
};
