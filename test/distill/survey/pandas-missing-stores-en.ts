import { callsIn, say, together } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const WEEKLY = 'pipeline/weekly.py';
const ENRICH = 'pipeline/enrich.py';
const CHECKS = 'pipeline/checks.py';
const TEST = 'tests/test_weekly.py';

const STEPS = ['extract', 'clean', 'dedupe', 'fx', 'enrich', 'returns', 'vat', 'weekly', 'publish', 'checks'];

const WEEKS = [
  '2026-09-28',
  '2026-10-05',
  '2026-10-12',
  '2026-10-19',
  '2026-10-26',
  '2026-11-02',
  '2026-11-09',
];

const UV = `#!/bin/sh
# Stands in for "uv run": the numbers are those of the real pipeline.
shift
case "$*" in
  "python tools/week.py "*)
    case "$3" in
      *2026-11-02*) echo "2026-11-02 ours 1911204.10 finance 1974372.55 diff -3.20%" ;;
      *2026-11-09*) echo "2026-11-09 ours 1934410.00 finance 2001460.71 diff -3.35%" ;;
      *) echo "$3 ours = finance" ;;
    esac ;;
  "python tools/week.py") echo "usage: week.py WEEK" ; exit 2 ;;
  "python tools/tz.py") echo "UTC 1911204.10"; echo "Europe/Dublin 1911204.10" ;;
  "python tools/rows.py dedupe") echo "rows in 882140 out 881976 dropped 164 revenue 91.20" ;;
  "python tools/rows.py enrich") echo "rows in 881976 out 881976 null region 28377" ;;
  "python tools/rows.py weekly") echo "revenue in 1974372.55 out 1911204.10" ;;
  "python tools/nulls.py") echo "14 stores without region, first seen 2026-11-03, revenue 63168.45" ;;
  pytest*)
    if ! grep -q 'null region' ${TEST}; then echo "12 passed"; exit 0; fi
    if grep -q 'dropna=False' ${WEEKLY}; then echo "13 passed"; exit 0; fi
    echo "FAILED ${TEST}::test_null_region - assert 200 == 300"; echo "1 failed, 12 passed"; exit 1 ;;
  *) echo "unknown: $*" >&2; exit 1 ;;
esac
`;

const SUMMARY = `<analysis>
Chronological review: the person reported that weekly revenue is 3.2 % below finance since the week of 2 November. I compared weeks, ruled out several steps and found where the revenue disappears.
</analysis>

<summary>
1. Primary Request and Intent:
   Find out why weekly revenue is below finance's figure, explain first, fix after approval.
2. Key Technical Concepts:
   pandas groupby, region enrichment by a left join on stores.csv, parquet output read by BI.
3. Files and Code Sections:
   - ${WEEKLY}: groupby(["region", "store", "week"]).sum()
   - ${ENRICH}: left join, leaves region null for stores that are not in stores.csv
4. Errors and fixes:
   None so far; no file was changed.
5. Problem Solving:
   Time zone ruled out (same total in UTC and Europe/Dublin). Dedupe ruled out (164 rows, 91.20 EUR). Revenue is complete before weekly (1974372.55) and short after it (1911204.10). groupby drops rows whose key is null, dropna defaults to True.
6. Pending Tasks:
   Fix ${WEEKLY}; add a test with a store that has no region.
7. Current Work:
   Cause explained, waiting for the person.
</summary>`;

export const pandasMissingStoresEn: SurveySession = {
  name: 'pandas missing stores en',
  about: 'A hunt for lost revenue, compacted between cause and repair; the first repair is refused.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'python',
  files: {
    'pyproject.toml':
      '[project]\nname = "takings"\nrequires-python = ">=3.12"\ndependencies = ["pandas==2.3.1", "pyarrow"]\n',
    ...Object.fromEntries(
      STEPS.map((step) => [
        `pipeline/${step}.py`,
        `"""${step} step of the nightly pipeline."""\n\n\ndef run(df):\n    return df\n`,
      ]),
    ),
    [ENRICH]: `"""enrich step of the nightly pipeline."""


def run(df, stores):
    # stores.csv is kept by hand by the expansion team
    return df.merge(stores[["store", "region"]], on="store", how="left")
`,
    [WEEKLY]: `"""weekly step of the nightly pipeline."""


def run(df):
    return df.groupby(["region", "store", "week"])["revenue"].sum().reset_index()
`,
    [CHECKS]: `"""checks step of the nightly pipeline."""


def run(before, after):
    assert len(after) > 0
`,
    [TEST]: `from pipeline import weekly


def test_sums_by_week():
    ...
`,
  },
  programs: { uv: UV },
  prompts: [
    'weekly revenue is ~3% below what finance has, started early november. dublin thinks its the clock change on 25 oct (we store utc, they report local). find out what it is, dont fix yet pls',
    '/compact',
    'ok makes sense. fix it',
    "no no, not fillna('unknown'). nulls stay nulls in the core tables, BI joins on region and an invented value shows up as a region of its own in every dashboard. handle it in the groupby. And I want this to blow up next time instead of finance telling us",
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        ...together(
          WEEKS.map((week) => run(`uv run python tools/week.py ${week}`, `Compare week ${week}`, week)),
          4,
        ),
        [
          say(
            'Equal up to and including the week of 26 October, short from 2 November on. The clock change was on 25 October, so a time zone error would already show in the week before. Checking anyway.',
          ),
          run('uv run python tools/tz.py', 'Total in both zones', 'Europe/Dublin 1911204.10'),
        ],
        ...together(
          STEPS.map((step) => read(`pipeline/${step}.py`)),
          5,
        ),
        [
          run('uv run python tools/rows.py dedupe', 'What dedupe drops', 'dropped 164'),
          run('uv run python tools/rows.py enrich', 'What enrich does', 'null region 28377'),
          run('uv run python tools/rows.py weekly', 'What weekly does', 'out 1911204.10'),
        ],
        [run('uv run python tools/nulls.py', 'Which stores have no region', '14 stores')],
        [
          say(`Not the clock change. Both zones give the same total, because a week starts on Monday and no shop sells at 1 am.

Cause: \`groupby(["region", "store", "week"])\` in ${WEEKLY}. pandas drops every row whose group key is null (\`dropna=True\` is the default), silently. 14 stores opened on 3 November and are not in stores.csv, which the expansion team keeps by hand, so the left join in ${ENRICH} leaves their region null. Their revenue in that week is 63,168.45, exactly the difference to finance.

Also looked at: dedupe drops 164 rows worth 91.20, harmless.

The tests never saw it since no fixture has a store without region.`),
        ],
        [read(ENRICH), read(WEEKLY), read(TEST)],
        [
          edit(
            TEST,
            'def test_sums_by_week():',
            'def test_null_region():\n    """A store with a null region is counted."""\n\n\ndef test_sums_by_week():',
          ),
          edit(ENRICH, 'how="left")', 'how="left").fillna({"region": "unknown"})'),
        ],
        [
          say(
            'Stores that are missing in stores.csv now get region "unknown" in enrich.py, so groupby keeps them. Not run yet against the November data. OK like this?',
          ),
        ],
        [
          edit(ENRICH, '.fillna({"region": "unknown"})', ''),
          fail('uv run pytest -q', 'The new test without a fix', 'assert 200 == 300'),
        ],
        [edit(WEEKLY, '"week"])["revenue"]', '"week"], dropna=False)["revenue"]'), read(CHECKS)],
        [
          edit(
            CHECKS,
            '    assert len(after) > 0',
            '    assert len(after) > 0\n    # A step may move revenue between rows, never lose it.\n    lost = before["revenue"].sum() - after["revenue"].sum()\n    if abs(lost) > 0.01:\n        raise ValueError(f"{lost:.2f} of revenue lost")',
          ),
        ],
        [run('uv run pytest -q', 'Tests', '13 passed')],
        [
          run(
            'git commit -qam "fix(weekly): count stores without a region" && git show --stat HEAD | tail -4',
            'Commit',
            'pipeline/weekly.py',
          ),
        ],
        [
          say(`Reverted the fillna. ${WEEKLY} groups with \`dropna=False\`, region stays null.

${CHECKS} now compares revenue before and after each step and raises if more than one cent is lost; \`returns\` and \`vat\` change revenue on purpose, so they have to be exempted when the check is wired into the nightly run. That wiring is not done: checks.run is only called after weekly today.

The weeks of 2 and 9 November need to be republished.`),
        ],
      ],
      compact: [[say(SUMMARY)]],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: ['groupby', 'dropna', /null/, /drops?|silently/],
        files: [WEEKLY],
      },
      {
        type: ['preference', 'decision'],
        says: [/nulls stay null/, 'fillna', /BI joins|dashboard/],
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/clock change|time zone|both zones/, /same total|not the clock change|ruled out/],
      },
      {
        type: ['bugfix', 'gotcha', 'feature', 'change', 'discovery'],
        says: [/checks/, /returns/, /exempt/],
        prompt: 3,
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'gotcha', 'how-it-works', 'bugfix'],
        says: ['stores.csv', /by hand/, /14 stores|left join/],
      },
      { type: ['bugfix', 'change', 'discovery', 'gotcha'], says: [/republish/] },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/no fixture|never saw it/] },
      { type: ['bugfix', 'feature', 'change'], says: [/raises|lost/, /one cent|before and after/] },
      { type: ['discovery'], says: ['dedupe', '164'] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['below what finance has'],
        investigated: [/clock|zone|dedupe/],
        learned: [/groupby|dropna/],
        filesRead: [WEEKLY, ENRICH],
      },
      { prompt: 2, optional: true, request: ['fix it'], filesModified: [ENRICH] },
      {
        prompt: 3,
        request: ['fillna'],
        completed: ['dropna=False'],
        nextSteps: [/republish|wir/],
        filesModified: [WEEKLY, CHECKS],
      },
    ],
    noise: [
      'Primary Request and Intent',
      'OK like this?',
      'Checking anyway',
      'assert 200 == 300',
      'ours = finance',
    ],
    untrue: [/now get region "?unknown/, /(caused by|cause is|because of) the clock change/],
    followUps: [
      {
        asks: 'the newly opened shop in Cork has no takings in the weekly table. where would rows get lost?',
        says: [/dropna|stores\.csv/],
      },
      {
        asks: 'can I put a placeholder like N/A into empty columns of a core table so reports look nicer?',
        says: [/nulls stay null|invented value/],
      },
      {
        asks: 'could the daylight saving switch explain why our sums and accounting differ?',
        says: [/same total|not the clock change|ruled out/],
      },
      {
        asks: 'I want to run the sanity assertion after every stage, what do I have to watch out for?',
        says: [/exempt|on purpose/],
      },
    ],
    unrelated: [
      'upgrade ruff and fix the new warnings',
      'write a docstring for the s3 client wrapper',
      'how do I get access to the airflow ui?',
    ],
  },
};
