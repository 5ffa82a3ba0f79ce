import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const DB = 'app/db.py';
const REPORT = 'app/reports/monthly.py';
const BENCH = 'tools/bench.py';
const TEST = 'tests/test_db.py';

const QUERY =
  "SELECT date_trunc('day', created_at) AS day, count(*) FROM events WHERE tenant_id = 42 AND created_at >= '2025-10-01' GROUP BY 1";

export const genericPlanHunt: SurveySession = {
  name: 'generic-plan-hunt',
  about:
    'A report that is slow in the app and fast in psql: no index is missing, a prepared statement has fallen to a generic plan.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'postgres/python',
  files: {
    'pyproject.toml':
      '[project]\nname = "ledgerly"\nversion = "4.2.0"\ndependencies = ["psycopg[pool]>=3.1", "fastapi"]\n',
    [DB]: `from psycopg_pool import ConnectionPool

from app.settings import settings

# Through pgbouncer in transaction mode: no prepared statements.
api_pool = ConnectionPool(settings.pgbouncer_dsn, kwargs={"prepare_threshold": None})

# Straight to the replica.
reports_pool = ConnectionPool(settings.replica_dsn, min_size=2, max_size=6)
`,
    [REPORT]: `from app.db import reports_pool

SQL = """
SELECT date_trunc('day', created_at) AS day, count(*)
  FROM events
 WHERE tenant_id = %s AND created_at >= %s
 GROUP BY 1
"""


def monthly(tenant_id: int, since: str):
    with reports_pool.connection() as connection:
        return connection.execute(SQL, (tenant_id, since)).fetchall()
`,
    [BENCH]: `"""Runs the monthly report n times for a tenant and prints each duration."""
`,
    [TEST]: `from app import db


def test_api_pool_does_not_prepare():
    assert db.api_pool.kwargs["prepare_threshold"] is None
`,
  },
  programs: {
    psql: `#!/bin/sh
S="$HOME/.fakepg"; mkdir -p "$S"
case "$*" in
  *"CREATE INDEX"*) touch "$S/idx"; echo "CREATE INDEX" ;;
  *"DROP INDEX"*) rm -f "$S/idx"; echo "DROP INDEX" ;;
  *force_generic_plan*)
    echo "SET"; echo "PREPARE"
    echo " HashAggregate  (actual time=8702.114..8702.131 rows=31 loops=1)"
    echo "   ->  Seq Scan on events  (rows=3981022) (actual rows=911 loops=1)"
    echo "         Filter: ((tenant_id = \\$1) AND (created_at >= \\$2))"
    echo "         Rows Removed by Filter: 47998120"
    echo " Execution Time: 8702.890 ms" ;;
  *EXPLAIN*)
    echo " HashAggregate  (actual time=37.902..37.911 rows=31 loops=1)"
    echo "   ->  Index Scan using events_tenant_created_idx on events  (rows=954) (actual rows=911 loops=1)"
    echo " Execution Time: 38.204 ms" ;;
  *"group by tenant_id"*) echo " 17 | 29341007"; echo "  3 | 11020313"; echo " 42 |      10811"; echo "(12 rows)" ;;
  *statement_timeout*) echo " 15s" ;;
  *) echo "ok" ;;
esac
`,
    uv: `#!/bin/sh
fixed() { sed -n '/reports_pool/,$p' ${DB} | grep -q 'prepare_threshold'; }
case "$*" in
  *pytest*) if fixed && grep -q reports ${TEST}; then echo "2 passed in 0.31s"; else echo "1 passed in 0.28s"; fi ;;
  *"--warm 17"*) if fixed; then echo "tenant 42 after 5 x tenant 17: 39 ms, 41 ms, 38 ms, 40 ms"; else echo "tenant 42 after 5 x tenant 17: 8731 ms, 8698 ms, 8744 ms, 8702 ms"; fi ;;
  *show-prepared*) echo "_pg3_0 generic_plans=31 custom_plans=5" ;;
  *"--tenant 17"*) echo "tenant 17: 11.2 s, 11.0 s" ;;
  *bench.py*) echo "tenant 42 on a fresh connection: 40 ms, 39 ms, 41 ms, 38 ms, 39 ms, 40 ms" ;;
esac
`,
  },
  prompts: [
    'OPS-2291: monthly report takes ~9s for small tenants in the app but the same query in psql is instant?? prob. an index missing on events. use the staging db, dsn is in $STG_DSN. when you commit: one commit per ticket, number first',
    'wow ok. B then, roles belong to the dba team, we dont alter those from here. does this slow down anything else, e.g. the api?',
    'perfect ty',
  ],
  script: (dir) => {
    const { run, read, edit } = callsIn(dir);
    return {
      main: [
        [say('Let me look at the query and how it gets its connection.'), read(REPORT), read(DB)],
        [
          run(
            `psql "$STG_DSN" -c "EXPLAIN ANALYZE ${QUERY}"`,
            'Plan of the query in psql',
            'events_tenant_created_idx',
          ),
          run(
            'psql "$STG_DSN" -c "select tenant_id, count(*) from events group by tenant_id order by 2 desc"',
            'Rows per tenant',
            '(12 rows)',
          ),
        ],
        [
          say(
            "There already is an index and psql uses it, 38 ms. Maybe a covering one helps the app's variant, cheap enough to try on staging.",
          ),
          run(
            'psql "$STG_DSN" -c "CREATE INDEX CONCURRENTLY events_cover_tmp ON events (tenant_id, created_at) INCLUDE (id)"',
            'Try a covering index',
            'CREATE INDEX',
          ),
          run('uv run tools/bench.py --tenant 42 --warm 17', 'Measure with the index', '8731 ms'),
        ],
        [
          say(
            'No effect whatsoever, still 8.7 s with the covering index, so a missing index is not the cause. Dropping it again.',
          ),
          run(
            'psql "$STG_DSN" -c "DROP INDEX CONCURRENTLY events_cover_tmp"',
            'Remove the experiment',
            'DROP INDEX',
          ),
          run('uv run tools/bench.py --tenant 42', 'Same report on a fresh connection', '40 ms'),
        ],
        [
          say(
            'Interesting! On a fresh connection the app is as fast as psql. It is only slow on connections that served tenant 17 before. That smells like a cached plan.',
          ),
          run(
            'uv run tools/bench.py --tenant 42 --show-prepared',
            'pg_prepared_statements, seen from the slow connection',
            'generic_plans=31',
          ),
          run(
            'psql "$STG_DSN" -c "set plan_cache_mode = force_generic_plan; prepare r(int, date) as select date_trunc(\'day\', created_at), count(*) from events where tenant_id = $1 and created_at >= $2 group by 1; explain analyze execute r(42, \'2025-10-01\')"',
            'Force the generic plan',
            'Seq Scan on events',
          ),
        ],
        [
          say(`Found it, and it is not an index.

**Cause:** psycopg prepares a statement after 5 executions, and Postgres then switches that connection to a generic plan when its first five custom plans were expensive. Tenant 17 owns 61 % of \`events\`, so once it has warmed up a connection, everybody on it gets the generic plan, which is a sequential scan over 48 million rows: 8.7 s instead of 38 ms.

That is also why nobody could reproduce it in psql: literals are always planned individually.

Two ways out:

- **A)** \`ALTER ROLE reporting SET plan_cache_mode = force_custom_plan\`: one line, but it lives outside the repo
- **B)** \`prepare_threshold=None\` on \`reports_pool\`: in the repo, costs about 1 ms of planning per query

Which one do you prefer?`),
        ],
        [
          say('Going with B. First who else uses that pool.'),
          run(
            'grep -rn "reports_pool\\|api_pool" app | grep -v "^app/db.py"',
            'Users of the pools',
            'reports_pool',
          ),
          run('psql "$STG_DSN" -c "show statement_timeout"', 'Statement timeout', '15s'),
          read(TEST),
        ],
        [
          edit(
            DB,
            '# Straight to the replica.\nreports_pool = ConnectionPool(settings.replica_dsn, min_size=2, max_size=6)\n',
            '# Straight to the replica. Tenants differ too much in size for one generic plan: never prepare.\nreports_pool = ConnectionPool(settings.replica_dsn, min_size=2, max_size=6, kwargs={"prepare_threshold": None})\n',
          ),
          edit(
            TEST,
            '    assert db.api_pool.kwargs["prepare_threshold"] is None\n',
            '    assert db.api_pool.kwargs["prepare_threshold"] is None\n\n\ndef test_reports_pool_does_not_prepare():\n    assert db.reports_pool.kwargs["prepare_threshold"] is None\n',
          ),
        ],
        [
          run('uv run tools/bench.py --tenant 42 --warm 17', 'Measure again', '39 ms'),
          run('uv run tools/bench.py --tenant 17 --runs 2', 'The big tenant itself', '11.2 s'),
          run('uv run pytest -q tests/test_db.py', 'Tests', '2 passed'),
        ],
        [
          run(
            'git commit -qam "OPS-2291 never prepare report queries, the generic plan scans all of events" && git log --format=%s -1',
            'Commit',
            'OPS-2291',
          ),
        ],
        [
          say(`Done: **8.7 s → 39 ms** for tenant 42, even right after tenant 17. 🚀

The API is not affected: \`api_pool\` goes through pgbouncer in transaction mode and never prepared anything in the first place.

One thing to keep an eye on: the replica cancels statements after 15 s, and tenant 17's own report already takes 11 s, so it will hit that limit when it grows by another third. This ticket doesn't change that.

Happy to open a follow-up if you like!`),
        ],
        [say('Any time!')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [/generic plan/, /psycopg|tenant 17/, /5 executions|sequential scan|48 million/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/index/, /not the cause|no effect/, /8\.7 s/],
        prompt: 1,
      },
      {
        type: 'preference',
        says: [/one commit per ticket/, /number first/],
        prompt: 1,
      },
      { type: ['preference', 'decision'], says: [/roles/, /dba/], prompt: 2 },
      {
        type: ['decision', 'bugfix', 'change'],
        says: [/prepare_threshold/, /reports_pool/],
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/15 s/, /tenant 17/, /11 s/],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/psql/, /literals/],
        prompt: 1,
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/api_pool/, /pgbouncer/, /transaction mode/],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/fresh connection/, /tenant 17/],
        prompt: 1,
      },
      {
        type: ['decision', 'discovery'],
        says: [/force_custom_plan/, /outside the repo/],
        prompt: 1,
      },
    ],
    summaries: [
      { prompt: 1, request: [/monthly report/], learned: [/generic plan/] },
      {
        prompt: 2,
        request: [/roles/],
        completed: [/39 ms|prepare/],
        filesModified: [DB],
      },
    ],
    noise: [
      'Let me look at the query',
      'cheap enough to try on staging',
      'Interesting!',
      'That smells like',
      'Which one do you prefer',
      'Happy to open a follow-up',
      'Any time!',
      'Rows Removed by Filter',
    ],
    untrue: [
      /(added|created|needs?|keeps?)[^.]{0,25}covering index/,
      /missing index (was|is) the cause/,
      /plan_cache_mode (was|has been|is now) set/,
    ],
    followUps: [
      {
        asks: 'quarterly export: 40 ms in my sql client, ages in the service, only some customers. ideas?',
        says: [/generic plan/],
      },
      {
        asks: 'how do I word the commit for OPS-2310?',
        says: [/number first/],
      },
      {
        asks: 'should I add another index on events for the reports?',
        says: [/not the cause|no effect|not an index/],
      },
      {
        asks: 'can you set a work_mem default for the reporting user with ALTER ROLE?',
        says: [/dba/],
      },
      {
        asks: "our biggest customer's report got cancelled last night, was that foreseeable?",
        says: [/15 s/],
      },
      {
        asks: 'I want to clean up app/db.py and drop the odd kwargs from the pools, ok?',
        says: [/prepare/],
      },
    ],
    unrelated: [
      'add an endpoint that returns the invoices of a customer as pdf',
      'switch the formatter from black to ruff and reformat everything',
      'the login page shows the wrong favicon in safari',
    ],
  },
};
