import { callsIn, say } from '../calls.ts';
import type { PlayedCall, Step, SurveySession } from '../session.ts';

const CONF = 'roles/postgres/templates/postgresql.conf.j2';
const ALERTS = 'monitoring/alerts.yml';

/** Index, its size in GB before and after it is rebuilt. */
const INDEXES: [string, number, number][] = [
  ['fix_raw_pkey', 71, 38],
  ['fix_raw_trip_ts_idx', 88, 41],
  ['fix_raw_vehicle_ts_idx', 76, 35],
  ['fix_raw_geohash_idx', 64, 22],
  ['stop_event_pkey', 31, 17],
  ['stop_event_trip_idx', 40, 18],
  ['stop_event_stop_ts_idx', 38, 16],
  ['stop_event_vehicle_idx', 33, 15],
  ['door_event_pkey', 24, 13],
  ['door_event_vehicle_ts_idx', 29, 12],
  ['signal_req_pkey', 22, 12],
  ['signal_req_junction_ts_idx', 30, 11],
  ['signal_req_trip_idx', 27, 12],
  ['passenger_count_pkey', 22, 10],
  ['passenger_count_trip_idx', 26, 11],
  ['passenger_count_stop_ts_idx', 25, 10],
  ['radio_msg_pkey', 20, 9],
  ['radio_msg_vehicle_ts_idx', 23, 9],
];

const TABLES = ['fix_raw', 'stop_event', 'door_event', 'signal_req', 'passenger_count', 'radio_msg'];

const STUCK = 'fix_raw_geohash_idx';

const done = (what: string) => `grep -qxs "${what}" .ops`;

/** Both stand-ins keep what was done in the file .ops. */
const PSQL = `#!/bin/sh
q="$*"
case "$q" in
  *pg_database_size*) echo " tramwatch | 1498 GB" ;;
  *pg_ls_waldir*) if ${done('slot')}; then echo " 16 GB"; else echo " 318 GB"; fi ;;
  *pg_drop_replication_slot*) echo slot >> .ops; echo " (1 row)" ;;
  *pg_replication_slots*)
    echo " slot_name  | active | restart_lsn_age"
    echo " db2        | t      | 12 MB"
    ${done('slot')} || echo " dwh_legacy | f      | 302 GB" ;;
  *pg_stat_replication*)
    n=$(grep -cxs lag .ops); echo lag >> .ops
    case "$n" in 0|"") echo " db2 | streaming | 341 s" ;; 1) echo " db2 | streaming | 47 s" ;; *) echo " db2 | streaming | 2 s" ;; esac ;;
  *"NOT indisvalid"*) if ${done('junk')}; then echo " ${STUCK}_ccnew"; else echo " (0 rows)"; fi ;;
  *"DROP INDEX CONCURRENTLY ${STUCK}_ccnew"*) sed -i '/^junk$/d' .ops; echo "DROP INDEX" ;;
  *"REINDEX INDEX CONCURRENTLY"*)
    i=\${q##*CONCURRENTLY }
    if [ "$i" = ${STUCK} ] && [ -z "$PGOPTIONS" ]; then
      echo junk >> .ops
      echo "ERROR:  canceling statement due to lock timeout"; exit 1
    fi
    echo "$i" >> .ops; echo "REINDEX" ;;
  *pg_stat_user_tables*)
    echo " fix_raw         | dead 3.1 %"
    echo " stop_event      | dead 2.4 %"
    echo " door_event      | dead 1.9 %" ;;
  *pg_relation_size*)
    case "$q" in
${INDEXES.map(([name, before, after]) => `      *"'${name}'"*) if ${done(name)}; then echo " ${after} GB"; else echo " ${before} GB"; fi ;;`).join('\n')}
    esac ;;
  *pg_indexes_size*)
${INDEXES.map(([name, before]) => `    echo " ${name} | ${before} GB"`).join('\n')} ;;
  *pg_total_relation_size*) echo " 214 GB" ;;
  *"ALTER SYSTEM"*) echo "ALTER SYSTEM"; echo " pg_reload_conf | t"; echo "\${q##*max_slot_wal_keep_size}" | sed 's/[^0-9]*\\([0-9]*\\).*/\\1/' > .limit ;;
  *"SHOW max_slot_wal_keep_size"*) if [ -f .limit ]; then echo " $(cat .limit)GB"; else echo " -1"; fi ;;
  *pg_stat_activity*) echo " 4711 | reporter | 01:52:10 | SELECT avg(delay) FROM fix_raw ..." ;;
  *) echo " ok" ;;
esac
exit 0
`;

const SSH = `#!/bin/sh
case "$*" in
  *"df "*)
    u=1820
    ${done('slot')} && u=$((u - 302))
${INDEXES.map(([name, before, after]) => `    ${done(name)} && u=$((u - ${before - after}))`).join('\n')}
    echo "Filesystem    Size  Used  Use% Mounted on"
    echo "/dev/nvme1n1 2000G $u""G  $(((u + 10) / 20))% /pgdata" ;;
  *"du "*) echo "1498G /pgdata/base"; echo "318G /pgdata/pg_wal"; echo "4G /pgdata/log" ;;
  *iostat*) echo "nvme1n1 41.2 %util" ;;
  *sar*) echo "written 6.1 GB/h" ;;
  *) echo ok ;;
esac
exit 0
`;

export const tramsDiskSlotsEn: SurveySession = {
  name: 'trams disk slots en',
  about:
    'The disk of a tram database fills up; a forgotten slot holds WAL, eighteen indexes are rebuilt one by one, the numbers keep changing.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'postgres',
  long: true,
  files: {
    '.gitignore': '.ops\n.limit\n',
    'inventory.ini': '[postgres]\ndb1 role=primary\ndb2 role=standby\n',
    [CONF]: `wal_level = logical
max_replication_slots = 8
shared_buffers = 64GB
lock_timeout = 5s
`,
    [ALERTS]: `groups:
  - name: postgres
    rules:
      - alert: PgDown
        expr: pg_up == 0
        for: 1m
`,
    'jobs/retention.sql': "DELETE FROM fix_raw WHERE ts < now() - interval '90 days';\n",
  },
  programs: { psql: PSQL, ssh: SSH },
  prompts: [
    'disk on db1 (/pgdata) is at 91% and it grows like 6 GB an hour, we are dead by tomorrow night. find out what eats it. read only for now',
    'dwh_legacy can go, the dwh people moved to snowflake 9 days ago and never told us. drop it, then rebuild the fat indexes. house rules: always CONCURRENTLY, one index at a time, and never ever VACUUM FULL on db1, in march that froze the dispatcher screens for 40 min. its 10:20, has to be through by 15:30',
    'great. grafana says db2 is way behind, is that us? and put a cap on the slots so that a dead consumer cant fill the disk again, plus an alert',
    "64 is too tight, db2 is switched off up to 16h when they test the generators and must not need a new basebackup after that. make it 160. and then we're done, the retention thing goes into OPS-771, not today",
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    const sql = (query: string, description: string, shows?: string) =>
      run(`psql -h db1 -d tramwatch -Atc "${query}"`, description, shows);
    const df = (shows?: string) => run('ssh db1 df -BG /pgdata', 'Disk', shows);
    const reindex = (name: string) => sql(`REINDEX INDEX CONCURRENTLY ${name}`, `Rebuild ${name}`, 'REINDEX');
    const size = (name: string, shows: string) =>
      sql(`SELECT pg_relation_size('${name}')`, `Size of ${name}`, shows);
    const rebuild = (from: number, to: number): Step[][] =>
      INDEXES.slice(from, to).flatMap(([name, , after]): PlayedCall[][] => [
        [reindex(name)],
        [size(name, `${after} GB`)],
      ]);
    return {
      main: [
        [
          say("I'll look around on the disk first, without touching anything."),
          df('1820G'),
          run('ssh db1 du -sBG /pgdata/base /pgdata/pg_wal /pgdata/log', 'Folders', '318G'),
          run('ssh db1 sar -d', 'Write rate', '6.1 GB/h'),
        ],
        [
          say(
            'My first suspect is dead rows in `fix_raw`: the retention job deletes millions of rows there every night, so autovacuum has probably fallen behind.',
          ),
          sql('SELECT relname, n_dead_tup FROM pg_stat_user_tables', 'Dead rows', 'dead 3.1 %'),
          read('jobs/retention.sql'),
        ],
        ...TABLES.map((table) => [sql(`SELECT pg_total_relation_size('${table}')`, `Size of ${table}`)]),
        [
          say(
            'Only 3.1 % dead rows, so autovacuum keeps up and the tables themselves are healthy. 318 GB of WAL is not, though.',
          ),
          sql('SELECT sum(size) FROM pg_ls_waldir()', 'WAL', '318 GB'),
          sql('SELECT slot_name, active FROM pg_replication_slots', 'Slots', 'dwh_legacy | f'),
          sql('SHOW max_slot_wal_keep_size', 'Limit for slots', '-1'),
        ],
        [sql('SELECT relname, pg_indexes_size(oid) FROM pg_class', 'Indexes', 'fix_raw_trip_ts_idx | 88 GB')],
        [
          say(`Two things eat the disk, and neither is urgent enough to panic. Nothing was changed.

## 1. A dead replication slot: 302 GB
\`dwh_legacy\` is inactive, and Postgres keeps all WAL since its last confirmed position. \`max_slot_wal_keep_size\` is -1, which means there is no limit. This alone explains the growth of 6.1 GB per hour: that is simply our WAL rate.

## 2. Bloated indexes: 689 GB
Eighteen indexes on six tables. The nightly retention job deletes rows from the old end, and btree pages that are only partly emptied are not reused, so the indexes grow although the tables don't.

## What it is not
Dead rows. \`fix_raw\` has 3.1 %, autovacuum is fine.

Before I drop the slot somebody has to confirm that nobody reads it any more: once it is gone, the consumer has to start from scratch. Want me to draft a message to the data warehouse team?`),
        ],
        [
          say('Dropping the slot.'),
          sql("SELECT pg_drop_replication_slot('dwh_legacy')", 'Drop the slot'),
          sql('CHECKPOINT', 'Checkpoint'),
          sql('SELECT sum(size) FROM pg_ls_waldir()', 'WAL', '16 GB'),
        ],
        [df('76%')],
        [
          say('Disk is now at 76 %, WAL went from 318 to 16 GB. On to the indexes, the small risk first.'),
          sql("SELECT pid, usename FROM pg_stat_activity WHERE state = 'active'", 'Long queries', 'reporter'),
        ],
        ...rebuild(0, 3),
        [df('70%')],
        [
          fail(
            `psql -h db1 -d tramwatch -Atc "REINDEX INDEX CONCURRENTLY ${STUCK}"`,
            `Rebuild ${STUCK}`,
            'lock timeout',
          ),
        ],
        [
          say(
            'A concurrent rebuild waits for every older transaction, and the `reporter` query has been running for almost two hours. Our `lock_timeout` of 5s kills that wait. What it leaves behind is an invalid index.',
          ),
          sql('SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid', 'Invalid', `${STUCK}_ccnew`),
          run('grep -n lock_timeout roles/postgres/templates/postgresql.conf.j2', 'Where it is set', '5s'),
        ],
        [sql(`DROP INDEX CONCURRENTLY ${STUCK}_ccnew`, 'Drop the leftover', 'DROP INDEX')],
        [
          say(
            'The leftover is gone. For the rebuilds I switch the timeout off, but only in my own session through PGOPTIONS: with `SET` in the same `-c` psql would open a transaction, and REINDEX CONCURRENTLY refuses to run in one.',
          ),
          run(
            `PGOPTIONS="-c lock_timeout=0" psql -h db1 -d tramwatch -Atc "REINDEX INDEX CONCURRENTLY ${STUCK}"`,
            `Rebuild ${STUCK} again`,
            'REINDEX',
          ),
        ],
        [size(STUCK, '22 GB')],
        ...rebuild(4, 10),
        [df('63%')],
        ...rebuild(10, 18),
        [
          df('57%'),
          sql('SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid', 'Invalid', '0 rows'),
        ],
        [
          say(`All eighteen indexes are rebuilt, finished at 14:05, well before your deadline.

| | before | now |
|---|---|---|
| disk | 91 % | **57 %** |
| WAL | 318 GB | 16 GB |
| indexes | 689 GB | 311 GB |

**One trap for next time.** A \`REINDEX INDEX CONCURRENTLY\` that is cancelled leaves an invalid \`..._ccnew\` index that takes space and slows down writes; nobody removes it for you. It happened with \`${STUCK}\`, because \`lock_timeout = 5s\` is set for the whole server. Run rebuilds with \`PGOPTIONS="-c lock_timeout=0"\`, and check \`pg_index\` for \`NOT indisvalid\` afterwards.

**This will come back.** As long as retention works with \`DELETE\`, the indexes will be bloated again in about half a year. Partitions by day that are dropped would solve it for good.

Shall I also clean up the log folder while I'm here?`),
        ],
        [
          say('Let me check the standby before guessing.'),
          sql('SELECT application_name, replay_lag FROM pg_stat_replication', 'Lag', '341 s'),
          run('ssh db2 iostat -x', 'Disk of db2', '41.2'),
        ],
        [
          say(
            'db2 is 341 s behind. Its disk is not saturated, so it should be catching up; measuring again.',
          ),
          sql('SELECT application_name, replay_lag FROM pg_stat_replication', 'Lag again', '47 s'),
          read(CONF),
          read(ALERTS),
        ],
        [
          edit(
            CONF,
            'max_replication_slots = 8\n',
            'max_replication_slots = 8\nmax_slot_wal_keep_size = 64GB\n',
          ),
          edit(
            ALERTS,
            '        expr: pg_up == 0\n        for: 1m\n',
            `        expr: pg_up == 0
        for: 1m
      - alert: PgSlotInactive
        expr: pg_replication_slots_active == 0
        for: 30m
`,
          ),
          run(
            `psql -h db1 -d tramwatch -Atc "ALTER SYSTEM SET max_slot_wal_keep_size = '64GB'" -c "SELECT pg_reload_conf()"`,
            'Set the limit',
            'ALTER SYSTEM',
          ),
        ],
        [
          sql('SHOW max_slot_wal_keep_size', 'Check', '64GB'),
          sql('SELECT application_name, replay_lag FROM pg_stat_replication', 'Lag', '2 s'),
        ],
        [
          say(`Yes, that was us, and it is already over: the rebuilds wrote a lot of WAL in a short time, and db2 had to replay it. The lag is back to **2 s**.

- \`max_slot_wal_keep_size\` is 64GB now, on the server and in \`${CONF}\`. A reload is enough, no restart. A slot that falls further behind is invalidated and its consumer has to be set up again.
- The limit counts for every slot, including the one of \`db2\`. At 6.1 GB of WAL per hour, 64 GB means roughly ten hours.
- New alert \`PgSlotInactive\` after 30 minutes, in \`${ALERTS}\`.

I set it both ways on purpose: \`ALTER SYSTEM\` alone would be lost the next time Ansible rebuilds the machine. Anything else?`),
        ],
        [
          say('Understood, 160.'),
          edit(CONF, 'max_slot_wal_keep_size = 64GB', 'max_slot_wal_keep_size = 160GB'),
          run(
            `psql -h db1 -d tramwatch -Atc "ALTER SYSTEM SET max_slot_wal_keep_size = '160GB'" -c "SELECT pg_reload_conf()"`,
            'Set the limit',
            'ALTER SYSTEM',
          ),
          sql('SHOW max_slot_wal_keep_size', 'Check', '160GB'),
        ],
        [
          df('57%'),
          run(
            'git add -A && git commit -qm "postgres: cap WAL kept for slots, alert on inactive slots" && git show --stat HEAD | tail -3',
            'Commit',
            'alerts.yml',
          ),
        ],
        [
          say(`Done and committed.

- \`max_slot_wal_keep_size\` is **160GB**: 16 hours without db2 are about 98 GB of WAL, so there is a good margin, and even a slot at its limit would only bring the disk to about 65 %.
- The disk stands at 57 %.
- OPS-771 stays open: let retention drop partitions instead of deleting rows. Until then, rebuild the indexes when they pass 600 GB in total.

The alert is not deployed yet, that happens with the next run of the monitoring playbook. Enjoy your afternoon, that was a close one!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: [/dwh_legacy|replication slot/, /WAL|302/],
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/VACUUM FULL/, /never|froze|dispatcher|40 min/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision'],
        says: [/CONCURRENTLY/, /one (index )?at a time/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/_ccnew|invalid/, /lock_timeout|cancel/],
        prompt: 2,
      },
      {
        type: ['change', 'decision', 'preference', 'feature', 'gotcha', 'how-it-works'],
        says: [/160 ?(GB)?/, /max_slot_wal_keep_size|16 ?h|generator|64 is too tight|cap/],
        prompt: 4,
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works', 'bugfix'],
        says: [/index/, /retention|delete/, /bloat|not reused|half a year|grow|partition/],
      },
      {
        type: ['discovery', 'change', 'bugfix', 'gotcha'],
        says: [/57 ?%/],
      },
      {
        type: ['decision', 'preference', 'gotcha', 'discovery', 'change'],
        says: [/OPS-771/, /retention|partitions/],
        prompt: 4,
      },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'decision'],
        says: [/PGOPTIONS/, /lock_timeout|transaction/],
      },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/3\.1 ?%|dead rows/, /autovacuum|fix_raw/] },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/db2|lag/, /replay|2 s|rebuilds/] },
      {
        type: ['change', 'feature', 'gotcha', 'discovery'],
        says: [/PgSlotInactive|alert/, /30 min|inactive|not deployed|playbook/],
      },
      {
        type: ['gotcha', 'decision', 'how-it-works', 'discovery', 'change'],
        says: [/ALTER SYSTEM|invalidated|every slot|reload/, /Ansible|slot|restart/],
      },
      { type: ['discovery', 'change', 'refactor', 'gotcha', 'decision'], says: [/311 ?GB|16 GB|600 GB/] },
    ],
    summaries: [
      { prompt: 1, request: [/pgdata|91/], learned: [/dwh_legacy|slot|WAL|index/] },
      {
        prompt: 2,
        request: [/dwh_legacy|indexes/],
        learned: [/_ccnew|lock_timeout|invalid/],
        completed: [/57|rebuilt|eighteen|slot/],
      },
      {
        prompt: 3,
        request: [/db2|cap|alert/],
        completed: [/PgSlotInactive|max_slot_wal_keep_size/],
        filesModified: [CONF, ALERTS],
      },
      {
        prompt: 4,
        request: [/160|64/],
        completed: [/160/],
        nextSteps: [/OPS-771|playbook|deployed/],
        filesModified: [CONF],
      },
    ],
    noise: [
      "I'll look around on the disk first",
      'Want me to draft a message',
      'the small risk first',
      'Shall I also clean up the log folder',
      'before guessing',
      'Enjoy your afternoon',
      'has to be through by 15:30',
      'neither is urgent enough to panic',
    ],
    untrue: [
      /first suspect is dead rows(?![\s\S]*(3\.1|keeps up|is fine|not))/,
      /autovacuum has (probably )?fallen behind/,
      /^(?![\s\S]*57 ?%)[\s\S]*(disk|\/pgdata)[^.\n]{0,25}(is|now|stands|down to|at) (now )?(at )?(76|70|63) ?%/,
      /^(?![\s\S]*160)[\s\S]*max_slot_wal_keep_size[^.\n]{0,25}(is|to|=|at) (now )?64 ?GB/,
      /^(?![\s\S]*(\b2 s\b|already over|caught up))[\s\S]*(db2|standby|lag)[^.\n]{0,20} (341|47) s/,
      /^(?![\s\S]*160)[\s\S]*roughly ten hours/,
    ],
    followUps: [
      {
        asks: 'a big table is bloated on the primary, can I just compact it offline style with a full rewrite tonight?',
        says: [/VACUUM FULL/, /never|froze|dispatcher/],
      },
      {
        asks: 'my online index build was aborted halfway, is there anything left to tidy up?',
        says: [/_ccnew|invalid/],
      },
      {
        asks: 'how long may the standby be offline before we have to copy everything from scratch?',
        says: [/160|16 ?h/],
      },
      {
        asks: 'why did we run out of space back then, was it the nightly clean-up?',
        says: [/slot|dwh_legacy/, /WAL|index/],
      },
      {
        asks: 'how full is the storage of the tram database after the big tidy-up?',
        says: [/57 ?%/],
      },
    ],
    unrelated: [
      'add a dashboard panel with the number of active dispatchers per shift',
      'what is the difference between a k8s deployment and a statefulset?',
      'write an ansible role that installs chrony on the ticket machines',
    ],
  },
};
