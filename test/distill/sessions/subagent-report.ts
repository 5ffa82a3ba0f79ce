import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const EXPORT = 'src/export/csv.js';
const MARKER = 'Search the whole repository for code that writes CSV';

export const subagentReport: DistillSession = {
  name: 'subagent report',
  about: 'A subagent searches and reports; the main agent acts on one of its findings.',
  files: {
    'package.json': '{ "name": "club-members", "private": true, "type": "module" }\n',
    [EXPORT]: `export function csv(rows) {
  return rows.map((row) => row.map((cell) => \`"\${cell}"\`).join(';')).join('\\r\\n');
}
`,
    'src/export/ledger.js': `export function ledgerCsv(entries) {
  return entries.map(({ date, cents }) => [date, (cents / 100).toFixed(2)].join(',')).join('\\n');
}
`,
    'src/mail/attachment.js': `import { csv } from '../export/csv.js';

export const membersAttachment = (members) => ({ name: 'members.csv', content: csv(members) });
`,
    'test/csv.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from '../src/export/csv.js';

test('quotes inside a cell are doubled', () => {
  assert.equal(csv([['Anna "Anni" Berg']]), '"Anna ""Anni"" Berg"');
});
`,
  },
  prompts: [
    'excel shows our member export in the wrong columns for some members. have a subagent find everything that writes csv, then fix the export',
  ],
  script: (dir) => {
    const { run, fail, read, edit, delegate } = callsIn(dir);
    return {
      main: [
        [
          say("I'll let a subagent search while I keep the overview."),
          delegate('Find CSV writers', `${MARKER}. Report file, function, separator and quoting of each.`),
        ],
        [fail('node --test', 'Run the tests', 'Anni'), read(EXPORT)],
        [edit(EXPORT, '{cell}', `{String(cell).replaceAll('"', '""')}`)],
        [run('node --test', 'Run the tests', 'quotes inside a cell are doubled')],
        [
          say(`Fixed: \`csv()\` in \`${EXPORT}\` now doubles quotation marks inside a cell. Members with a nickname in quotes, such as Anna "Anni" Berg, ended their cell too early, which moved the rest of the row into the wrong columns. The test passes.

The subagent found a second writer, \`ledgerCsv()\` in \`src/export/ledger.js\`. It separates with commas and quotes nothing. It only writes dates and amounts, so it is safe today; I left it alone.`),
        ],
      ],
      subagents: {
        [MARKER]: [
          [run('grep -rln "csv\\|join(.[;,]" src', 'Find CSV code', 'src/export/ledger.js')],
          [read(EXPORT), read('src/export/ledger.js'), read('src/mail/attachment.js')],
          [
            say(`Two functions write CSV:

1. \`csv()\` in \`${EXPORT}\`: separator \`;\`, every cell quoted, but quotation marks inside a cell are **not** doubled. Used by \`membersAttachment\` in \`src/mail/attachment.js\`.
2. \`ledgerCsv()\` in \`src/export/ledger.js\`: separator \`,\`, no quoting. Nobody calls it except the yearly closing.`),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      {
        type: 'bugfix',
        says: ['csv', /quot/, /doubled|doubles|doubling/],
        files: [EXPORT],
        prompt: 1,
      },
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: ['ledgerCsv', 'src/export/ledger.js', /comma|no quoting|quotes nothing|separator/],
        prompt: 1,
      },
    ],
    niceToHave: [{ type: ['discovery', 'how-it-works'], says: ['membersAttachment'] }],
    summaries: [
      {
        prompt: 1,
        request: ['wrong columns'],
        learned: [/ledgerCsv|doubled|ended their cell/],
        completed: [/doubles/],
        filesModified: [EXPORT],
      },
    ],
    noise: ['keep the overview', 'Report file, function, separator', 'toFixed'],
  },
};
