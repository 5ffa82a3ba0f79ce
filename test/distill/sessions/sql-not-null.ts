import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const FIRST = 'migrations/0042_bookings_tenant.sql';
const BACKFILL = 'migrations/0043_bookings_tenant_backfill.sql';
const INDEX = 'migrations/0044_bookings_tenant_index.sql';

export const sqlNotNull: DistillSession = {
  name: 'sql not null',
  about:
    'A migration of a big table: options in a table, a choice of the person, and a revert with its reason.',
  files: {
    'migrations/0041_rooms.sql': 'CREATE TABLE rooms (id bigserial PRIMARY KEY);\n',
    'schema.sql': 'CREATE TABLE bookings (\n  id bigserial PRIMARY KEY,\n  room_id bigint NOT NULL\n);\n',
    'README.md': '# bookings\n\n`./migrate up` runs what is new in migrations/.\n',
  },
  prompts: [
    'we need a tenant_id on bookings, not null. the table has 90 million rows and we cannot have downtime. what are the options?',
    'B please. write the migrations',
    'the index migration locked bookings for 40 seconds on staging, revert that one commit',
  ],
  script: (dir) => {
    const { run, read, write } = callsIn(dir);
    return {
      main: [
        [
          read('schema.sql'),
          run('psql -Atc "select version()"', 'Which version', 'PostgreSQL 14.11 on x86_64-pc-linux-gnu'),
          run('grep -rn "CONCURRENTLY" migrations', 'Earlier concurrent indexes', ''),
        ],
        [
          say(`There are three ways on PostgreSQL 14:

| Option | Lock | Effort | Risk |
|---|---|---|---|
| A. \`ADD COLUMN ... NOT NULL DEFAULT 1\` | short | one migration | every old booking silently belongs to tenant 1 |
| B. nullable column, backfill in batches, then \`CHECK (tenant_id IS NOT NULL) NOT VALID\` + \`VALIDATE\` | short | three migrations | writers must set the column before the last step |
| C. new table and swap | none | high | triggers needed while copying |

I'd recommend **B**: \`SET NOT NULL\` alone would scan all 90 million rows under an ACCESS EXCLUSIVE lock, while \`VALIDATE CONSTRAINT\` scans under a lock that lets reads and writes through. Which one should I go for?`),
        ],
        [
          write(FIRST, 'ALTER TABLE bookings ADD COLUMN tenant_id bigint;\n'),
          write(
            BACKFILL,
            'CALL backfill_tenants(batch => 10000);\nALTER TABLE bookings ADD CONSTRAINT bookings_tenant_not_null CHECK (tenant_id IS NOT NULL) NOT VALID;\nALTER TABLE bookings VALIDATE CONSTRAINT bookings_tenant_not_null;\n',
          ),
          write(INDEX, 'CREATE INDEX bookings_tenant_id ON bookings (tenant_id);\n'),
        ],
        [
          run(
            './migrate up --database scratch',
            'Try them on the scratch database',
            '0042 ok\n0043 ok (120000 rows)\n0044 ok',
          ),
        ],
        [
          run(
            `git add migrations && git commit -qm "Add tenant_id to bookings" -- ${FIRST} ${BACKFILL}`,
            'Commit',
            '',
          ),
          run(`git commit -qm "Index bookings by tenant" -- ${INDEX}`, 'Commit the index', ''),
        ],
        [
          say(`Three migrations are in place:

- \`0042_bookings_tenant.sql\` adds the nullable column
- \`0043_bookings_tenant_backfill.sql\` fills it in batches of 10,000 and adds the validated check \`bookings_tenant_not_null\`
- \`0044_bookings_tenant_index.sql\` creates the index on \`tenant_id\`

They ran cleanly against the scratch database. **Before 0043 goes to production, the booking service must write \`tenant_id\`**, otherwise the validation fails on new rows.`),
        ],
        [
          say("Oh no, that's on me. Reverting it right away."),
          run(
            'git log --oneline -3',
            'Find the commit',
            'f00dcaf Index bookings by tenant\n77e1a0b Add tenant_id to bookings\n1c0ffee start',
          ),
          run(
            'git revert --no-edit f00dcaf',
            'Revert the index migration',
            `[main 9be2d11] Revert "Index bookings by tenant"\n 1 file changed, 1 deletion(-)\n delete mode 100644 ${INDEX}`,
          ),
        ],
        [
          say(
            'Reverted in `9be2d11`. The reason for the lock: a plain `CREATE INDEX` blocks all writes until it is built. It has to be `CREATE INDEX CONCURRENTLY`, which cannot run inside a transaction, and `./migrate` wraps every file in one. So the runner needs a way to opt out first.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'decision',
        says: [/backfill/, /nullable|NOT VALID|VALIDATE/],
      },
      {
        type: ['feature', 'change'],
        says: ['tenant_id', /0042|0043|migrations/],
        files: [FIRST, BACKFILL],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'decision'],
        says: [/CREATE INDEX CONCURRENTLY/, /transaction/, /migrate/],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'how-it-works', 'gotcha'], says: [/ACCESS EXCLUSIVE|SET NOT NULL/], prompt: 1 },
      { type: ['gotcha', 'discovery'], says: [/booking service must write|before 0043/], prompt: 2 },
      { type: 'change', says: [/revert/, /index/], prompt: 3 },
    ],
    summaries: [
      { prompt: 1, request: ['tenant_id'], learned: [/VALIDATE|ACCESS EXCLUSIVE/] },
      {
        prompt: 2,
        request: ['migrations'],
        completed: [/0042|nullable/],
        filesModified: [FIRST, BACKFILL, INDEX],
      },
      {
        prompt: 3,
        request: [/locked bookings/],
        learned: [/CONCURRENTLY|blocks all writes/],
        completed: [/revert/],
      },
    ],
    noise: [/\|---/, 'Oh no', 'Which one should I go for', 'right away', 'x86_64'],
  },
};
