import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const NOTES = 'docs/decisions.md';

export const personDecides: DistillSession = {
  name: 'person decides',
  about: 'The person decides, gives a standing rule, and says things that only sound like one.',
  files: {
    'README.md': '# ferry\n\nBooking for one ferry with 40 seats.\n',
    [NOTES]: '# Decisions\n',
    'src/seats.js': 'export const SEATS = 40;\n',
  },
  prompts: [
    'should we keep bookings in sqlite or in postgres?',
    'ok, we go with sqlite. it is one ferry and one machine, and nobody here wants to run a database server. write it down',
    'hm, the booking test always fails on my laptop',
    'never mind, I had an old node. no problem at all',
    'please remember: dates in the API are always UTC, never local time',
  ],
  script: (dir) => {
    const { run, read, edit } = callsIn(dir);
    return {
      main: [
        [read('README.md'), read(NOTES)],
        [
          say(
            'For this I would take SQLite: there is a single machine, bookings are a few hundred a day, and a backup is a copy of one file. PostgreSQL pays off once several servers write at the same time. It is your call.',
          ),
        ],
        [
          edit(
            NOTES,
            '# Decisions\n',
            '# Decisions\n\n## Bookings are kept in SQLite\n\nOne ferry, one machine; nobody wants to run a database server. PostgreSQL when several servers write.\n',
          ),
        ],
        [
          say(
            `Written down in \`${NOTES}\`: bookings are kept in SQLite, with the reason and with what would change our mind.`,
          ),
        ],
        [run('ls test 2>/dev/null || echo "no tests here"', 'Look for the test', 'no tests here')],
        [
          say(
            'I find no booking test in this repository. Which one do you mean, and which Node version do you run?',
          ),
        ],
        [say('Glad it is sorted out!')],
        [say('Noted: dates in the API are always UTC.')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'decision',
        says: ['sqlite', /one ferry|one machine|database server/],
      },
      { type: 'preference', says: [/dates in the API/, /always UTC/, /never local/], prompt: 5 },
    ],
    niceToHave: [
      { type: ['decision', 'discovery'], says: ['SQLite', /PostgreSQL|postgres/], prompt: 1 },
      { type: 'change', says: ['decisions.md'], files: [NOTES], prompt: 2 },
    ],
    summaries: [
      { prompt: 1, request: ['sqlite or in postgres'], learned: ['SQLite'] },
      { prompt: 2, request: ['sqlite'], completed: ['SQLite'], filesModified: [NOTES] },
      { prompt: 3, optional: true, request: ['booking test'] },
      { prompt: 5, request: ['UTC'] },
    ],
    noise: ['Glad it is', 'It is your call', 'never mind', 'no tests here', 'Which one do you mean'],
  },
};
