import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const WAL_CONF = 'postgres/conf.d/20-wal.conf';
const RUNBOOK = 'runbooks/disk-full.md';

// Its state is in .git/pgstate: dropped (slot gone), checkpointed, ccnew (an invalid index is left behind).
const PSQL = `#!/bin/sh
sql="$*"
state=.git/pgstate; mkdir -p $state
case "$sql" in
  *pg_total_relation_size*)
    echo "      relname      | total_size | dead_pct"
    echo "-------------------+------------+----------"
    echo " shipment_events   | 61 GB      |      4.1"
    echo " shipments         | 12 GB      |      1.9"
    echo " label_archive     | 9 GB       |      0.0" ;;
  *pg_ls_waldir*)
    if [ -e $state/checkpointed ]; then echo " 3 GB | 192"; else echo " 218 GB | 13952"; fi ;;
  *pg_stat_archiver*)
    echo " archived_count | failed_count |      last_archived_time       "
    echo "----------------+--------------+-------------------------------"
    echo "         884213 |            0 | 2025-03-11 14:02:51.220431+00" ;;
  *pg_drop_replication_slot*)
    touch $state/dropped
    echo " pg_drop_replication_slot "; echo "--------------------------"; echo " "; echo "(1 row)" ;;
  *pg_replication_slots*)
    echo "     slot_name     | slot_type | active | retained | wal_status "
    echo "-------------------+-----------+--------+----------+------------"
    echo " debezium_shipping | logical   | t      | 41 MB    | reserved"
    echo " replica_b         | physical  | t      | 2 MB     | reserved"
    [ -e $state/dropped ] || echo " bi_snapshot_q3    | logical   | f      | 215 GB   | extended" ;;
  *CHECKPOINT*) touch $state/checkpointed; echo CHECKPOINT ;;
  *pg_reload_conf*) echo " t" ;;
  *"SHOW max_slot_wal_keep_size"*)
    if grep -q '^max_slot_wal_keep_size = 60GB' ${WAL_CONF}; then echo " 60GB"; else echo " -1"; fi ;;
  *avg_leaf_density*)
    echo "         index          | size  | avg_leaf_density"
    echo "------------------------+-------+------------------"
    echo " shipment_events_ref_ix | 31 GB |            27.4" ;;
  *"DROP INDEX CONCURRENTLY"*) rm -f $state/ccnew; echo "DROP INDEX" ;;
  *indisvalid*)
    if [ -e $state/ccnew ]; then echo " shipment_events_ref_ix_ccnew | f"; else echo "(0 rows)"; fi ;;
  *REINDEX*)
    case "$PGOPTIONS" in
      *statement_timeout=0*) echo "started"; sleep 25; echo REINDEX ;;
      *) touch $state/ccnew
         echo "ERROR:  canceling statement due to statement timeout" >&2; exit 1 ;;
    esac ;;
  *rolconfig*) echo " ops_rw | {statement_timeout=10min}" ;;
  *) echo "psql (PostgreSQL) 15.6" ;;
esac
`;

const DF = `#!/bin/sh
echo "Filesystem      Size  Used Avail Use% Mounted on"
if [ -e .git/pgstate/checkpointed ]; then echo "/dev/nvme1n1    400G  157G  244G  40% /var/lib/postgresql"
else echo "/dev/nvme1n1    400G  372G   29G  93% /var/lib/postgresql"; fi
`;

export const walDiskEn: SurveySession = {
  name: 'wal-disk-en',
  about:
    'A database disk fills with WAL behind a forgotten slot; the session dies in the middle of a reindex.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'postgres',
  files: {
    [WAL_CONF]:
      '# WAL and replication\nwal_level = logical\nmax_wal_size = 4GB\nmax_slot_wal_keep_size = -1\n',
    [RUNBOOK]:
      '# Disk full on pg-ship\n\n1. Look for bloat in `shipment_events` first.\n2. If in doubt, call the DBA on duty.\n',
    'postgres/conf.d/10-memory.conf': 'shared_buffers = 16GB\nwork_mem = 32MB\n',
    'README.md': '# shipping-db-ops\n\nConfiguration and runbooks of the shipping database.\n',
  },
  programs: { psql: PSQL, df: DF },
  prompts: [
    "pg-ship is at 93% disk and climbing, paged twice tonight. find out whats eating it and get it down pls. rules: no restart before sunday (label printing runs 24/7), and the debezium_* slots belong to Priyas team, never drop one of those without asking her. everything named bi_* is ours, do what you want. once there's room also have a look at the index on shipment_events, it felt way too big last time. psql is set up for you via PGSERVICE=ship",
  ],
  how: { cut: 'killed', when: 'reindex.log' },
  script: (dir) => {
    const { run, fail, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("I'll get the lay of the land first: disk, runbook, biggest tables."),
          run('df -h /var/lib/postgresql', 'Disk usage', '93%'),
          read(RUNBOOK),
          read(WAL_CONF),
        ],
        [
          run(
            'psql -c "select relname, pg_size_pretty(pg_total_relation_size(relid)) total_size, round(100.0*n_dead_tup/nullif(n_live_tup,0),1) dead_pct from pg_stat_user_tables order by pg_total_relation_size(relid) desc limit 3"',
            'Largest tables and dead tuples',
            '61 GB',
          ),
        ],
        [
          say(
            "So the runbook's first guess is wrong here: shipment_events is 61 GB with 4% dead tuples, and all tables together don't explain 372 GB. Bloat is not what is filling the disk. Checking WAL.",
          ),
          run(
            'psql -Atc "select pg_size_pretty(sum(size)), count(*) from pg_ls_waldir()"',
            'Size of pg_wal',
            '218 GB',
          ),
          run(
            'psql -c "select archived_count, failed_count, last_archived_time from pg_stat_archiver"',
            'Archiver health',
            '884213',
          ),
        ],
        [
          say(
            'pg_wal alone holds 218 GB against a max_wal_size of 4GB. My first suspect was a stuck archive_command, but failed_count is 0 and the last segment was archived seconds ago, so the archiver is fine. Something is pinning WAL.',
          ),
          run(
            'psql -c "select slot_name, slot_type, active, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) retained, wal_status from pg_replication_slots order by 4"',
            'Replication slots and what they retain',
            'bi_snapshot_q3',
          ),
        ],
        [
          say(
            "There it is. The inactive logical slot bi_snapshot_q3 retains 215 GB of WAL: somebody's BI snapshot from Q3 never dropped its slot, and with max_slot_wal_keep_size = -1 nothing limits it. The debezium slot is active and only 41 MB behind, so Priya's side is not involved. bi_* is ours, so I'm dropping this one.",
          ),
          run(
            `psql -c "select pg_drop_replication_slot('bi_snapshot_q3')"`,
            'Drop the orphaned BI slot',
            '(1 row)',
          ),
        ],
        [
          run(
            'psql -Atc "select pg_size_pretty(sum(size)), count(*) from pg_ls_waldir()" ; df -h /var/lib/postgresql',
            'Did it help?',
            '218 GB',
          ),
        ],
        [
          say(
            'No change yet, and that is expected: old segments are only removed at the next checkpoint, and checkpoint_timeout is 30 minutes here. Dropping a slot frees nothing until a CHECKPOINT has run, so I force one instead of waiting.',
          ),
          run('psql -c "CHECKPOINT"', 'Force a checkpoint', 'CHECKPOINT'),
        ],
        [run('df -h /var/lib/postgresql', 'Disk after the checkpoint', '40%')],
        [
          say(
            "93% down to 40%. Now a guard so this can't happen again. I first thought of 20GB, but WAL runs at about 6 GB per hour and a Debezium outage over a night (8 hours) would need 48 GB; a slot that exceeds the limit is invalidated and Debezium has to re-snapshot from zero. So max_slot_wal_keep_size becomes 60GB. It only needs a reload, no restart.",
          ),
          edit(WAL_CONF, 'max_slot_wal_keep_size = -1', 'max_slot_wal_keep_size = 60GB'),
        ],
        [
          run(
            'psql -Atc "select pg_reload_conf()" && psql -Atc "SHOW max_slot_wal_keep_size"',
            'Reload and verify',
            '60GB',
          ),
          edit(
            RUNBOOK,
            '1. Look for bloat in `shipment_events` first.\n',
            '1. Compare pg_wal with max_wal_size. If it is far above, list `pg_replication_slots` for inactive slots.\n2. After dropping a slot run `CHECKPOINT`, else nothing is freed.\n',
          ),
        ],
        [
          say('Now the index.'),
          run(
            `psql -c "select 'shipment_events_ref_ix' as index, pg_size_pretty(index_size) size, avg_leaf_density from pgstatindex('shipment_events_ref_ix')"`,
            'Index density',
            '27.4',
          ),
        ],
        [
          say(
            'shipment_events_ref_ix is 31 GB at a leaf density of 27%, so about two thirds of it is air. A plain REINDEX would block writes and stop label printing, so only CONCURRENTLY is an option.',
          ),
          fail(
            'psql -c "REINDEX INDEX CONCURRENTLY shipment_events_ref_ix"',
            'Rebuild the index online',
            'statement timeout',
          ),
        ],
        [
          run(
            `psql -Atc "select rolname, rolconfig from pg_roles where rolname = current_user"`,
            'Timeouts of this role',
            'statement_timeout=10min',
          ),
          run(
            `psql -Atc "select indexrelid::regclass, indisvalid from pg_index where not indisvalid"`,
            'Leftover invalid indexes',
            '_ccnew',
          ),
        ],
        [
          say(
            'Two things: the role ops_rw carries statement_timeout=10min, which any rebuild of this index exceeds. And an aborted REINDEX CONCURRENTLY leaves an invalid shipment_events_ref_ix_ccnew behind that slows every insert and has to be dropped by hand before the next try.',
          ),
          run(
            'psql -c "DROP INDEX CONCURRENTLY shipment_events_ref_ix_ccnew"',
            'Remove the invalid leftover',
            'DROP INDEX',
          ),
        ],
        [
          say('Second try, with the timeout off for this session only. This will take a while, hang tight.'),
          cut(
            'PGOPTIONS=\'-c statement_timeout=0\' psql -c "REINDEX INDEX CONCURRENTLY shipment_events_ref_ix" > reindex.log 2>&1',
            'Rebuild the index online without a statement timeout',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: ['bi_snapshot_q3', /215 GB|WAL/, /inactive|orphan|never dropped/],
        prompt: 1,
      },
      {
        type: ['preference', 'decision'],
        says: ['debezium', /Priya/, /never drop|without asking/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/slot/, /checkpoint/, /frees nothing|only removed|nothing is freed/],
        prompt: 1,
      },
      { type: ['decision', 'change'], says: ['max_slot_wal_keep_size', '60GB'], prompt: 1 },
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/_ccnew/, /invalid/, /REINDEX|dropped by hand/],
        prompt: 1,
      },
      { type: ['preference', 'decision'], says: [/no restart/, /sunday/], prompt: 1 },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: ['ops_rw', 'statement_timeout'], prompt: 1 },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/archive_command|archiver/, /failed_count|fine/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha'],
        says: ['shipment_events', /61 GB|bloat/, /4%|not what is filling|wrong/],
        prompt: 1,
      },
      {
        type: ['discovery', 'decision', 'gotcha'],
        says: ['shipment_events_ref_ix', /31 GB|27%|CONCURRENTLY/],
        prompt: 1,
      },
      {
        type: ['how-it-works', 'discovery', 'decision', 'gotcha'],
        says: [/invalidated/, /re-snapshot/],
        prompt: 1,
      },
      { type: ['change'], says: [/checkpoint|inactive slots/, /runbook/], files: [RUNBOOK], prompt: 1 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/disk/],
        learned: [/slot|WAL/],
        filesModified: [WAL_CONF, RUNBOOK],
      },
    ],
    noise: [
      "I'll get the lay of the land first",
      'There it is.',
      'hang tight',
      'Now the index.',
      'Did it help?',
      '884213',
      'Second try, with the timeout off',
    ],
    untrue: [
      /keep_size\W+(is|=|to|becomes|of)?\W*20 ?GB/,
      /(index|reindex)\w*( \w+){0,3} (was|has been|is) (successfully )?rebuilt/,
      /debezium_shipping (was|is|has been) dropped/,
    ],
    followUps: [
      {
        asks: 'I removed a stale subscription an hour ago and the volume is still full, what am I missing?',
        says: [/checkpoint/],
      },
      {
        asks: 'can I get rid of the CDC replication slot that lags behind on the shipping db?',
        says: [/Priya/],
      },
      {
        asks: 'inserts into shipment_events got slower since that night. could something have been left behind?',
        says: [/_ccnew/, /invalid/],
      },
      {
        asks: 'why did we cap the retained write-ahead log at this number and not lower?',
        says: ['60GB', /max_slot_wal_keep_size/],
      },
      { asks: 'what filled up the pg-ship volume back then?', says: ['bi_snapshot_q3'] },
      {
        asks: 'my long maintenance statement gets cancelled after ten minutes, where does that limit come from?',
        says: ['statement_timeout', 'ops_rw'],
      },
    ],
    unrelated: [
      'add a pgbouncer config for the new staging host',
      'please fix the typos in the README',
      'how do I give the reporting team read access to the customers schema?',
    ],
  },
};
