import { callsIn, say, together } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CLOCK = 'tidewater/clock.py';
const GUARD = 'tests/test_no_utcnow.py';

/** The reports, by module, and how many days each looks back. */
const REPORTS: Record<string, number> = {
  aging: 90,
  bank_recon: 3,
  cash_position: 1,
  chargebacks: 120,
  churn: 30,
  commissions: 31,
  credit_notes: 14,
  deferred_revenue: 365,
  deposits: 2,
  disputes: 60,
  fx_exposure: 5,
  gift_cards: 730,
  intrastat: 32,
  ledger_close: 35,
  mrr: 28,
  open_orders: 10,
  payouts: 8,
  price_changes: 21,
  refunds: 45,
  sla_breach: 7,
  tax_summary: 92,
  trial_balance: 33,
  vat_return: 93,
  write_offs: 180,
};
const names = Object.keys(REPORTS);
const report = (name: string) => `tidewater/reports/${name}.py`;
const DUNNING = report('dunning');

export const oneClock: SurveySession = {
  name: 'one clock',
  about: 'Two dozen reports move from utcnow() to one clock; two of them have to go back.',
  kind: 'refactoring',
  language: 'en',
  ecosystem: 'python',
  long: true,
  files: {
    'setup.cfg': '[flake8]\nmax-line-length = 110\n',
    'tidewater/__init__.py': '',
    'tidewater/reports/__init__.py': '',
    ...Object.fromEntries(
      names.map((name) => [
        report(name),
        `"""The ${name.replace('_', ' ')} report."""\nfrom datetime import datetime, timedelta\n\n\ndef since():\n    return datetime.utcnow() - timedelta(days=${REPORTS[name]})\n`,
      ]),
    ),
    [DUNNING]: `"""Which reminders are due."""
from datetime import datetime, timedelta


def due(invoices, now=datetime.utcnow()):
    return [i for i in invoices if i["due_at"] + timedelta(days=14) < now]
`,
    'tests/__init__.py': '',
    'tests/test_reports.py': `import importlib
import pkgutil
import unittest

from tidewater import reports


class Reports(unittest.TestCase):
    def test_every_report_has_a_start(self):
        for module in pkgutil.iter_modules(reports.__path__):
            loaded = importlib.import_module(f"tidewater.reports.{module.name}")
            if hasattr(loaded, "since"):
                self.assertIsNotNone(loaded.since())


if __name__ == "__main__":
    unittest.main()
`,
  },
  prompts: [
    'datetime.utcnow() is deprecated, and our tests freeze time in three different hacky ways. move everything in tidewater/reports to ONE clock: tidewater/clock.py with a now() that can be set in tests. no freezegun, it broke our asyncio tests last year. one commit per topic pls, I review on my phone',
    'hold on. ledger_close and bank_recon have to stay naive!! they compare with POSTED_AT from Oracle and that column has no time zone. put those two back',
    'perfect. how do we keep people from bringing utcnow back? (we have flake8 only, dont propose ruff again)',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    const call = (name: string) => edit(report(name), 'datetime.utcnow()', 'clock.now()');
    return {
      main: [
        [
          say("I'll get an inventory first."),
          run(
            'grep -rc "utcnow" tidewater/reports | grep -v ":0" | wc -l',
            'Count the reports with utcnow',
            '25',
          ),
          run('python3 -m unittest -q 2>&1 | grep -v Deprecat | tail -3', 'Run the tests', 'OK'),
        ],
        [
          say('25 files. I read them all, because a blind search and replace would miss special cases.'),
          read(DUNNING),
          read('tests/test_reports.py'),
        ],
        ...together(
          names.map((name) => read(report(name))),
          6,
        ),
        [
          say(
            'One of them is a real bug and not just style: `due()` in `dunning.py` has `now=datetime.utcnow()` as a default argument. Python evaluates it once at import, so a long-running worker compares every invoice with the moment the process started.',
          ),
          write(
            CLOCK,
            `"""The only place that asks the machine for the time."""
from contextlib import contextmanager
from datetime import datetime, timezone

_fixed = None


def now():
    """The current time, aware, in UTC."""
    return _fixed or datetime.now(timezone.utc)


@contextmanager
def fixed(at):
    """Time stands still at \`at\` inside the block."""
    global _fixed
    before, _fixed = _fixed, at
    try:
        yield
    finally:
        _fixed = before
`,
          ),
        ],
        ...together(names.map(call), 6).map((turn, n) =>
          n === 0 ? [say('Now the calls, file by file.'), ...turn] : turn,
        ),
        [
          say('The imports are all alike, so sed is fine for those.'),
          run(
            "sed -i 's/^from datetime import datetime, timedelta$/from datetime import timedelta\\n\\nfrom tidewater import clock/' $(grep -l 'clock.now' tidewater/reports/*.py)",
            'Change the imports',
          ),
        ],
        [
          edit(
            DUNNING,
            'from datetime import datetime, timedelta\n\n\ndef due(invoices, now=datetime.utcnow()):\n',
            'from datetime import timedelta\n\nfrom tidewater import clock\n\n\ndef due(invoices, now=None):\n    now = now or clock.now()\n',
          ),
        ],
        [
          run('python3 -m unittest -q 2>&1 | tail -3', 'Run the tests', 'OK'),
          run('grep -rn "utcnow" tidewater || echo none left', 'Anything left?', 'none left'),
          run('git diff --stat | tail -1', 'Size of the change', '25 files changed'),
        ],
        [
          run(
            'git add tidewater/reports/dunning.py tidewater/clock.py && git commit -qm "dunning: ask for the time at each call" && git log --oneline -1',
            'Commit the bug first',
            'dunning',
          ),
          run(
            'git commit -qam "reports: use one clock" && git log --oneline -1',
            'Commit the rest',
            'one clock',
          ),
        ],
        [
          say(`All 25 reports now get the time from \`tidewater/clock.py\`. Two commits, so each fits on a phone screen.

- \`clock.now()\` returns an **aware** datetime in UTC. \`utcnow()\` was naive, so anything a report compares it with has to be aware as well.
- In tests: \`with clock.fixed(at): ...\`. It replaces the three ways of freezing time; no freezegun.
- **Bug on the way:** \`due()\` in \`tidewater/reports/dunning.py\` had \`now=datetime.utcnow()\` as a default argument, which is evaluated once at import. In the long-running worker reminders were judged by the time of the last deploy. It is \`now=None\` now and asks at every call.

Tests are green, although they only check that every report loads and has a start.`),
        ],
        [
          say(
            'Right, mixing naive and aware would raise a TypeError at the first comparison. Putting both back.',
          ),
          run(
            'git checkout -q HEAD~2 -- tidewater/reports/ledger_close.py tidewater/reports/bank_recon.py && grep -n utcnow tidewater/reports/ledger_close.py tidewater/reports/bank_recon.py',
            'Restore the two reports',
            'ledger_close.py:6',
          ),
        ],
        [
          read(report('ledger_close')),
          read(report('bank_recon')),
          run(
            `python3 -c "from datetime import datetime; from tidewater import clock; clock.now() > datetime(2026,1,1)" 2>&1 | tail -1`,
            'What would have happened',
            "can't compare offset-naive and offset-aware",
          ),
        ],
        [
          say('I keep them naive but still on the clock, so that tests can set the time there as well.'),
          edit(report('ledger_close'), 'datetime.utcnow()', 'clock.now_naive()'),
          edit(report('bank_recon'), 'datetime.utcnow()', 'clock.now_naive()'),
          edit(
            CLOCK,
            '@contextmanager\n',
            'def now_naive():\n    """The current time in UTC without a time zone: only for what is compared with Oracle\'s POSTED_AT."""\n    return now().replace(tzinfo=None)\n\n\n@contextmanager\n',
          ),
        ],
        [
          run(
            "sed -i 's/^from datetime import datetime, timedelta$/from datetime import timedelta\\n\\nfrom tidewater import clock/' tidewater/reports/ledger_close.py tidewater/reports/bank_recon.py && python3 -m unittest -q 2>&1 | tail -1",
            'Imports and tests',
            'OK',
          ),
          run(
            'git commit -qam "ledger_close, bank_recon: stay naive for Oracle" && git log --oneline -1',
            'Commit',
            'stay naive',
          ),
        ],
        [
          say(
            "`ledger_close` and `bank_recon` are naive again. They call `clock.now_naive()`, which exists only for comparisons with Oracle's `POSTED_AT` (no time zone in that column); everything else stays on the aware `clock.now()`. The tests would not have caught it: they never touch Oracle, it would have failed with a TypeError in the nightly run.",
          ),
        ],
        [
          say('flake8 without plugins has no rule for this, so a test it is.'),
          write(
            GUARD,
            `import pathlib
import unittest


class NoUtcnow(unittest.TestCase):
    def test_only_the_clock_asks_for_the_time(self):
        bad = [
            str(path)
            for path in pathlib.Path("tidewater").rglob("*.py")
            if path.name != "clock.py" and ("utcnow(" in path.read_text() or "datetime.now(" in path.read_text())
        ]
        self.assertEqual(bad, [], "use tidewater.clock instead")
`,
          ),
        ],
        [
          run(
            'echo "from datetime import datetime; x = datetime.utcnow()" > tidewater/bad.py',
            'Plant an offender',
          ),
          fail('python3 -m unittest -q tests.test_no_utcnow', 'The guard must be red', 'tidewater/bad.py'),
        ],
        [run('rm tidewater/bad.py && python3 -m unittest -q 2>&1 | tail -1', 'Green without it', 'OK')],
        [
          run(
            'git add -A && git commit -qm "tests: only the clock asks for the time" && git log --oneline -1',
            'Commit',
            'only the clock',
          ),
        ],
        [
          say(
            "Added `tests/test_no_utcnow.py`: it fails when any file under `tidewater/` except `clock.py` contains `utcnow(` or `datetime.now(`. I checked that it goes red with a planted offender. It's a plain text search, so an alias like `dt.utcnow` is caught but `getattr` tricks are not.",
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['bugfix', 'gotcha', 'discovery'], says: [/dunning|due\(\)/, /default argument/, /import/] },
      {
        type: ['preference', 'gotcha', 'decision', 'bugfix', 'change'],
        says: ['ledger_close', 'bank_recon', /naive/, /POSTED_AT|Oracle/],
      },
      {
        type: ['refactor', 'change', 'feature', 'how-it-works', 'decision'],
        says: [/clock\.now\(\)|tidewater\/clock\.py/, /aware|UTC/],
      },
      { type: ['preference', 'decision'], says: [/freezegun/, /asyncio/] },
      { type: ['preference'], says: [/one commit per topic/] },
      { type: ['preference', 'decision'], says: [/flake8/, /ruff/] },
      { type: ['feature', 'change', 'how-it-works'], says: ['test_no_utcnow', /utcnow/], files: [GUARD] },
    ],
    niceToHave: [
      { type: ['how-it-works', 'change', 'refactor', 'feature'], says: [/clock\.fixed/] },
      {
        type: ['gotcha', 'discovery'],
        says: [/tests/, /never touch Oracle|would not have caught|only check that every report loads/],
      },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/plain text search|getattr/] },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'change', 'refactor'],
        says: [/now_naive/, /POSTED_AT|Oracle/],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/utcnow|clock/],
        learned: [/default argument|aware/],
        completed: [/clock/],
        filesModified: [CLOCK, DUNNING, report('mrr')],
      },
      { prompt: 2, request: [/ledger_close/, /naive/], completed: [/naive/], filesModified: [CLOCK] },
      { prompt: 3, request: [/utcnow/], completed: [/test_no_utcnow/], filesModified: [GUARD] },
    ],
    noise: [
      "I'll get an inventory first",
      'Now the calls, file by file',
      'sed is fine',
      'each fits on a phone screen',
    ],
    untrue: [
      /all 25 reports (now )?(get|use|return)[^.]*aware/,
      /(ledger_close|bank_recon)[^.]{0,40}(is|are|use|uses|call|calls) (now )?(aware|clock\.now\(\))/,
      /bad\.py (is|was) added/,
    ],
    followUps: [
      {
        asks: 'can I switch bank_recon to aware datetimes like everything else?',
        says: [/naive/, /POSTED_AT|Oracle/],
      },
      {
        asks: 'customers say they got payment reminders late until we restarted the worker, back in spring. what was that?',
        says: [/default argument|evaluated once/, /import/],
      },
      { asks: 'how do I make time stand still in a unit test in this repo?', says: [/clock\.fixed|fixed\(/] },
      { asks: 'pip install freezegun for the new report tests, go', says: [/asyncio|no freezegun/] },
      { asks: 'CI says "use tidewater.clock instead", where does that come from?', says: [/test_no_utcnow/] },
    ],
    unrelated: [
      'the favicon of the back office login page is broken in Safari, have a look at the template',
      'what is a good way to stream a large CSV out of a wsgi app?',
      'rename the package description in our internal wiki template, it still says "harbour"',
    ],
  },
};
