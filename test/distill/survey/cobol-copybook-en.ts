import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const UPD = 'src/CUSTUPD.cbl';
const RPT = 'src/CUSTRPT.cbl';
const EXT = 'src/CUSTEXT.cbl';
const BOOK = 'copy/CUSTREC.cpy';
const EXTBOOK = 'copy/CUSTEXTR.cpy';

const RECORD = (credit: string) => `       01  CUST-REC.
           05  CUST-NO             PIC 9(10).
           05  CUST-NAME           PIC X(60).
           05  CUST-STREET         PIC X(60).
           05  CUST-CITY           PIC X(40).
           05  CUST-SINCE          PIC 9(8).
           05  CUST-CREDIT         PIC S9(9)V99 ${credit}.
`;

const program = (name: string, credit: string) => `       IDENTIFICATION DIVISION.
       PROGRAM-ID. ${name}.
       DATA DIVISION.
       FILE SECTION.
       FD  CUSTMAST.
${RECORD(credit)}           05  FILLER              PIC X(${credit === 'COMP-3' ? 56 : 51}).
       PROCEDURE DIVISION.
           GOBACK.
`;

const BODY = `${RECORD('COMP-3')}           05  FILLER              PIC X(56).
`;

const LONG_COMMENT =
  '           05  CUST-CREDIT-LIMIT-IN-ACCOUNT-CURRENCY-OF-THE-CUSTOMER PIC S9(9)V99 COMP-3.';

const COBC = `#!/bin/sh
# Stands in for the compiler: fixed format, so it reads columns 8 to 72 only.
for f in "$@"; do
  case "$f" in -*) continue ;; esac
  if grep -q CUSTREC "$f"; then
    [ -f ${BOOK} ] || { echo "$f: CUSTREC: no such copybook"; exit 1; }
    if grep -nE '^.{73,}' ${BOOK} >/dev/null; then
      echo "${BOOK}: record CUST-REC is 245 bytes, FD CUSTMAST says 240"; exit 1
    fi
  fi
  if grep -q CUSTEXTR "$f"; then [ -f ${EXTBOOK} ] || exit 1; fi
  echo "$f: ok, record 240 bytes"
done
`;

const REGRESS = `#!/bin/sh
case "$1" in
  unit) echo "unit: 64 cases, 64 same as baseline"; exit 0 ;;
  all) touch regress.started; echo "opening CUSTMAST shared, 2140 cases"; sleep 40 ;;
  *) echo "usage: regress unit|all"; exit 2 ;;
esac
`;

export const cobolCopybookEn: SurveySession = {
  name: 'cobol copybook en',
  about:
    'A record layout moves into a copybook; the full regression is stopped by the person, one program keeps its own layout.',
  kind: 'refactoring',
  language: 'en',
  ecosystem: 'cobol',
  files: {
    [UPD]: program('CUSTUPD', 'COMP-3'),
    [RPT]: program('CUSTRPT', 'COMP-3'),
    [EXT]: program('CUSTEXT', 'DISPLAY'),
    'jcl/NIGHTLY.jcl': `//NIGHTLY  JOB
//STEP1    EXEC PGM=CUSTUPD
//CUSTMAST DD DSN=PROD.CUSTMAST,DISP=SHR,DCB=LRECL=240
//STEP2    EXEC PGM=CUSTEXT
//EXTRACT  DD DSN=PROD.CUST.EXTRACT,DCB=LRECL=240
`,
    '.gitignore': 'regress.started\n',
  },
  programs: { cobc: COBC, regress: REGRESS },
  prompts: [
    'The customer record is pasted into CUSTUPD, CUSTRPT and CUSTEXT. Please move it to one copybook, copy/CUSTREC.cpy. The bytes must stay exactly where they are, LRECL=240 is in the nightly JCL and other shops read these files.',
    'STOP. Never run regress all during office hours, it takes exclusive locks on CUSTMAST and the call centre stands still. After 19:00 only, and tell Beatriz before. "regress unit" is fine any time, it works on a copy. Where are we with CUSTEXT?',
    'Separate copybook for CUSTEXT then, call it CUSTEXTR. The display digits are on purpose: Banco Sul reads the extract with a program from 1994 that can\'t unpack. And put a comment on top so nobody "unifies" it next year.',
  ],
  how: { cut: 'interrupted', when: 'regress.started' },
  script: (dir) => {
    const { run, fail, cut, read, edit, write } = callsIn(dir);
    return {
      main: [
        [read(UPD), read(RPT), read('jcl/NIGHTLY.jcl')],
        [
          say('The three layouts look identical, so this should be a plain move. Writing the copybook.'),
          write(BOOK, BODY.replace('           05  CUST-CREDIT         PIC S9(9)V99 COMP-3.', LONG_COMMENT)),
          edit(UPD, BODY, '           COPY CUSTREC.\n'),
          edit(RPT, BODY, '           COPY CUSTREC.\n'),
        ],
        [fail(`cobc -fsyntax-only ${UPD} ${RPT}`, 'Compile', 'record CUST-REC is 245 bytes')],
        [
          say(
            '245 instead of 240 bytes. I gave the credit field a longer name, and with that the line runs past column 72. In fixed format the compiler ignores columns 73 to 80 without a word, so it never saw the COMP-3 and took the field as display: 11 bytes instead of 6. Lines in copybooks must end at column 72. Back to the old name.',
          ),
          read(BOOK),
        ],
        [
          write(BOOK, BODY),
          run(`cobc -fsyntax-only ${UPD} ${RPT}`, 'Compile', 'CUSTRPT.cbl: ok, record 240 bytes'),
          read(EXT),
        ],
        [
          say(
            'CUSTEXT is not identical after all: its CUST-CREDIT is DISPLAY with 11 bytes, and its FILLER is 51 instead of 56, so both variants come to 240 bytes. The record length alone would not have shown a mix-up. I leave CUSTEXT as it is for now and run the full regression on the other two.',
          ),
          cut('regress all', 'Full regression'),
        ],
        [
          say('Stopped. Checking that nothing is left running, then the unit set.'),
          run('ps ax 2>/dev/null | grep -c "[r]egress all" || true', 'Anything left running'),
          run('regress unit', 'Unit regression', '64 same as baseline'),
        ],
        [
          run(
            'git status --short && diff <(sed -n 6,13p src/CUSTEXT.cbl) copy/CUSTREC.cpy | head -8',
            'Difference of CUSTEXT',
            'DISPLAY',
          ),
        ],
        [
          say(`Sorry about that; understood, \`regress all\` only after 19:00 and with a word to Beatriz.

Where we are:

- CUSTUPD and CUSTRPT use \`COPY CUSTREC\` and compile to 240 bytes; \`regress unit\` shows 64 of 64 same as baseline. The full regression has not been run.
- CUSTEXT is untouched. Its credit field is DISPLAY (11 bytes), the other two have COMP-3 (6 bytes). If it took CUSTREC, everything from byte 179 on would shift and still be 240 bytes long, so neither compiler nor JCL would object.

Options for CUSTEXT: \`COPY CUSTREC REPLACING\` for the one field, or a copybook of its own. I lean to REPLACING, it keeps one source.`),
        ],
        [
          say('A copybook of its own it is.'),
          write(
            EXTBOOK,
            `      * EXTRACT FOR BANCO SUL. CUST-CREDIT IS DISPLAY ON PURPOSE:
      * THEIR READER OF 1994 CANNOT UNPACK COMP-3.
      * DO NOT MERGE WITH CUSTREC.
${RECORD('DISPLAY')}           05  FILLER              PIC X(51).
`,
          ),
          edit(
            EXT,
            `${RECORD('DISPLAY')}           05  FILLER              PIC X(51).\n`,
            '           COPY CUSTEXTR.\n',
          ),
        ],
        [
          run(
            `cobc -fsyntax-only ${UPD} ${RPT} ${EXT} && awk 'length > 72' copy/*.cpy | wc -l`,
            'Compile, long lines',
            'CUSTEXT.cbl: ok',
          ),
          run('regress unit', 'Unit regression', '64 same as baseline'),
          run(
            'git add -A && git commit -qm "Move customer record to copybooks CUSTREC and CUSTEXTR" && git log --oneline -1',
            'Commit',
            'CUSTEXTR',
          ),
        ],
        [
          say(
            'Done and committed. CUSTUPD and CUSTRPT share CUSTREC, CUSTEXT has CUSTEXTR with the warning on top. No line passes column 72, unit regression is clean. Still open: `regress all` after 19:00. I also noticed that CUST-SINCE is PIC 9(8) while the JCL sort card of the archive job expects a 6-digit date, but that is outside of this change. Enjoy the quiet evening!',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'gotcha', 'decision'],
        says: [/regress all/, /19:00|office hours/, /locks|call centre|CUSTMAST|Beatriz/],
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/240/, /bytes|LRECL/, /stay|JCL/] },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works'],
        says: [/column(s)? 7[23]/, /ignore|past|must end/],
      },
      {
        type: ['decision', 'preference', 'gotcha'],
        says: [/CUSTEXT/, /Banco Sul/, /unpack|1994|display/],
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/CUST-?EXT|credit/, /DISPLAY/, /COMP-3|240/, /11 bytes|shift|FILLER/],
      },
      {
        type: ['refactor', 'change'],
        says: [/CUSTREC/, /CUSTUPD/, /CUSTRPT/],
      },
    ],
    niceToHave: [
      {
        type: ['preference', 'gotcha', 'discovery', 'how-it-works'],
        says: [/regress unit/, /copy|any time/],
      },
      { type: ['discovery', 'gotcha'], says: [/CUST-SINCE/, /6-digit|sort card/] },
      {
        type: ['refactor', 'change', 'decision'],
        says: [/CUSTEXTR/, /comment|warning|own/],
        files: [EXTBOOK],
      },
    ],
    summaries: [
      { prompt: 1, request: [/copybook/], filesRead: [UPD, RPT], filesModified: [BOOK] },
      { prompt: 2, request: [/regress all/], learned: [/DISPLAY|CUSTEXT/] },
      {
        prompt: 3,
        request: [/CUSTEXTR/],
        completed: [/CUSTEXTR/],
        nextSteps: [/19:00/],
        filesModified: [EXT, EXTBOOK],
      },
    ],
    noise: [
      'Enjoy the quiet evening',
      'Sorry about that',
      'Checking that nothing is left running',
      'A copybook of its own it is',
      'Back to the old name',
    ],
    untrue: [
      /three layouts look identical/,
      /should be a plain move/,
      /I lean to REPLACING/,
      /CUSTEXT is untouched/,
      /full regression (is clean|passed|was green)/,
    ],
    followUps: [
      { asks: 'I changed CUSTUPD, please run the whole regression now', says: [/19:00/] },
      { asks: 'we have two nearly equal customer copybooks, merge them', says: [/Banco Sul/] },
      {
        asks: 'I renamed a data item to something readable and suddenly the record is longer. huh?',
        says: [/column(s)? 7[23]/],
      },
      { asks: 'can I widen the name field to 80 characters?', says: [/240/] },
      { asks: 'who do I have to warn before the big test run?', says: [/Beatriz/] },
    ],
    unrelated: [
      'write a README section about how to get access to the TSO test system',
      'translate the comments in INVPRINT from Portuguese to English',
      'what does PERFORM VARYING do if the step is zero?',
    ],
  },
};
