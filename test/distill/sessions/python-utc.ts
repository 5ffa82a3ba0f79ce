import { callsIn, say, together } from '../calls.ts';
import type { DistillSession } from '../session.ts';

/** Modules that ask for the time: name, the function, and how it uses the time. */
const MODULES: [name: string, def: string, use: string][] = [
  ['audit', 'entry(text)', '{"text": text, "at": datetime.utcnow().isoformat()}'],
  ['backups', 'folder()', 'datetime.utcnow().strftime("%Y-%m-%d")'],
  ['banners', 'is_on(hour)', 'datetime.utcnow().hour >= hour'],
  ['certificates', 'days_left(ends)', '(ends - datetime.utcnow()).days'],
  ['coupons', 'year_code(code)', 'f"{code}-{datetime.utcnow().year}"'],
  ['digests', 'subject()', 'f"News of {datetime.utcnow():%d %B}"'],
  ['exports', 'filename(kind)', 'f"{kind}-{datetime.utcnow():%Y%m%d}.csv"'],
  ['feeds', 'updated()', 'datetime.utcnow().isoformat(timespec="seconds")'],
  ['invoices', 'number(count)', 'f"{datetime.utcnow():%Y}-{count:05d}"'],
  ['jobs', 'started()', 'datetime.utcnow()'],
  ['leases', 'until(minutes)', 'datetime.utcnow() + timedelta(minutes=minutes)'],
  ['locks', 'stamp(owner)', '{"owner": owner, "at": datetime.utcnow()}'],
  ['metrics', 'point(value)', '(datetime.utcnow().timestamp(), value)'],
  ['notices', 'footer()', 'f"© {datetime.utcnow().year}"'],
  ['orders', 'placed()', '{"placed": datetime.utcnow()}'],
  ['quotas', 'window()', 'datetime.utcnow().replace(minute=0, second=0, microsecond=0)'],
  ['reminders', 'due(days)', 'datetime.utcnow() + timedelta(days=days)'],
  ['reports', 'quarter()', '(datetime.utcnow().month - 1) // 3 + 1'],
  ['sessions', 'is_alive(expires)', 'datetime.fromisoformat(expires) > datetime.utcnow()'],
  ['shifts', 'is_night()', 'datetime.utcnow().hour < 6'],
  ['tokens', 'issued()', 'datetime.utcnow()'],
  ['trials', 'ends()', 'datetime.utcnow() + timedelta(days=14)'],
];

const file = (name: string) => `desk/${name}.py`;
const CLOCK = 'desk/clock.py';
const OLD_IMPORT = 'from datetime import datetime, timedelta\n';

export const pythonUtc: DistillSession = {
  name: 'python utc',
  about: 'A deprecated call replaced in two dozen Python modules; a trap shows on the way.',
  long: true,
  files: {
    'desk/__init__.py': '',
    ...Object.fromEntries(
      MODULES.map(([name, def, use]) => [file(name), `${OLD_IMPORT}\n\ndef ${def}:\n    return ${use}\n`]),
    ),
    'tests/__init__.py': '',
    'tests/test_sessions.py': `import unittest

from desk import sessions


class Sessions(unittest.TestCase):
    def test_a_session_of_the_next_century_is_alive(self):
        # As the database gives it: UTC, without an offset.
        self.assertTrue(sessions.is_alive("2126-01-01T00:00:00"))

    def test_a_session_of_the_last_century_is_not(self):
        self.assertFalse(sessions.is_alive("1999-01-01T00:00:00"))
`,
    'tests/test_invoices.py': `import unittest

from desk import invoices


class Invoices(unittest.TestCase):
    def test_numbers_are_padded(self):
        self.assertRegex(invoices.number(42), r"^\\d{4}-00042$")
`,
  },
  prompts: [
    'datetime.utcnow is deprecated since python 3.12, replace it everywhere with something aware of its zone',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    const tests = 'python3 -m unittest -q';
    return {
      main: [
        [
          say("I'll see how often it is used."),
          run('grep -rc "utcnow" desk --include=*.py | grep -v ":0"', 'Count the uses', 'desk/trials.py:1'),
          run(tests, 'Tests before the change', 'OK'),
        ],
        ...together(MODULES.map(([name]) => read(file(name)))),
        [
          say('One place should know the clock. I add a small module for it.'),
          write(
            CLOCK,
            'from datetime import datetime, timezone\n\n\ndef now():\n    """The time in UTC, with its zone."""\n    return datetime.now(timezone.utc)\n',
          ),
        ],
        ...together(
          MODULES.map(([name]) => edit(file(name), 'datetime.utcnow()', 'now()')),
          6,
        ),
        ...together(
          MODULES.map(([name]) =>
            edit(file(name), OLD_IMPORT, `${OLD_IMPORT}\nfrom desk.clock import now\n`),
          ),
          6,
        ),
        [fail(tests, 'Run the tests', "can't compare offset-naive and offset-aware datetimes")],
        [
          say(
            'As I feared: timestamps from the database have no offset, and Python refuses to compare them with aware ones. They need a zone where they are parsed.',
          ),
          read(CLOCK),
          run('grep -rn "fromisoformat" desk', 'Where timestamps are parsed', 'desk/sessions.py'),
        ],
        [
          edit(
            CLOCK,
            'def now():',
            'def parse(text):\n    """A timestamp as the database keeps it: UTC, written without an offset."""\n    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)\n\n\ndef now():',
          ),
          edit(file('sessions'), 'datetime.fromisoformat(expires)', 'parse(expires)'),
          edit(file('sessions'), 'import now', 'import now, parse'),
        ],
        [
          run(tests, 'Run the tests again', 'OK'),
          run('grep -rn utcnow desk || echo none left', 'Leftovers', 'none left'),
        ],
        [
          say(`\`datetime.utcnow()\` is gone from all 22 modules. They call \`now()\` from the new \`${CLOCK}\`, which is \`datetime.now(timezone.utc)\`. All tests pass.

**A trap on the way:** the database stores timestamps as UTC *without* an offset. \`datetime.fromisoformat\` makes naive datetimes of them, and comparing those with the new aware ones raises \`TypeError: can't compare offset-naive and offset-aware datetimes\`. It showed in \`sessions.is_alive\`. Timestamps from the database must go through \`clock.parse()\`, which adds the zone.

**Not covered by tests:** \`certificates.days_left(ends)\` subtracts the caller's datetime. If a caller passes a naive one it will now raise the same TypeError. I'd check its callers before the release.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['refactor', 'change'],
        says: ['utcnow', /now\(\)|timezone\.utc/, /22|everywhere|all/],
        files: [CLOCK, file('audit'), file('quotas'), file('trials')],
        prompt: 1,
      },
      {
        type: ['gotcha', 'bugfix'],
        says: [/naive/, /without\W+an offset|offset-naive/, 'parse'],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: ['days_left', /naive|TypeError|callers/] },
      { type: 'decision', says: ['clock'] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['utcnow'],
        learned: [/naive|offset/],
        completed: [CLOCK],
        filesModified: [CLOCK, file('sessions'), file('banners')],
      },
    ],
    noise: ['As I feared', /Traceback/, 'strftime', 'I add a small module', /how often it is used/],
  },
};
