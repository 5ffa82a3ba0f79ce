import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const IMPORT = 'src/import-members.js';
const LOG = 'logs/import.log';

/** A thousand lines of a log that all look alike, and one that does not. */
const log = Array.from({ length: 1200 }, (_, i) => {
  const time = new Date(Date.UTC(2026, 1, 3, 4, 0, i)).toISOString();
  if (i === 871) return `${time} warn row 871: "joined" is empty, keeping null`;
  return `${time} info row ${i}: imported member ${10_000 + i * 7}`;
}).join('\n');

const TRACE = `TypeError: Cannot read properties of null (reading 'slice')
    at joinedYear (/srv/members/src/import-members.js:4:23)
    at /srv/members/src/import-members.js:9:40
    at Array.map (<anonymous>)
    at importMembers (/srv/members/src/import-members.js:8:15)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)
    at async main (/srv/members/bin/import.js:12:3)`;

export const pastedTrace: DistillSession = {
  name: 'pasted trace',
  about: 'The person pastes a stack trace; a long log, a wrong path and a missed edit lie on the way.',
  files: {
    'package.json': '{ "name": "members", "private": true, "type": "module" }\n',
    [IMPORT]: `/** Members as the club's old program exports them. */

function joinedYear(row) {
  return Number(row.joined.slice(0, 4));
}

export function importMembers(rows) {
  return rows
    .map((row) => ({ name: row.name, year: joinedYear(row) }))
    .sort((a, b) => a.year - b.year);
}
`,
    'test/import.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importMembers } from '../src/import-members.js';

test('the year a member joined', () => {
  assert.deepEqual(importMembers([{ name: 'Ada', joined: '1999-04-01' }]), [{ name: 'Ada', year: 1999 }]);
});
`,
    [LOG]: `${log}\n`,
  },
  prompts: [`nightly import crashed again:\n\n\`\`\`\n${TRACE}\n\`\`\`\n\nplease fix. the log is in logs/`],
  script: (dir) => {
    const { run, fail, read, edit, missedEdit } = callsIn(dir);
    return {
      main: [
        [
          say("I'll look at the function from the trace and at the log."),
          read(IMPORT),
          fail('cat log/import.log', 'Read the log', 'No such file'),
        ],
        [run(`cat ${LOG}`, 'Read the log', 'row 12: imported')],
        [run(`grep -v " info " ${LOG}`, 'Lines that are not info', 'keeping null')],
        [
          say(
            'Row 871 has no date of joining, and the function expects one. I add the case to the tests first.',
          ),
          missedEdit('test/import.test.js', "test('year a member joined'", "test('the year'"),
        ],
        [read('test/import.test.js')],
        [
          edit(
            'test/import.test.js',
            "test('the year a member joined'",
            `test('a member without a date of joining comes last', () => {
  const rows = [{ name: 'Bo', joined: null }, { name: 'Ada', joined: '1999-04-01' }];
  assert.deepEqual(importMembers(rows), [{ name: 'Ada', year: 1999 }, { name: 'Bo', year: null }]);
});

test('the year a member joined'`,
          ),
        ],
        [fail('node --test', 'See the new test fail', "reading 'slice'")],
        [
          edit(
            IMPORT,
            '  return Number(row.joined.slice(0, 4));',
            '  return row.joined === null ? null : Number(row.joined.slice(0, 4));',
          ),
          edit(IMPORT, '(a, b) => a.year - b.year', '(a, b) => (a.year ?? Infinity) - (b.year ?? Infinity)'),
        ],
        [run('node --test', 'Run the tests', 'comes last')],
        [
          say(`✅ The import no longer crashes on members without a date of joining.

### Root cause
\`joinedYear()\` in \`${IMPORT}\` called \`row.joined.slice\` although \`joined\` may be \`null\`. The old program exports an empty field for honorary members; the reader turns it into \`null\` and only logs a warning (row 871 in \`${LOG}\`).

### Fix
\`\`\`diff
-  return Number(row.joined.slice(0, 4));
+  return row.joined === null ? null : Number(row.joined.slice(0, 4));
\`\`\`
Members without a year are sorted to the end.

| Test | Result |
|---|---|
| the year a member joined | ✅ |
| a member without a date of joining comes last | ✅ |

Let me know if honorary members should get a year of their own instead!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'bugfix',
        says: ['joinedYear', /null/, /honorary|without a (year|date)|empty field/],
        files: [IMPORT],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'how-it-works'], says: ['honorary members', /null|empty/] },
      { type: 'decision', says: [/sorted to the end/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['nightly import crashed'],
        learned: ['joinedYear', 'null'],
        completed: [/no longer crashes|sorted to the end/],
        filesRead: [IMPORT],
        filesModified: [IMPORT, 'test/import.test.js'],
      },
    ],
    noise: [
      'imported member',
      '/srv/members',
      '|---|',

      'No such file',
      'String to replace not found',
      'expects one. I add',
    ],
  },
};
