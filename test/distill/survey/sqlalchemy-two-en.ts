import { callsIn, say, together } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const LOCK = 'requirements.txt';
const HEALTH = 'depot/api/health.py';
const ORDERS = 'depot/models/orders.py';
const IMPORTER = 'depot/jobs/importer.py';
const MYPY = 'mypy.ini';
const TABLES = [
  'carriers',
  'crates',
  'customers',
  'docks',
  'drivers',
  'invoices',
  'pallets',
  'returns',
  'routes',
  'shifts',
  'skus',
  'stocktakes',
  'suppliers',
  'trailers',
  'users',
  'zones',
];
const repository = (table: string) => `depot/repos/${table}.py`;
const legacy = (table: string) => `return session.query(${table.toUpperCase()}).get(key)`;
const modern = (table: string) => `return session.get(${table.toUpperCase()}, key)`;

export const sqlalchemyTwoEn: SurveySession = {
  name: 'sqlalchemy-two-en',
  about:
    'SQLAlchemy 1.4 to 2.0 over sixteen repositories: the factory library is suspected first, the cause is a cascade that is gone.',
  kind: 'upgrade',
  language: 'en',
  ecosystem: 'python',
  long: true,
  files: {
    [LOCK]: 'SQLAlchemy==1.4.52\npsycopg2-binary==2.9.9\nfactory-boy==3.3.0\npytest==8.2.0\n',
    [MYPY]: '[mypy]\nplugins = sqlalchemy.ext.mypy.plugin\nstrict = True\n',
    [HEALTH]: `def health(engine):
    engine.execute("SELECT 1")
    return {"ok": True}
`,
    [ORDERS]: `class Line(Base):
    order = relationship("Order", backref="lines")


def add_line(session, order, sku, qty):
    line = Line(sku=sku, qty=qty)
    line.order = order
    return line
`,
    [IMPORTER]: `def run(engine, rows):
    for row in rows:
        engine.execute(stock.insert().values(**row))
`,
    ...Object.fromEntries(
      TABLES.map((table) => [repository(table), `def find(session, key):\n    ${legacy(table)}\n`]),
    ),
  },
  programs: {
    pip: '#!/bin/sh\necho "Successfully installed SQLAlchemy-2.0.31 typing-extensions-4.12.2"\n',
    mypy: `#!/bin/sh
if grep -q "ext.mypy.plugin" mypy.ini; then
  echo "Error importing plugin sqlalchemy.ext.mypy.plugin: incompatible with mypy 1.11"
  exit 2
fi
echo "Success: no issues found in 41 source files"
`,
    psql: '#!/bin/sh\nprintf " state               | count\\n---------------------+-------\\n idle in transaction |    19\\n"\n',
    pytest: `#!/bin/sh
if grep -rq "query(.*).get(" depot/repos && [ "$1" = "-W" ]; then
  echo "16 LegacyAPIWarning: The Query.get() method is considered legacy"
  exit 1
fi
case "$*" in
  *repos*) echo "32 passed in 1.2s"; exit 0 ;;
esac
if grep -q "engine.execute" depot/api/health.py depot/jobs/importer.py; then
  echo "AttributeError: 'Engine' object has no attribute 'execute'"
  echo "3 failed, 209 passed"
  exit 1
fi
if ! grep -q "session.add(line)" depot/models/orders.py; then
  echo "FAILED tests/test_orders.py::test_line_is_saved - assert 0 == 1"
  echo "1 failed, 211 passed"
  exit 1
fi
echo "212 passed in 48.1s"
`,
  },
  prompts: [
    "we need to get off sqlalchemy 1.4, security wants it gone before the audit. go to 2.0 please, latest patch. ground rules: stay on psycopg2 (pgbouncer in transaction mode, psycopg 3 prepares statements behind our back and that blew up in March), and don't convert the models to Mapped[] annotations, that's a separate PR that Ines owns. sync only",
    'nice. hmm, before I merge: staging shows a pile of "idle in transaction" since I deployed your branch, is that us? have a look, psql works from here',
    'right, good. pin it below 2.1 too, not an exact ==, dependabot keeps nagging about patch releases otherwise. actually no wait, security scans the lock file and wants exact versions. leave ==. commit it, prefix is build(deps): for this sort of thing',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("I'll start with an inventory of what 2.0 removes."),
          run('grep -rn "engine.execute\\|\\.query(" depot | wc -l', 'Count legacy uses'),
          read(LOCK),
          read(MYPY),
        ],
        ...together(TABLES.map((table) => read(repository(table)))),
        [
          say(
            'Sixteen repositories, all the same Query.get(). Raising the version first to see what really breaks.',
          ),
          edit(LOCK, 'SQLAlchemy==1.4.52', 'SQLAlchemy==2.0.31'),
          run(`pip install -r ${LOCK}`, 'Install', 'SQLAlchemy-2.0.31'),
        ],
        [fail('pytest', 'Full suite', "'Engine' object has no attribute 'execute'")],
        [read(HEALTH), read(IMPORTER), read(ORDERS)],
        [
          edit(
            HEALTH,
            '    engine.execute("SELECT 1")\n',
            '    conn = engine.connect()\n    conn.execute(text("SELECT 1"))\n',
          ),
          edit(
            IMPORTER,
            '    for row in rows:\n        engine.execute(stock.insert().values(**row))\n',
            '    with engine.begin() as conn:\n        conn.execute(stock.insert(), rows)\n',
          ),
        ],
        [
          say(
            'The importer used to commit every row by itself, because `engine.execute` autocommitted. With engine.begin() the whole file is one transaction: a bad row now rolls back the entire import instead of leaving half of it.',
          ),
          fail('pytest', 'Full suite again', 'test_line_is_saved'),
        ],
        [
          say(
            'One red: test_line_is_saved finds 0 lines. My guess is factory-boy 3.3.0, its SQLAlchemy support predates 2.0. Trying the test without the factory.',
          ),
          fail('pytest tests/test_orders.py -p no:factoryboy', 'Without the factory', 'assert 0 == 1'),
        ],
        [
          say(
            'Not factory-boy: the test fails the same way with a hand-built Order. 2.0 removed cascade_backrefs, so `line.order = order` no longer pulls the line into the session of the order. add_line() therefore saves nothing and raises nothing. It needs an explicit session.add(line).',
          ),
          edit(ORDERS, '    line.order = order\n', '    line.order = order\n    session.add(line)\n'),
        ],
        [run('pytest', 'Full suite', '212 passed')],
        [
          run(
            'grep -rn "\\.order = \\|\\.parent = " depot --include=*.py',
            'Other assignments of that shape',
            'line.order',
          ),
          fail('pytest -W error', 'Warnings as errors', '16 LegacyAPIWarning'),
        ],
        ...together(TABLES.map((table) => edit(repository(table), legacy(table), modern(table)))),
        ...together(
          TABLES.map((table) =>
            run(`pytest tests/repos/test_${table}.py`, `Repository ${table}`, '32 passed'),
          ),
        ),
        [
          run('pytest -W error', 'Warnings as errors', '212 passed'),
          fail('mypy depot', 'Types', 'ext.mypy.plugin'),
        ],
        [
          say(
            'The mypy plugin of SQLAlchemy is deprecated and does not load with mypy 1.11. Without Mapped[] it gave us little anyway.',
          ),
          edit(MYPY, 'plugins = sqlalchemy.ext.mypy.plugin\n', ''),
        ],
        [run('mypy depot', 'Types', 'no issues found')],
        [
          say(`SQLAlchemy is at 2.0.31, 212 tests pass with warnings as errors, mypy is clean.

What you should know before merging:

- **Silent data loss, fixed:** with cascade_backrefs gone, assigning \`line.order = order\` does not put the line into the session any more. I found one such place (\`add_line\`); new code has to call session.add itself.
- **The import is all-or-nothing now.** A bad row used to leave the rows before it; it rolls back the whole file.
- The mypy plugin is removed from mypy.ini, it does not load with mypy 1.11.

Models are untouched, psycopg2 stays. Let me know if you want me to draft the PR text!`),
        ],
        [
          run(
            'psql -c "select state, count(*) from pg_stat_activity group by 1"',
            'Connection states',
            'idle in transaction |    19',
          ),
          read(HEALTH),
        ],
        [
          say(
            'That is us, and my doing. In 2.0 a connection begins a transaction with its first statement, and health() opens one that nobody closes. Every probe leaves one connection idle in transaction until the garbage collector gets to it.',
          ),
          edit(
            HEALTH,
            '    conn = engine.connect()\n    conn.execute(text("SELECT 1"))\n',
            '    with engine.connect() as conn:\n        conn.execute(text("SELECT 1"))\n',
          ),
        ],
        [run('pytest', 'Full suite', '212 passed')],
        [
          say(
            'Fixed: health() uses `with engine.connect()` now, so the connection goes back to the pool. The cause was autobegin, 2.0 starts a transaction on the first execute even for a SELECT 1, and with pgbouncer in transaction mode each of those pins a server connection.',
          ),
        ],
        [
          run('grep -n SQLAlchemy requirements.txt', 'The pin', 'SQLAlchemy==2.0.31'),
          run(
            'git add -A && git commit -qm "build(deps): move to SQLAlchemy 2.0.31" && git log --oneline -1',
            'Commit',
            'build(deps): move to SQLAlchemy 2.0.31',
          ),
        ],
        [
          say(
            'Committed with the exact pin. Still open: Ines has to know that the mypy plugin is gone before she starts on Mapped[]. Have a good one.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [
          /cascade_backrefs/,
          /line\.order = order/,
          /session\.add|saves nothing|does not put|no longer pulls/,
        ],
        prompt: 1,
      },
      { type: ['preference', 'decision'], says: [/psycopg/, /pgbouncer/, /prepare/], prompt: 1 },
      { type: ['preference', 'decision'], says: [/Mapped\[\]/, /Ines|separate PR/], prompt: 1 },
      {
        type: ['gotcha', 'discovery', 'change', 'decision'],
        says: [/import/, /whole file|one transaction|all-or-nothing|entire import/, /bad row/],
        prompt: 1,
      },
      {
        type: ['bugfix', 'gotcha'],
        says: [/health\(\)/, /idle in transaction|autobegin|begins a transaction|goes back to the pool/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision'],
        says: [/exact/, /security|lock file/],
        prompt: 3,
      },
      { type: 'preference', says: [/build\(deps\):/, /prefix/], prompt: 3 },
    ],
    niceToHave: [
      {
        type: ['change', 'gotcha', 'discovery', 'decision'],
        says: [/mypy/, /plugin/, /1\.11|deprecated/],
        prompt: 1,
      },
      { type: ['discovery', 'gotcha'], says: [/factory-boy/, /not factory-boy|same way/], prompt: 1 },
      {
        type: ['change', 'feature', 'refactor'],
        says: [/SQLAlchemy/, /2\.0\.31/, /212 tests|warnings as errors/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'bugfix'],
        says: [/pgbouncer/, /pins a server connection/],
        prompt: 2,
      },
      { type: ['change', 'discovery'], says: [/Ines/, /plugin is gone/], prompt: 3 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/sqlalchemy 1\.4/],
        learned: [/cascade_backrefs/],
        completed: [/2\.0\.31/],
        filesModified: [ORDERS, IMPORTER, MYPY, LOCK],
      },
      { prompt: 2, request: [/idle in transaction/], learned: [/transaction/], filesModified: [HEALTH] },
      { prompt: 3, request: [/pin it/], completed: [/Committed|exact pin/], nextSteps: [/Ines/] },
    ],
    noise: [
      "I'll start with an inventory",
      'Raising the version first',
      'My guess is factory-boy',
      'draft the PR text',
      'Have a good one',
      '32 passed in 1.2s',
      'typing-extensions',
    ],
    untrue: [
      /pinned below 2\.1/,
      /not an exact ==(?![\s\S]*(exact versions|leave ==))/,
      /factory-boy 3\.3\.0 (is|was) the cause/,
      /(moved|upgraded|switched) to psycopg 3/,
      /converted .{0,20}Mapped/,
    ],
    followUps: [
      {
        asks: 'a child row I attached to its parent never made it into the database, no exception either. ideas?',
        says: [/cascade_backrefs|session\.add/],
      },
      {
        asks: 'can we try the newer postgres driver, the one with async support?',
        says: [/pgbouncer/, /prepare/],
      },
      {
        asks: 'half of a supplier file used to be loaded when line 80 was broken, now nothing is. regression?',
        says: [/rolls back|one transaction/],
      },
      { asks: 'could I loosen the version ranges in requirements?', says: [/exact/] },
      {
        asks: 'postgres connections from the liveness endpoint hang around, have we seen that?',
        says: [/health\(\)|autobegin/],
      },
    ],
    unrelated: [
      'add a favicon to the driver portal',
      'translate the dock schedule screen to Polish',
      'generate barcode labels as PDF in A6',
    ],
  },
};
