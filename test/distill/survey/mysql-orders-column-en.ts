import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const RUN = 'ops/2026-11-add-carbon/run.sh';
const DSN = 'ops/2026-11-add-carbon/dsns.sql';
const HOSTS = 'ops/hosts.md';

const MYSQL = `#!/bin/sh
case "$*" in
  *ALGORITHM=INSTANT*)
    echo "ERROR 1845 (0A000) at line 1: ALGORITHM=INSTANT is not supported for this operation. Try ALGORITHM=COPY/INPLACE." >&2
    exit 1 ;;
  *"SHOW CREATE TABLE"*) printf 'CREATE TABLE orders (\\n  id bigint NOT NULL AUTO_INCREMENT,\\n  ...\\n) ENGINE=InnoDB ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=8\\n' ;;
  *information_schema.tables*) printf 'orders\\t183412006\\t212.4 GB\\n' ;;
  *referential*) printf 'fk_lines_order\\torder_lines\\nfk_refund_order\\trefunds\\n' ;;
  *Threads_running*) printf 'Threads_running\\t38\\n' ;;
  *"SHOW REPLICA STATUS"*)
    case "$*" in
      *db-r2*) printf 'Seconds_Behind_Source: 3600\\nSQL_Delay: 3600\\n' ;;
      *) printf 'Seconds_Behind_Source: 0\\nSQL_Delay: 0\\n' ;;
    esac ;;
  *) echo ok ;;
esac
`;

const GHOST = `#!/bin/sh
echo "FATAL Found 2 parent-side foreign keys on shop.orders. Parent-side foreign keys are not supported. Bailing out" >&2
exit 1
`;

const PTOSC = `#!/bin/sh
case "$*" in
  *recursion-method=dsn*)
    case "$*" in
      *Threads_running=25*) echo "Pausing because Threads_running=38."; exit 1 ;;
      *) echo "Found 1 replicas: db-r1"; echo "Dry run complete.  shop.orders was not altered." ;;
    esac ;;
  *) echo "Found 2 replicas: db-r1 db-r2"; echo "Replica db-r2 lag is 3600 seconds. Waiting."; exit 1 ;;
esac
`;

export const mysqlOrdersColumnEn: SurveySession = {
  name: 'mysql orders column en',
  about:
    'A schema change on a large table is prepared but not run; three ways are refused, each for a reason.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'mysql',
  files: {
    [HOSTS]: `| host | role |
|---|---|
| db-p | primary, MySQL 8.0.36 |
| db-r1 | replica, reads |
| db-r2 | replica |
`,
    'ops/README.md': 'One folder per change, with run.sh and what is needed to go back.\n',
  },
  programs: { mysql: MYSQL, 'gh-ost': GHOST, 'pt-online-schema-change': PTOSC },
  prompts: [
    'OPS-812: shop.orders needs a nullable column carbon_grams INT. 183M rows, primary must stay writable. Prepare, do not execute. Usual deal: dry run first, its output goes into the ticket, and nothing touches the primary between 17:00 and 22:00 (evening peak).',
    'fine. R2 being delayed is deliberate, thats our oops-somebody-dropped-a-table insurance, so leave it alone. I run it tomorrow 05:00 myself. How do I get back if it goes south halfway?',
  ],
  script: (dir) => {
    const { run, fail, read, write } = callsIn(dir);
    return {
      main: [
        [
          read(HOSTS),
          read('ops/README.md'),
          run(
            'mysql -h db-p -e "SELECT table_name, table_rows, size FROM information_schema.tables WHERE table_name=\'orders\'"',
            'Table size',
            '212.4 GB',
          ),
        ],
        [
          fail(
            'mysql -h db-p-clone -e "ALTER TABLE shop.orders ADD COLUMN carbon_grams INT NULL, ALGORITHM=INSTANT"',
            'Try INSTANT on the clone',
            'ERROR 1845',
          ),
        ],
        [run('mysql -h db-p -e "SHOW CREATE TABLE shop.orders"', 'Why', 'ROW_FORMAT=COMPRESSED')],
        [
          say(
            'INSTANT is out: not available for ROW_FORMAT=COMPRESSED. INPLACE would rebuild 212 GB and stall db-r1 for the length of it.',
          ),
          fail(
            'gh-ost --host db-p --database shop --table orders --alter "ADD COLUMN carbon_grams INT NULL" 2>&1',
            'gh-ost, no --execute',
            'Parent-side foreign keys are not supported',
          ),
        ],
        [
          run(
            'mysql -h db-p -e "SELECT constraint_name, table_name FROM information_schema.referential_constraints"',
            'Which keys',
            'fk_lines_order',
          ),
        ],
        [
          say(
            'gh-ost is out too: order_lines and refunds reference orders, and it cannot handle parent-side foreign keys. --discard-foreign-keys would drop them. Leaves pt-online-schema-change.',
          ),
          fail(
            'pt-online-schema-change --dry-run --alter "ADD COLUMN carbon_grams INT NULL" --alter-foreign-keys-method=rebuild_constraints --max-lag=2 D=shop,t=orders,h=db-p',
            'pt-osc dry run',
            'lag is 3600 seconds',
          ),
        ],
        [run('mysql -h db-r2 -e "SHOW REPLICA STATUS"', 'db-r2', 'SQL_Delay: 3600')],
        [
          say(
            'db-r2 is a delayed replica (SQL_Delay 3600), so --max-lag would wait for ever. Listing the replicas to watch by DSN table instead.',
          ),
          write(
            DSN,
            "CREATE TABLE percona.dsns (id INT PRIMARY KEY, dsn VARCHAR(255));\nINSERT INTO percona.dsns VALUES (1, 'h=db-r1');\n",
          ),
          fail(
            'pt-online-schema-change --dry-run --recursion-method=dsn=D=percona,t=dsns --max-load Threads_running=25 D=shop,t=orders,h=db-p',
            'Dry run with the DSN table',
            'Threads_running=38',
          ),
        ],
        [run('mysql -h db-p -e "SHOW STATUS LIKE \'Threads_running\'"', 'Normal load', '38')],
        [
          write(
            RUN,
            `#!/bin/sh
# OPS-812. Not between 17:00 and 22:00.
exec pt-online-schema-change "\${1:---dry-run}" \\
  --alter "ADD COLUMN carbon_grams INT NULL" \\
  --alter-foreign-keys-method=rebuild_constraints \\
  --recursion-method=dsn=D=percona,t=dsns \\
  --max-lag=2 --max-load Threads_running=60 --critical-load Threads_running=120 \\
  D=shop,t=orders,h=db-p
`,
          ),
        ],
        [run(`sh ${RUN} --dry-run`, 'Dry run', 'Dry run complete')],
        [
          say(`Prepared, not executed. Dry run clean (output above, for OPS-812).

\`sh ${RUN} --execute\`

- pt-online-schema-change, not INSTANT (COMPRESSED row format) and not gh-ost (parent-side foreign keys).
- \`rebuild_constraints\` for order_lines and refunds; \`drop_swap\` is faster but leaves a moment without a table.
- Watches lag on db-r1 only, via percona.dsns. db-r2 is delayed by an hour and would block it for ever.
- max-load 60: baseline is 38 threads, the default of 25 never lets it start.
- Estimate 7 h at the clone's speed. Start by 09:30 or it runs into the evening window.
- Needs 230 GB free on db-p; there are 410.`),
        ],
        [
          say(`Before the swap: Ctrl-C. It drops its triggers and leaves \`_orders_new\`; \`DROP TABLE shop._orders_new\`. orders was never touched.

If it is killed with -9: the three triggers \`pt_osc_shop_orders_{ins,upd,del}\` stay. Drop the triggers **first**, then \`_orders_new\`. The other way round every write to orders fails.

After the swap: old table is kept as \`_orders_old\` only with --no-drop-old-table. run.sh does not have it. Worth adding; but with rebuild_constraints the child keys already point to the new table, so going back loses writes since the swap. In practice: the column is nullable, drop it later instead.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['decision', 'gotcha', 'discovery', 'change'],
        says: ['INSTANT', 'COMPRESSED'],
        prompt: 1,
      },
      {
        type: ['decision', 'gotcha', 'discovery', 'change'],
        says: ['gh-ost', /parent-side foreign keys/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/db-r2/, /delayed|SQL_Delay/, /for ever|block/],
      },
      {
        type: ['preference', 'decision'],
        says: ['17:00', '22:00', /primary/],
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/triggers/, /first/, '_orders_new'],
        prompt: 2,
      },
    ],
    niceToHave: [
      { type: ['preference', 'decision'], says: [/dry run first/, /ticket/] },
      { type: ['gotcha', 'decision', 'discovery', 'change'], says: ['38', /60|max-load/] },
      { type: ['decision', 'gotcha', 'discovery', 'change'], says: ['rebuild_constraints', 'drop_swap'] },
      { type: ['preference', 'decision', 'how-it-works'], says: [/deliberate|insurance/, /R2/] },
      { type: ['discovery', 'gotcha', 'change', 'decision'], says: [/7 h/, /09:30|evening/] },
      {
        type: ['gotcha', 'how-it-works', 'discovery', 'decision'],
        says: ['--no-drop-old-table', /_orders_old|swap/],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['OPS-812', 'carbon_grams'],
        learned: [/COMPRESSED|foreign keys|db-r2/],
        completed: [/dry run|prepared/],
        nextSteps: [/execute|09:30/],
        filesModified: [RUN, DSN],
      },
      { prompt: 2, request: ['get back'], learned: [/triggers|swap/] },
    ],
    noise: ['Try ALGORITHM=COPY/INPLACE', 'Bailing out'],
    untrue: [
      /(column|carbon_grams) (was|has been|is now) added/,
      /(executed|ran) (the )?(migration|change) on db-p/,
      /(gh-ost|INSTANT) (was|is) (chosen|used)/,
    ],
    followUps: [
      {
        asks: 'we want another optional field on the big sales table. can mysql 8 do that online in a second, as on the others?',
        says: ['COMPRESSED'],
      },
      {
        asks: 'one of our secondaries is always an hour behind, should I rebuild it?',
        says: [/delayed|deliberate|insurance/],
      },
      {
        asks: 'the percona tool died and now inserts error out about a missing table. how do I clean up safely?',
        says: [/triggers/, /first/],
      },
      { asks: 'when am I allowed to run maintenance against the main database?', says: ['17:00'] },
    ],
    unrelated: [
      'rotate the api keys of the mail provider',
      'add a grafana panel for checkout conversion',
      'explain how our ansible inventory is structured',
    ],
  },
};
