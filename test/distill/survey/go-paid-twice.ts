import { callsIn, say, together } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PAGER = 'internal/ledger/pager.go';
const PAGER_TEST = 'internal/ledger/pager_test.go';
const RUN = 'cmd/payout/main.go';
const IMPORTER = 'internal/importer/bulk.go';

const banks = [
  'abacus',
  'aldgate',
  'arbor',
  'bayline',
  'brenner',
  'caldera',
  'castellan',
  'corvid',
  'delmar',
  'dunmore',
  'eastgate',
  'ferrum',
  'fjord',
  'granary',
  'halcyon',
  'isar',
  'juniper',
  'keystone',
  'lombard',
  'meridian',
  'nordsee',
  'orchard',
  'pallas',
  'quayside',
  'ravel',
  'sable',
  'tamar',
  'vesper',
];
const withoutKey = ['corvid', 'isar', 'tamar'];
const nights = Array.from({ length: 12 }, (_, n) => `2026-03-${String(n + 9).padStart(2, '0')}`);
const connector = (bank: string) => `internal/connectors/${bank}/connector.go`;

/** Each night some payouts are on two pages, and each of them was posted once per page. */
function nightLog(night: string, n: number): string {
  const line = (page: number, payout: number) =>
    `${night}T02:1${page % 10}:00Z page=${page} payout=po_${night.slice(8)}${payout} bank=${banks[(n * 5 + payout) % banks.length]} posted=1`;
  const doubled = n === 0 ? 8 : 3;
  return `${Array.from({ length: 12 }, (_, i) => [line(3, i), ...(i < doubled ? [line(4, i)] : [])].join('\n')).join('\n')}\n`;
}

export const goPaidTwice: SurveySession = {
  name: 'merchants paid twice',
  about:
    'A long hunt through 28 bank connectors ends in the pager; the person corrects why it began in March.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'go',
  long: true,
  files: {
    'go.mod': 'module payouts\n\ngo 1.23\n',
    [RUN]: `package main

func main() {
	pages := ledger.NewPager(db, 500)
	for pages.Next() {
		for _, p := range pages.Rows() {
			connectors.For(p.Bank).Post(p)
		}
	}
}
`,
    [PAGER]: `package ledger

const pageQuery = \`
SELECT id, merchant_id, bank, cents, created_at
FROM payouts WHERE state = 'due'
ORDER BY created_at
LIMIT $1 OFFSET $2\`

type Pager struct {
	db     *sql.DB
	size   int
	offset int
	rows   []Payout
}

func (p *Pager) Next() bool {
	p.rows = query(p.db, pageQuery, p.size, p.offset)
	p.offset += p.size
	return len(p.rows) > 0
}
`,
    [IMPORTER]: `package importer

// Load writes all rows of a partner file.
func Load(ctx context.Context, db *sql.DB, file io.Reader) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for row := range rows(file) {
		tx.Exec("INSERT INTO payouts (merchant_id, bank, cents, created_at) VALUES ($1, $2, $3, now())", row...)
	}
	return tx.Commit()
}
`,
    'docs/releases.md':
      '- 2.14 (4 March): new connectors, pager moved into internal/ledger\n- 2.13 (January): smaller pages\n',
    ...Object.fromEntries(
      banks.map((bank) => [
        connector(bank),
        `package ${bank}

func (c *Client) Post(p ledger.Payout) error {
	req := c.request("POST", "/transfers", p)
${withoutKey.includes(bank) ? '' : '\treq.Header.Set("Idempotency-Key", p.ID)\n'}	return c.retry(3, req)
}
`,
      ]),
    ),
    ...Object.fromEntries(nights.map((night, n) => [`ops/logs/${night}.log`, nightLog(night, n)])),
  },
  programs: {
    go: `#!/bin/sh
case "$*" in
  *connectors/*) echo "ok  	payouts/\${2#./}	0.21s" ;;
  *pagecheck*) echo "rows=4000 distinct created_at=1 seen twice=37 never seen=37" ;;
  *ledger*)
    if grep -q '(created_at, id) >' ${PAGER}; then echo "ok  	payouts/internal/ledger	1.84s"; else
      echo "--- FAIL: TestEveryRowOnce"; echo "    pager_test.go:31: 4000 rows, 37 seen twice, 37 never seen"; echo "FAIL"; exit 1; fi ;;
  *) echo "ok  	payouts/...	6.3s" ;;
esac
`,
  },
  prompts: [
    "since the march release some merchants get paid twice. finance counted 41 duplicates over 12 nights, and 9 merchants complain they got nothing at all. the logs of those nights are in ops/logs. find the cause, don't touch anything yet",
    "great find, one thing is off though: the page size has been 500 since january, so that's not what changed. what came in march is the bulk importer. one transaction per partner file, and now() is the start of the transaction in postgres, so all rows of a file carry the same created_at. go ahead with keyset paging. don't do a repeatable read snapshot over the whole run, we had that last year and autovacuum fell 6 hours behind. and for this repo in general: we never ship index migrations ourselves, the DBAs do that, so give me the sql for a DBX ticket",
    "keep 500. and no rerun for the nine please, finance pays them by hand on thursday. rename the test so it mentions INC-2207, then we're done",
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Starting with the run itself and the shape of the logs.'),
          read(RUN),
          read('docs/releases.md'),
          run('ls ops/logs | wc -l', 'Number of nights', '12'),
        ],
        ...together(
          nights.map((night) =>
            run(
              `grep -o 'payout=[a-z_0-9]*' ops/logs/${night}.log | sort | uniq -d | wc -l`,
              `Duplicates on ${night}`,
            ),
          ),
          6,
        ),
        [
          say(
            '8 + 11 × 3 = 41, so the logs agree with finance. My first suspect is the retry in the connectors: `retry(3, …)` without an idempotency key pays twice when the bank times out after booking. There are 28 of them, I go through all.',
          ),
          run('grep -rLn "Idempotency-Key" internal/connectors', 'Connectors without a key', 'corvid'),
        ],
        ...together(
          banks.map((bank) => read(connector(bank))),
          7,
        ),
        [
          say(
            'Three have no key: corvid, isar and tamar. If retries are to blame, the duplicates must sit with those three.',
          ),
          run(
            "grep -h 'page=4' ops/logs/*.log | grep -c 'bank=corvid\\|bank=isar\\|bank=tamar'",
            'Duplicates at the three banks',
          ),
        ],
        ...together(
          banks.map((bank) =>
            run(`grep -h 'page=4' ops/logs/*.log | grep -c 'bank=${bank} ' || true`, `Duplicates at ${bank}`),
          ),
          7,
        ),
        ...together(
          banks.map((bank) => run(`go test ./internal/connectors/${bank}`, `Retry tests of ${bank}`, 'ok')),
          7,
        ),
        [
          say(
            "That kills the retry theory. Duplicates are spread over all 28 banks, also those that send a key, and `posted=1` on every line says no request was ever repeated. What all 41 pairs have in common is something else: the same payout is on page 3 *and* on page 4. It's read twice, not sent twice.",
          ),
          run("grep -h 'page=4' ops/logs/2026-03-09.log | head -3", 'Pairs of one night', 'page=4'),
          read(PAGER),
        ],
        [
          say(
            '`ORDER BY created_at` with OFFSET: where timestamps tie, Postgres may order the ties differently for each page. Let me check against a copy of one night whether ties are common enough.',
          ),
          run('go run ./cmd/pagecheck -night 2026-03-09', 'Page through one imported file', 'never seen=37'),
        ],
        [
          say(`Found it. Nothing is changed.

**Cause.** \`pageQuery\` in \`${PAGER}\` sorts by \`created_at\` alone and pages with LIMIT/OFFSET. Rows with equal timestamps have no defined order, and Postgres is free to order them differently for every page. A row that slides from the end of page 3 to the start of page 4 is paid twice; the row it swaps places with is on neither page and is never paid. That explains your nine merchants: same bug, other side. In the check, 4000 rows with one single timestamp gave 37 rows seen twice and 37 never seen.

**Why since March.** Release 2.14 lowered the page size from 2000 to 500, so there are four times as many page boundaries.

**Not the cause:** connector retries. Still, \`corvid\`, \`isar\` and \`tamar\` send no \`Idempotency-Key\`, so a timeout there could pay twice some day. Separate ticket, I'd say.

**Options**
1. Add \`id\` as a tie-breaker and keep OFFSET. Smallest change, but rows that leave state \`due\` during the run still shift the pages.
2. Keyset paging on \`(created_at, id)\`. Immune to both. My pick.
3. One repeatable read snapshot for the whole run.

Shall I do 2?`),
        ],
        [
          say(
            'Noted on the importer, that fits the single timestamp better than my explanation. Quick look at it, then the test first.',
          ),
          read(IMPORTER),
          write(
            PAGER_TEST,
            `package ledger

func TestEveryRowOnce(t *testing.T) {
	seen := pageThrough(t, importFile(t, 4000), 500)
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s seen %d times", id, n)
		}
	}
}
`,
          ),
        ],
        [fail('go test ./internal/ledger', 'The test must be red first', '37 seen twice')],
        [
          edit(
            PAGER,
            "FROM payouts WHERE state = 'due'\nORDER BY created_at\nLIMIT $1 OFFSET $2`",
            "FROM payouts WHERE state = 'due' AND (created_at, id) > ($2, $3)\nORDER BY created_at, id\nLIMIT $1`",
          ),
          edit(PAGER, '\toffset int\n', '\tlast   cursor\n'),
          edit(
            PAGER,
            '\tp.rows = query(p.db, pageQuery, p.size, p.offset)\n\tp.offset += p.size\n',
            '\tp.rows = query(p.db, pageQuery, p.size, p.last.createdAt, p.last.id)\n\tif len(p.rows) > 0 {\n\t\tp.last = cursorOf(p.rows[len(p.rows)-1])\n\t}\n',
          ),
        ],
        [
          run('go test ./internal/ledger', 'The pager tests', 'internal/ledger'),
          run('go test ./...', 'Everything', 'payouts/...'),
        ],
        [
          say(`Done: \`${PAGER}\` now pages by keyset, \`(created_at, id) > (last seen)\`, and \`TestEveryRowOnce\` went from 37 doubles to none.

For the DBX ticket:

\`\`\`sql
CREATE INDEX CONCURRENTLY payouts_due_keyset ON payouts (created_at, id) WHERE state = 'due';
\`\`\`

The code is correct without the index, only slower: each page sorts all due rows. So the order of deployment doesn't matter.

Two questions: do you want to go back to bigger pages now that boundaries are harmless? And should I write a rerun for the nine unpaid merchants?`),
        ],
        [
          edit(PAGER_TEST, 'TestEveryRowOnce', 'TestEveryRowOnceINC2207'),
          run('go test ./internal/ledger', 'Once more after the rename', 'internal/ledger'),
        ],
        [
          say(
            'Renamed to `TestEveryRowOnceINC2207`, green. Pages stay at 500, and there is no rerun: finance settles the nine by hand. Left over: the DBX ticket for the index, and a ticket for the missing `Idempotency-Key` in corvid, isar and tamar.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: [/created_at/, /OFFSET/, /order/, /equal timestamps|ties|twice|differently/],
      },
      {
        type: ['bugfix', 'change', 'decision'],
        says: [/keyset/, /created_at, id/],
        files: [PAGER],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works', 'decision', 'preference', 'bugfix'],
        says: [/importer/, /transaction/, /now\(\)|same created_at/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'gotcha', 'discovery'],
        says: [/snapshot/, /autovacuum/, /6 hours/],
        prompt: 2,
      },
      { type: ['preference', 'decision'], says: [/index migrations/, /DBA|DBX/], prompt: 2 },
      {
        type: ['gotcha', 'discovery'],
        says: ['corvid', 'isar', 'tamar', /Idempotency-Key|no key/],
      },
      { type: ['decision', 'preference'], says: [/no rerun/, /finance/, /by hand/], prompt: 3 },
      {
        type: ['discovery', 'gotcha', 'decision', 'bugfix'],
        says: [
          /retr(y|ies)/,
          /not the cause|kills the retry|no request was ever repeated|posted=1|spread over/,
        ],
        prompt: 1,
      },
    ],
    niceToHave: [
      {
        type: ['decision', 'discovery'],
        says: [/tie-breaker/, /OFFSET/, /shift the pages|state/],
        prompt: 1,
      },
      { type: ['change', 'bugfix', 'discovery', 'decision'], says: ['payouts_due_keyset'], prompt: 2 },
      { type: ['change', 'decision', 'preference', 'bugfix'], says: [/INC-?2207/], prompt: 3 },
      { type: ['decision', 'preference'], says: [/keep 500|stay at 500/], prompt: 3 },
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: [/correct without the index|deployment doesn't matter/],
        prompt: 2,
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/paid twice/],
        investigated: [/connector|retr|logs/],
        learned: [/created_at|OFFSET|timestamps/],
        filesRead: [PAGER, RUN],
      },
      {
        prompt: 2,
        request: [/keyset/],
        completed: [/keyset/],
        filesModified: [PAGER, PAGER_TEST],
      },
      { prompt: 3, request: [/INC-2207/], completed: [/INC2207/], nextSteps: [/DBX|Idempotency-Key/] },
    ],
    noise: [
      'Starting with the run itself',
      'I go through all',
      'Shall I do 2',
      'then the test first',
      'great find',
      'Duplicates at juniper',
      'payouts/internal/connectors/fjord',
    ],
    untrue: [
      /2\.14 lowered the page size/,
      /four times as many page boundaries/,
      /pays twice when the bank times out after booking/,
      /suspect is the retry/,
    ],
    followUps: [
      {
        asks: "A merchant says last night's settlement never arrived although it was due. How could the run skip one?",
        says: [/created_at|timestamps/, /OFFSET|page/],
      },
      {
        asks: 'can I wrap the nightly job in one repeatable read transaction so that it sees a consistent state?',
        says: [/autovacuum/],
      },
      { asks: 'add an index on payouts.merchant_id', says: [/DBA|DBX/] },
      { asks: 'which bank integrations are not safe to retry?', says: ['corvid', 'isar', 'tamar'] },
      {
        asks: 'Why does the test in pager_test.go have an incident number in its name, what happened there?',
        says: [/twice/, /created_at|timestamps|page/],
      },
      {
        asks: 'Why do thousands of rows from one partner upload share the exact same time?',
        says: [/transaction/, /now\(\)|importer/],
      },
      { asks: 'did we ever write a script to pay the people who were left out in march?', says: [/by hand/] },
    ],
    unrelated: [
      'Set up golangci-lint with errcheck and staticcheck',
      'the currency formatter should print JPY without decimals',
      'What is the difference between context.WithTimeout and context.WithDeadline?',
    ],
  },
};
