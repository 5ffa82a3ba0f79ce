import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const PARSE = 'src/betrag.js';
const TESTS = 'test/betrag.test.js';

export const germanBugfix: DistillSession = {
  name: 'german bugfix',
  about: 'Person and agent speak German: a bug, a decision of the person, an open point.',
  files: {
    'package.json': '{ "name": "kassenbuch", "private": true, "type": "module" }\n',
    [PARSE]: `/** Liest einen Betrag wie "1.234,50" und gibt Cent zurück. */
export function betrag(text) {
  const zahl = Number(text.replace('.', '').replace(',', '.'));
  if (Number.isNaN(zahl)) throw new TypeError(\`kein Betrag: \${text}\`);
  return Math.round(zahl * 100);
}
`,
    [TESTS]: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { betrag } from '../src/betrag.js';

test('mit Tausenderpunkt', () => assert.equal(betrag('1.234,50'), 123450));
test('mit zwei Tausenderpunkten', () => assert.equal(betrag('1.234.567,89'), 123456789));
`,
  },
  prompts: [
    'Der Import bricht bei Beträgen ab einer Million ab. Finde bitte die Ursache und behebe sie.',
    'Nein, schreib Kommentare in diesem Projekt immer auf Deutsch, nie auf Englisch.',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Ich schaue mir zuerst die Tests an.'),
          fail('node --test', 'Tests ausführen', 'kein Betrag: 1.234.567,89'),
        ],
        [read(PARSE), read(TESTS)],
        [
          edit(
            PARSE,
            "  const zahl = Number(text.replace('.', '')",
            "  // All thousands separators, not only the first one.\n  const zahl = Number(text.replaceAll('.', '')",
          ),
        ],
        [run('node --test', 'Tests noch einmal ausführen', 'mit zwei Tausenderpunkten')],
        [
          say(`Der Fehler ist behoben, beide Tests sind grün.

**Ursache:** \`betrag()\` in \`${PARSE}\` hat mit \`replace('.', '')\` nur den *ersten* Tausenderpunkt entfernt. Ab einer Million gibt es zwei, der zweite blieb stehen, und \`Number\` lieferte \`NaN\`.

**Lösung:** \`replaceAll\` statt \`replace\`.

**Offen:** Beträge mit Leerzeichen als Tausendertrennzeichen (\`1 234,50\`, wie in Österreich üblich) werden weiterhin abgelehnt.`),
        ],
        [
          say('Verstanden.'),
          edit(
            PARSE,
            '// All thousands separators, not only the first one.',
            '// Alle Tausenderpunkte, nicht nur den ersten.',
          ),
        ],
        [run('node --test', 'Tests ausführen', 'mit Tausenderpunkt')],
        [say(`Der Kommentar in \`${PARSE}\` ist jetzt auf Deutsch. Dabei bleibe ich in diesem Projekt.`)],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'bugfix',
        says: ['betrag', /Tausenderpunkt/, 'replaceAll'],
        files: [PARSE],
        prompt: 1,
      },
      { type: 'preference', says: ['Kommentare', /immer auf Deutsch/], prompt: 2 },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: [/Leerzeichen|Österreich/] },
      { type: 'change', says: ['Kommentar'], files: [PARSE], prompt: 2 },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['ab einer Million'],
        learned: [/Tausenderpunkt/],
        completed: ['replaceAll'],
        nextSteps: [/Leerzeichen/],
        filesModified: [PARSE],
      },
      { prompt: 2, request: ['auf Deutsch'], filesModified: [PARSE] },
    ],
    noise: ['Ich schaue mir', /^Verstanden/m, /kein Betrag: 1/],
  },
};
