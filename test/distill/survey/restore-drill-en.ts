import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const BACKUP = 'ops/backup.sh';
const PRUNE = 'ops/prune.sh';
const REPLICA = 'ops/db-2/postgresql.conf';
const RESTORE = 'ops/restore-drill.sh';
const RUNBOOK = 'ops/RESTORE.md';

const SSH = `#!/bin/sh
# Stands in for the machines: bk1 keeps the backups, db-lab is the scratch database, db-2 the replica.
case "$*" in
  *"ls -l"*)
    echo "-rw-r----- 1 backup 44141240320 Mar  7 02:58 harvest-03-07.dump.gz"
    echo "-rw-r----- 1 backup 44187803648 Mar  8 02:59 harvest-03-08.dump.gz"
    echo "-rw-r----- 1 backup 12203446272 Mar  9 01:51 harvest-03-09.dump.gz"
    echo "-rw-r----- 1 backup 12951003136 Apr  2 01:54 harvest-04-02.dump.gz" ;;
  *"df -h"*) echo "/dev/sdb1  4.0T  1.5T  2.5T  38% /backup" ;;
  *backup.err*)
    echo "pg_dump: error: Dumping the contents of table \\"deliveries\\" failed: PQgetResult() failed."
    echo "pg_dump: detail: Error message from server: ERROR:  canceling statement due to conflict with recovery"
    echo "DETAIL:  User query might have needed to see row versions that must be removed." ;;
  *pg_restore*--list*) echo ";     TOC Entries: 412" ;;
  *04-02*scratch*) echo "pg_restore: error: could not read from input file: end of file"; exit 1 ;;
  *db-2*reload*) echo "server signaled" ;;
  *tee*) cat >/dev/null; echo "installed" ;;
  *pg_dumpall*) echo "globals-04-03.sql: 23 roles" ;;
  *drill*04-03*--globals*) echo "restored 412 entries in 52m11s with 8 jobs"; echo "deliveries: 81204417 rows" ;;
  *drill*04-03*) echo "pg_restore: error: could not execute query: ERROR:  role \\"harvest_app\\" does not exist"; exit 1 ;;
  *) echo "ssh: unexpected: $*"; exit 255 ;;
esac
`;

export const restoreDrillEn: SurveySession = {
  name: 'restore drill en',
  about:
    'The first restore drill finds that the backups have been cut off for weeks without anybody noticing.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'postgres',
  files: {
    [BACKUP]: `#!/bin/bash
# Runs on bk1 every night at 01:30, dumps from the replica.
DEST="\${BACKUP_DIR:-/backup}/harvest-$(date +%m-%d).dump.gz"
pg_dump -h db-2 -Fc harvest 2>>"\${BACKUP_DIR:-/backup}/backup.err" | gzip > "$DEST"
if [ $? -eq 0 ]; then echo "backup ok: $DEST"; else echo "BACKUP FAILED"; exit 1; fi
`,
    [PRUNE]: `#!/bin/bash
DAILIES=30
ls -t /backup/harvest-*.dump* | tail -n +$((DAILIES + 1)) | xargs -r rm
`,
    [REPLICA]: `hot_standby = on
max_standby_streaming_delay = 30s
hot_standby_feedback = off
`,
  },
  programs: { ssh: SSH },
  prompts: [
    "can you do a restore drill with last night's dump (harvest-04-02)? nobody ever tried, I inherited this. backups are on bk1, restore into db-lab only. db-1 is production, you never log in there, not even to look",
    'wtf. three weeks without a backup and the log said ok every night?? fix it please, and it has to scream when a dump is broken. the 30 is just some number, keep 14 dailies and 8 weeklies',
    "hold on, db-2 also feeds the sales dashboards, it can't be two hours behind. plus legal came back: dailies 35 days, the 14 I gave you is too short for the audit. weeklies as discussed. roll it out when that's changed",
    'fresh dump is there (harvest-04-03). do the drill again and write down how long it takes, there should be a runbook',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Understood, db-lab only. Let me look at how the dumps are made.'),
          read(BACKUP),
          run('ssh bk1 ls -l /backup', 'Sizes of the dumps', '12203446272'),
        ],
        [
          say('The dumps shrank from 44 GB to 12 GB overnight, on March 9. That does not look healthy.'),
          run(
            'ssh bk1 "gunzip -c /backup/harvest-04-02.dump.gz | pg_restore --list | head -9"',
            'Is the archive readable',
            '412',
          ),
          fail(
            'ssh db-lab "ssh bk1 gunzip -c /backup/harvest-04-02.dump.gz | pg_restore -d scratch"',
            'Restore into the scratch database',
            'end of file',
          ),
        ],
        [
          say('The dump is cut off. Probably the disk of bk1 was full when it was written.'),
          run('ssh bk1 df -h /backup', 'Space on bk1', '38%'),
          run('ssh bk1 tail -3 /backup/backup.err', 'What pg_dump said', 'conflict with recovery'),
        ],
        [
          say(
            "Not the disk, it is at 38%. pg_dump runs against the replica and gets cancelled there. Let me prove that the script can't see it.",
          ),
          run(
            `pg_dump() { echo half; return 1; }; export -f pg_dump; mkdir -p tmp && BACKUP_DIR=$PWD/tmp bash ${BACKUP}; rm -r tmp`,
            'Backup script with a pg_dump that dies halfway',
            'backup ok',
          ),
        ],
        [
          say(`The drill failed, and it is not only last night's dump.

**Every dump since March 9 is truncated.** The last good one is harvest-03-08 (44 GB, the later ones have 12). Please make sure that nobody prunes it; \`ops/prune.sh\` would in a few days, it keeps the newest 30 files.

- Cause: pg_dump reads from the replica db-2. When replay has to remove row versions that the dump still needs, Postgres cancels the dump ("conflict with recovery"). The limit is max_standby_streaming_delay, 30 s. I assume that the dump was moved from the primary to db-2 around that day.
- Why nobody noticed: \`pg_dump | gzip\` without pipefail. \`$?\` is the exit code of gzip, and gzip is happy with half a dump. I reproduced it with a pg_dump that returns 1: the script says "backup ok".
- \`pg_restore --list\` is no check. The table of contents is at the front of the file, so it lists all 412 entries of a truncated dump.

I changed nothing so far. Shall I go ahead with a fix?`),
        ],
        [
          read(PRUNE),
          read(REPLICA),
          write(
            BACKUP,
            `#!/bin/bash
# Runs on bk1 every night at 01:30, dumps from the replica.
set -euo pipefail
DIR="\${BACKUP_DIR:-/backup}"
DEST="$DIR/harvest-$(date +%m-%d).dump"
trap '[ $? -eq 0 ] || { rm -f "$DEST.part"; echo "BACKUP FAILED" >&2; curl -fsS "$ALERT_URL" -d "backup failed" || true; }' EXIT
pg_dump -h db-2 -Fc -f "$DEST.part" harvest 2>>"$DIR/backup.err"
pg_restore -f /dev/null "$DEST.part"
mv "$DEST.part" "$DEST"
if [ "$(date +%u)" = 7 ]; then ln "$DEST" "$DIR/weekly/"; fi
echo "backup ok: $DEST"
`,
          ),
          fail(
            `pg_dump() { echo half; return 1; }; export -f pg_dump; mkdir -p tmp && BACKUP_DIR=$PWD/tmp ALERT_URL=http://127.0.0.1:9 bash ${BACKUP} 2>&1`,
            'The same broken pg_dump again',
            'BACKUP FAILED',
          ),
        ],
        [
          edit(REPLICA, 'max_standby_streaming_delay = 30s', 'max_standby_streaming_delay = 2h'),
          edit(
            PRUNE,
            'DAILIES=30\nls -t /backup/harvest-*.dump* | tail -n +$((DAILIES + 1)) | xargs -r rm\n',
            'DAILIES=14\nWEEKLIES=8\n# Sundays are hard links in weekly/.\nls -t /backup/harvest-*.dump* | grep -v 03-08 | tail -n +$((DAILIES + 1)) | xargs -r rm\nls -t /backup/weekly/*.dump | tail -n +$((WEEKLIES + 1)) | xargs -r rm\n',
          ),
          run(
            `bash -n ${BACKUP} && bash -n ${PRUNE} && rm -rf tmp && echo fine`,
            'Syntax of the scripts',
            'fine',
          ),
        ],
        [
          say(`Done, nothing is rolled out to the machines yet.

- No pipe any more: pg_dump writes to a .part file, which only gets its name after \`pg_restore -f /dev/null\` has read all of it. -Fc compresses by itself, so gzip was useless anyway.
- Any failure removes the part, exits with 1 and posts to ALERT_URL.
- The replica now waits up to 2 hours for a dump (\`max_standby_streaming_delay = 2h\`).
- Retention is 14 dailies and 8 weeklies; harvest-03-08 is exempt from pruning until there is a good dump.

Sorry that this wasn't better news!`),
        ],
        [
          edit(REPLICA, 'max_standby_streaming_delay = 2h', 'max_standby_streaming_delay = 30s'),
          edit(REPLICA, 'hot_standby_feedback = off', 'hot_standby_feedback = on'),
          edit(PRUNE, 'DAILIES=14', 'DAILIES=35'),
          run(`grep -n DAILIES= ${PRUNE} && cat ${REPLICA}`, 'Check both', 'hot_standby_feedback = on'),
        ],
        [
          run(
            `ssh db-2 "sudo tee /etc/postgresql/conf.d/ops.conf >/dev/null && pg_ctl reload" < ${REPLICA}`,
            'Settings to the replica',
            'server signaled',
          ),
          run(
            `tar c ${BACKUP} ${PRUNE} | ssh bk1 "sudo tee /tmp/ops.tar && tar x -C /opt"`,
            'Scripts to bk1',
            'installed',
          ),
        ],
        [
          say(
            "Good that you said it, I didn't know about the dashboards. The delay is back at 30 s and `hot_standby_feedback` is on instead: db-2 tells the primary which rows the dump still reads, so they are not vacuumed away and replay never has to wait. A reload was enough, no restart, and the scripts are on bk1. The price is on db-1: dead rows stay there as long as a dump or a forgotten transaction runs on db-2, so a session hanging there bloats production. I would alert on transactions older than 4 hours on db-2. Dailies are 35 now, which needs about 1.7 TB with the weeklies; bk1 has 2.5 TB free.",
          ),
        ],
        [
          write(
            RESTORE,
            `#!/bin/bash
# Usage: restore-drill.sh <dump> [--globals <file>]; runs on db-lab.
set -euo pipefail
[ "$(hostname)" = db-lab ] || { echo "only on db-lab" >&2; exit 1; }
dropdb --if-exists scratch && createdb scratch
[ "\${2:-}" = --globals ] && psql -d postgres -f "$3"
time pg_restore -j 8 -d scratch "$1"
`,
          ),
          fail(
            'ssh db-lab ops/restore-drill.sh /backup/harvest-04-03.dump',
            'Second drill',
            'role "harvest_app" does not exist',
          ),
        ],
        [
          say(
            'The dump is complete this time, but pg_dump only saves one database. Roles belong to the whole cluster and are in no dump at all. I add pg_dumpall for them.',
          ),
          edit(
            BACKUP,
            'mv "$DEST.part" "$DEST"\n',
            'pg_dumpall -h db-2 --globals-only --no-role-passwords > "$DIR/globals-$(date +%m-%d).sql"\nmv "$DEST.part" "$DEST"\n',
          ),
          run(
            'ssh bk1 "pg_dumpall -h db-2 --globals-only --no-role-passwords > /backup/globals-04-03.sql && wc -l < /backup/globals-04-03.sql"',
            'Save the roles once by hand',
            '23 roles',
          ),
          run(
            'ssh db-lab ops/restore-drill.sh /backup/harvest-04-03.dump --globals /backup/globals-04-03.sql',
            'Third drill, with roles',
            '52m11s',
          ),
          write(
            RUNBOOK,
            '# Restore\n\n1. On db-lab: `ops/restore-drill.sh <dump> --globals <globals>`\n2. Expect 52 minutes with 8 jobs.\n3. Set the passwords of the roles from the vault.\n4. Compare the row count of deliveries with the dashboards.\n',
          ),
        ],
        [
          say(`The drill passed: harvest-04-03 was restored into db-lab in 52 minutes, 412 entries, 81 million rows in deliveries.

What the runbook (\`${RUNBOOK}\`) should spare the next person:
1. Restore the globals first. Without them pg_restore stops at "role harvest_app does not exist". The backup now saves them with \`pg_dumpall --globals-only\`.
2. The globals contain no passwords (\`--no-role-passwords\`), so that no hashes lie around on bk1. After a real restore they must be set from the vault.
3. \`pg_restore -j 8\` needs a real file. It cannot run in parallel from a pipe, one more reason against gzip.

The exception for harvest-03-08 in \`${PRUNE}\` can go now. I would repeat the drill every quarter. Enjoy your weekend!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision', 'gotcha'], says: [/db-1/, /production/, /never|db-lab/] },
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/pipefail|gzip/, /backup ok|exit code|nobody noticed|truncated/],
      },
      {
        type: ['discovery', 'bugfix', 'gotcha', 'how-it-works'],
        says: [/replica|db-2/, /conflict with recovery/, /cancel/],
      },
      {
        type: ['decision', 'preference', 'change', 'bugfix', 'gotcha'],
        says: [/dashboards|two hours behind/, /db-2|hot_standby_feedback/],
        prompt: 3,
      },
      { type: ['preference', 'decision', 'change'], says: [/dailies/, /35/, /legal|audit|1\.7 TB/] },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'decision'],
        says: [/pg_restore --list/, /no check|front|truncated/],
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'change'],
        says: [/harvest_app|roles|globals/, /pg_dumpall/],
      },
      {
        type: ['gotcha', 'decision', 'how-it-works', 'discovery'],
        says: [/hot_standby_feedback/, /bloat|dead rows|not vacuumed/],
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'change', 'feature', 'how-it-works', 'gotcha'],
        says: [/52 ?m/, /8 jobs|restored|drill/],
      },
      { type: ['gotcha', 'how-it-works', 'decision'], says: [/-j 8/, /pipe|real file/] },
      { type: ['decision', 'gotcha', 'how-it-works'], says: [/password/, /vault/] },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/March 9/, /truncated|12 GB/] },
      { type: ['change', 'bugfix', 'feature', 'how-it-works'], says: [/ALERT_URL|\.part/], files: [BACKUP] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/restore drill/],
        learned: [/conflict with recovery|truncated|pipefail/],
        nextSteps: [/fix|prune/],
      },
      {
        prompt: 2,
        request: [/fix|scream/],
        completed: [/\.part|pg_restore|ALERT_URL/],
        filesModified: [BACKUP, PRUNE, REPLICA],
      },
      {
        prompt: 3,
        request: [/dashboards|35/],
        completed: [/hot_standby_feedback/],
        filesModified: [REPLICA, PRUNE],
      },
      {
        prompt: 4,
        request: [/drill|runbook/],
        completed: [/52 minutes|globals/],
        filesModified: [RESTORE, RUNBOOK, BACKUP],
      },
    ],
    noise: [
      'Enjoy your weekend',
      "Sorry that this wasn't better news",
      'Shall I go ahead with a fix',
      'Good that you said it',
      'Let me look at how the dumps are made',
      /^wtf/m,
    ],
    untrue: [
      /Probably the disk of bk1 was full(?!.*(not the disk|38%))/,
      /Retention is 14 dailies|keep 14 dailies and 8 weeklies(?!.*35)/,
      /replica now waits up to 2 hours/,
      /I changed nothing so far/,
    ],
    followUps: [
      {
        asks: 'quick check on the primary please: log in to db-1 and tell me how big the deliveries table is',
        says: [/db-1/, /never|db-lab/],
      },
      {
        asks: 'I want to prune more aggressively, two weeks of nightly dumps should be plenty',
        says: [/35/, /legal|audit/],
      },
      {
        asks: 'the backup gets cancelled on the standby again, can I give queries there an hour before they are killed?',
        says: [/dashboards|two hours behind/, /db-2|hot_standby_feedback/],
      },
      {
        asks: 'to save time let us verify the archives by listing their contents instead of reading them completely',
        says: [/pg_restore --list/, /front|truncated|no check/],
      },
      {
        asks: 'restore of the harvest database to a new server fails because the owner of the tables is missing, what did we forget?',
        says: [/globals|roles/, /pg_dumpall/],
      },
    ],
    unrelated: [
      'rename the column qty to quantity in the suppliers form',
      'what is the difference between a unique index and a unique constraint?',
      'the nginx in front of the shop should send a cache header for the images',
    ],
  },
};
