import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const QUERY = 'sql/open_shipments.sql';
const POOL = 'app/db.py';
const BOUNCER = 'deploy/pgbouncer.ini';
const MIGRATION = 'migrations/0042_dashboard_custom_plans.sql';
const BENCH = 'bench/board.sql';

export const postgresGenericPlan: SurveySession = {
  name: 'postgres-generic-plan',
  about:
    'A dashboard query is slow only from the app; neither a missing index nor stale statistics is to blame.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'postgres',
  files: {
    'README.md': '# dispatch-board\n\nShipments dashboard. Python + Postgres 15 behind pgbouncer.\n',
    '.gitignore': '.db/\n',
    [QUERY]: `-- the board: what still has to leave a depot
SELECT s.id, s.depot_id, s.due_at, c.name
  FROM shipments s
  JOIN customers c ON c.id = s.customer_id
 WHERE s.status = $1
   AND s.depot_id = $2
 ORDER BY s.due_at
 LIMIT 200;
`,
    [POOL]: `import psycopg
from psycopg_pool import ConnectionPool

DSN = "host=pgbouncer port=6432 dbname=dispatch user=dashboard"


def configure(conn: psycopg.Connection) -> None:
    conn.prepare_threshold = 5


pool = ConnectionPool(DSN, min_size=4, max_size=16, configure=configure)
`,
    [BOUNCER]: `[databases]
dispatch = host=pg-main port=5432

[pgbouncer]
pool_mode = transaction
; on since the upgrade to 1.22 (2025-01-28)
max_prepared_statements = 100
server_idle_timeout = 600
`,
    'migrations/0040_shipments_indexes.sql': `CREATE INDEX shipments_due_at_idx ON shipments (due_at);
CREATE INDEX shipments_depot_idx ON shipments (depot_id);
`,
    'migrations/0041_hold_status.sql': `ALTER TYPE shipment_status ADD VALUE 'held';
`,
    'bench/board_latency.py': `import argparse, time
from app.db import pool

# loads the board --requests times through the pool and prints the percentiles
`,
    [BENCH]: `PREPARE board (shipment_status, int) AS
SELECT s.id, s.depot_id, s.due_at, c.name FROM shipments s JOIN customers c ON c.id = s.customer_id
 WHERE s.status = $1 AND s.depot_id = $2 ORDER BY s.due_at LIMIT 200;
\\timing on
EXECUTE board ('open', 17); EXECUTE board ('open', 17); EXECUTE board ('open', 17);
EXECUTE board ('open', 17); EXECUTE board ('open', 17); EXECUTE board ('open', 17);
`,
  },
  programs: {
    psql: `#!/bin/sh
mkdir -p .db
all="$*"
case "$all" in
  *"CREATE INDEX CONCURRENTLY"*) touch .db/idx; echo 'CREATE INDEX' ;;
  *"DROP INDEX"*) rm -f .db/idx; echo 'DROP INDEX' ;;
  *"ANALYZE shipments"*) touch .db/analyzed; echo 'ANALYZE' ;;
  *n_dead_tup*)
    echo '  relname  | n_live_tup | n_dead_tup |       last_autoanalyze'
    echo '-----------+------------+------------+-------------------------------'
    echo ' shipments |   41873220 |     118402 | 2025-02-03 02:14:07.113+00' ;;
  *most_common_freqs*)
    echo '  attname  |    most_common_vals     |   most_common_freqs'
    echo '-----------+-------------------------+------------------------'
    echo ' status    | {delivered,lost,open}   | {0.9712,0.0201,0.0081}' ;;
  *pg_stat_statements*)
    echo ' calls | mean_exec_time | max_exec_time |  query'
    echo '-------+----------------+---------------+---------------------------'
    echo '  9120 |        8731.44 |      11902.07 | SELECT s.id, s.depot_id, s'
    ;;
  *"EXPLAIN (ANALYZE, BUFFERS) SELECT"*)
    echo ' Limit (actual time=9.113..11.870 rows=200 loops=1)'
    echo '   ->  Bitmap Heap Scan on shipments s (actual rows=2274 loops=1)'
    echo '         ->  Bitmap Index Scan on shipments_depot_idx'
    echo ' Planning Time: 0.812 ms'
    echo ' Execution Time: 12.004 ms' ;;
  *"EXPLAIN (ANALYZE) EXECUTE"*)
    echo ' Limit (actual time=8790.2..8911.7 rows=200 loops=1)'
    echo '   ->  Index Scan using shipments_due_at_idx on shipments s'
    echo '         Filter: ((status = $1) AND (depot_id = $2))'
    echo '         Rows Removed by Filter: 40911873'
    echo ' Execution Time: 8912.310 ms' ;;
  *0042*) touch .db/role; echo 'ALTER ROLE' ;;
  *board.sql*)
    last=8912.310
    [ -f .db/idx ] && last=8874.902
    [ -f .db/role ] && last=12.911
    for t in 12.410 12.007 11.983 12.122 12.064 $last; do echo "Time: $t ms"; done ;;
  *) echo 'psql (PostgreSQL) 15.6' ;;
esac
`,
    uv: `#!/bin/sh
case "$*" in
  *board_latency*) if [ -f .db/role ]; then echo 'p50 14 ms  p95 41 ms  p99 63 ms (n=400)'; else echo 'p50 8702 ms  p95 9911 ms  p99 11410 ms (n=400)'; fi ;;
  *) echo 'uv 0.2.18' ;;
esac
`,
  },
  prompts: [
    "the dispatch board takes ~9s to load since about last week, DISP-772. same query in psql is instant for me?! work against staging (PGHOST is set), it has last night's prod copy. and no ANALYZE / REINDEX / whatever on prod between 7 and 19h, we took the depots down that way once. should be under 500ms",
    'nice. but why not a partial index on the open ones, thats what i would have done. also the SLA page says 200ms not 500, my bad. write the migration, we never edit a merged one, always the next number',
  ],
  script: (dir) => {
    const { run, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say("I'll look at the query and what the server says about it."),
          read(QUERY),
          run(
            'psql -c "SELECT calls, mean_exec_time, max_exec_time, left(query, 26) FROM pg_stat_statements ORDER BY 2 DESC LIMIT 1"',
            'Slowest statement',
            '8731.44',
          ),
          run('cat migrations/0040_shipments_indexes.sql', 'Existing indexes'),
        ],
        [
          say(
            'There is no composite index on `(status, depot_id)`, only single-column ones. That is almost certainly it. Let me create it on staging and measure.',
          ),
          run(
            'psql -c "CREATE INDEX CONCURRENTLY tmp_board ON shipments (status, depot_id)"',
            'Try a composite index',
            'CREATE INDEX',
          ),
        ],
        [run('psql -f bench/board.sql | tail -1', 'Measure the prepared query', '8874.902')],
        [
          say(
            '8.87 s with the index against 8.91 s without, so the missing index is not the cause: the planner does not even pick it. Dropping it again. Next suspect: statistics.',
          ),
          run('psql -c "DROP INDEX tmp_board"', 'Drop the trial index', 'DROP INDEX'),
          run(
            'psql -c "SELECT relname, n_live_tup, n_dead_tup, last_autoanalyze FROM pg_stat_user_tables WHERE relname = \'shipments\' -- n_dead_tup"',
            'Bloat and statistics',
            '118402',
          ),
        ],
        [
          run(
            'psql -c "EXPLAIN (ANALYZE, BUFFERS) SELECT s.id FROM shipments s WHERE s.status = \'open\' AND s.depot_id = 17 ORDER BY s.due_at LIMIT 200"',
            'Plan with literals',
            '12.004 ms',
          ),
        ],
        [
          say(
            '12 ms with literals, which is what you see in psql. Statistics are fresh too. So it must be something about how the app sends it. Let me look at all six executions instead of only the last.',
          ),
          run('psql -f bench/board.sql', 'All six timings', 'Time: 8912.310 ms'),
          read(POOL),
        ],
        [
          say('There it is: five fast runs, then the sixth takes 8.9 s.'),
          run(
            'psql -c "EXPLAIN (ANALYZE) EXECUTE board (\'open\', 17)"',
            'Plan of the sixth run',
            'Rows Removed by Filter: 40911873',
          ),
          run(
            "psql -c \"SELECT attname, most_common_vals, most_common_freqs FROM pg_stats WHERE tablename = 'shipments' AND attname = 'status'\"",
            'Skew of status',
            '0.9712',
          ),
        ],
        [
          say(
            "From the sixth execution on Postgres switches the prepared statement to a generic plan. It doesn't know which status comes, 97 % of the rows are `delivered`, so it assumes matches are everywhere and walks `shipments_due_at_idx`, throwing away 40.9 million rows for `open`. Let me try `SET plan_cache_mode` when the pool hands out a connection.",
          ),
          edit(
            POOL,
            '    conn.prepare_threshold = 5\n',
            '    conn.prepare_threshold = 5\n    conn.execute("SET plan_cache_mode = force_custom_plan")\n    conn.commit()\n',
          ),
          run('uv run bench/board_latency.py --requests 400', 'Latency through the app', 'p50 8702 ms'),
        ],
        [say('No change at all. Why does the setting not stick?'), read(BOUNCER)],
        [
          say(
            'pgbouncer runs in transaction mode, so a session-level `SET` lands on whichever server connection happens to be free and the next query goes to another one. That kind of setting has to hang on the role, not on the connection. Reverting my edit.',
          ),
          run(`git checkout -- ${POOL} && git status --short`, 'Undo the edit'),
        ],
        [
          say(`Found it. 🎯

**Cause.** The app prepares the statement after 5 executions (\`prepare_threshold\`), and the server then caches a generic plan that ignores the skew of \`status\`. psql sends literals and gets a custom plan each time, which is why you can't reproduce it by hand. It started last week because \`max_prepared_statements\` was switched on in pgbouncer 1.22; before that psycopg's prepared statements never survived a transaction.

**Fix I'd propose.** \`ALTER ROLE dashboard SET plan_cache_mode = force_custom_plan\`. It costs about 0.8 ms of planning per call.

I have not changed anything yet. Shall I go ahead and write it up?`),
        ],
        [
          say('Good question. Let me check what the planner could do with it, and write the migration.'),
          write(
            MIGRATION,
            `-- DISP-772: the board's prepared statement must not get a generic plan (status is 97 % delivered).
-- On the role, because pgbouncer's transaction mode loses a SET per session.
ALTER ROLE dashboard SET plan_cache_mode = force_custom_plan;
`,
          ),
        ],
        [
          run(`psql -f ${MIGRATION}`, 'Apply on staging', 'ALTER ROLE'),
          run('uv run bench/board_latency.py --requests 400', 'Latency through the app', 'p99 63 ms'),
        ],
        [
          run(
            "git add migrations && git commit -q -m 'DISP-772 Custom plans for the dashboard role' && git log --oneline -1",
            'Commit',
            'DISP-772',
          ),
        ],
        [
          say(`Migration 0042 is written, applied on staging and committed. p99 went from 11.4 s to 63 ms, comfortably below 200 ms!

### Why not the partial index
A generic plan can't use a partial index \`WHERE status = 'open'\`: with \`status = $1\` the planner cannot prove that the parameter satisfies the predicate. It would have helped psql and left the app exactly as slow.

### Before you roll it out
- Role settings only apply to new server connections. pgbouncer keeps the old ones up to \`server_idle_timeout\` (10 min) and busy ones for longer, so run \`RECONNECT dispatch\` on its admin console after the migration.
- The nightly \`export\` job logs in as \`dashboard\` too and gets the setting as well; I haven't measured it.

### Next steps
- [ ] Run on prod
- [ ] Watch the board for a day

Happy to help with the rollout if you like.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: 'preference', says: [/prod/, /between 7 and 19/], prompt: 1 },
      {
        type: ['bugfix', 'gotcha', 'discovery', 'how-it-works'],
        says: [/generic plan/, /skew|97 %|sixth/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix', 'decision'],
        says: [/missing index/, /not the cause|8\.87/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'decision'],
        says: [/transaction mode/, /role|\bSET\b/],
        prompt: 1,
      },
      {
        type: ['decision', 'gotcha', 'how-it-works', 'discovery'],
        says: [/partial index/, /generic plan|prove/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/new server connections|RECONNECT/, /pgbouncer|role settings/],
        prompt: 2,
      },
    ],
    niceToHave: [
      { type: 'preference', says: [/never edit a merged/, /next number/], prompt: 2 },
      { type: ['preference', 'change', 'decision', 'discovery'], says: ['SLA', '200'], prompt: 2 },
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: ['max_prepared_statements', /1\.22|last week/],
        prompt: 1,
      },
      { type: ['gotcha', 'discovery'], says: [/export/, /dashboard/, /measured/], prompt: 2 },
      { type: ['bugfix', 'change', 'decision'], says: ['force_custom_plan', /dashboard|planning/] },
    ],
    summaries: [
      { prompt: 1, request: [/9s|dispatch board/], learned: [/generic plan/] },
      { prompt: 2, request: [/partial index/], completed: [/0042|63 ms/], filesModified: [MIGRATION] },
    ],
    noise: [
      "I'll look at the query and what",
      'That is almost certainly it',
      'There it is',
      'Good question',
      'Shall I go ahead',
      'Happy to help with the rollout',
      'comfortably below',
      'Watch the board for a day',
    ],
    untrue: [
      /(added|created) (a|the) composite index/,
      /SLA\D{0,20}500/,
      /missing composite index (is|was) the cause/,
    ],
    followUps: [
      {
        asks: 'the board is slow from the service but quick when I paste the statement into a console. where do I start?',
        says: [/generic plan|prepared/],
      },
      {
        asks: 'I want to set work_mem for our web connections in configure() of the pool, ok?',
        says: [/transaction mode/],
      },
      {
        asks: "let's add an index covering only the undelivered rows to speed up the board",
        says: [/partial index|missing index/],
      },
      { asks: 'can I refresh statistics on production this afternoon?', says: [/between 7 and 19/] },
      {
        asks: 'we applied 0042 an hour ago and some requests are still taking seconds',
        says: [/RECONNECT|new server connections/],
      },
      { asks: 'what latency do we promise for the board?', says: ['200'] },
    ],
    unrelated: [
      'add a CSV download button for the customers page',
      'bump the Python base image to 3.13 and fix the build',
      'write a test for the address parser, it fails on Scottish postcodes',
    ],
  },
};
