import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const HANDLER = 'internal/httpapi/bookings.go';
const HANDLER_TEST = 'internal/httpapi/bookings_test.go';
const PROBLEM = 'internal/httpapi/problem.go';
const STORE = 'internal/store/bookings.go';
const KEYS = 'internal/store/idempotency.go';
const REDIS = 'internal/cache/redis.go';
const MIDDLEWARE = 'internal/httpapi/idempotency.go';
const MIGRATION = 'migrations/0042_idempotency_keys.sql';
const JANITOR = 'cmd/janitor/main.go';
const DOCS = 'docs/partners.md';

const GO = `#!/bin/sh
# Stands in for go: vet, and the tests of the booking packages.
case "$*" in
  vet*) exit 0 ;;
  test*)
    if [ ! -f ${MIDDLEWARE} ] && [ ! -f ${KEYS} ]; then echo "ok  ferry/internal/httpapi 0.31s"; exit 0; fi
    if [ -f ${KEYS} ] && grep -q LevelRepeatableRead ${STORE}; then
      echo "--- FAIL: TestTwoAtOnce (0.21s)"
      echo "    bookings_test.go:31: second request: status 500, want 201"
      echo "    ERROR: could not serialize access due to concurrent update (SQLSTATE 40001)"
      echo "FAIL ferry/internal/httpapi 0.64s"
      exit 1
    fi
    echo "ok  ferry/internal/httpapi 0.58s"
    echo "ok  ferry/internal/store 1.12s"
    if [ -f ${MIGRATION} ]; then echo "ok  ferry/cmd/janitor 0.20s"; fi
    exit 0 ;;
esac
exit 2
`;

export const ferryIdempotencyEn: SurveySession = {
  name: 'ferry idempotency en',
  about:
    'Retried bookings put two cars on deck; the keys are first kept in Redis, then in Postgres in the same transaction.',
  kind: 'feature',
  language: 'en',
  ecosystem: 'go',
  files: {
    'go.mod': 'module ferry\n\ngo 1.23\n\nrequire github.com/jackc/pgx/v5 v5.7.1\n',
    [HANDLER]: `package httpapi

import "net/http"

// createBooking serves POST /v2/bookings.
func (a *API) createBooking(w http.ResponseWriter, r *http.Request) {
	in, err := decodeBooking(r)
	if err != nil {
		http.Error(w, "could not read booking: "+err.Error(), http.StatusBadRequest)
		return
	}
	booking, err := a.store.Book(r.Context(), in)
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	writeJSON(w, http.StatusCreated, booking)
}
`,
    [HANDLER_TEST]: `package httpapi

import "testing"

func TestCreateBooking(t *testing.T) {
	res := post(t, "/v2/bookings", booking("KIEL-OSLO", "car"), nil)
	want(t, res.StatusCode, 201)
}
`,
    [PROBLEM]: `package httpapi

// problem writes an application/problem+json body (RFC 9457).
func problem(w http.ResponseWriter, status int, code, title string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	encode(w, map[string]any{"status": status, "code": code, "title": title})
}
`,
    [STORE]: `package store

import "database/sql"

// Book takes a place on deck. The row of the sailing is locked, so capacity cannot be oversold.
func (s *Store) Book(ctx context.Context, in NewBooking) (Booking, error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return Booking{}, err
	}
	defer tx.Rollback()
	sailing, err := lockSailing(ctx, tx, in.SailingID) // SELECT ... FOR UPDATE
	if err != nil {
		return Booking{}, err
	}
	b, err := insertBooking(ctx, tx, sailing, in)
	if err != nil {
		return Booking{}, err
	}
	return b, tx.Commit()
}
`,
    [REDIS]: `package cache

// Redis holds timetables and prices. maxmemory 512mb, allkeys-lru.
type Redis struct{ client *redis.Client }

func (r *Redis) SetNX(ctx context.Context, key string, value []byte, ttl time.Duration) (bool, error) {
	return r.client.SetNX(ctx, key, value, ttl).Result()
}
`,
    [JANITOR]: `package main

// Runs every night at 02:15.
func main() {
	ctx := context.Background()
	db := mustOpen()
	deleteExpiredHolds(ctx, db)
	deleteOldSessions(ctx, db)
}
`,
    [DOCS]: `# For partners

## Bookings

\`POST /v2/bookings\` answers 201 with the booking.
`,
  },
  programs: { go: GO },
  prompts: [
    'partners retry POST /v2/bookings when our answer is slow, and then we have two bookings and two car slots on deck. add support for an Idempotency-Key header pls, keep keys 24h. no header = behave as today',
    "hm. I'd rather have it in postgres, in the same tx as the booking. redis here is only a cache, allkeys-lru, anything in there can vanish, and if redis is down we'd stop selling tickets. pls redo. also, and thats for every endpoint not just this one: errors to partners are always problem+json with a stable `code`, they switch on the code. never free text",
    'better, thx. who deletes the keys? theres the nightly janitor. and 24h isnt enough after all, Nordlinks batch dies on friday evening and gets rerun monday morning, make it 96h. then commit',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say("I'll read the handler, the store and what we have for caching."),
          read(HANDLER),
          read(STORE),
          read(REDIS),
          read(HANDLER_TEST),
        ],
        [
          say(
            'A middleware fits best: the handler stays as it is. I hash the request body as well, because a partner who reuses a key for a different booking must not get the old answer.',
          ),
          write(
            MIDDLEWARE,
            `package httpapi

const keyTTL = 24 * time.Hour

// idempotent replays the stored answer for a key that was seen before.
func (a *API) idempotent(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Idempotency-Key")
		if key == "" {
			next(w, r)
			return
		}
		fresh, err := a.redis.SetNX(r.Context(), "idem:"+partner(r)+":"+key, pending, keyTTL)
		if err != nil {
			http.Error(w, "try again later", http.StatusServiceUnavailable)
			return
		}
		if !fresh {
			a.replay(w, r, key)
			return
		}
		a.record(w, r, key, next)
	}
}
`,
          ),
          edit(
            HANDLER_TEST,
            'func TestCreateBooking(',
            `func TestSameKeyTwice(t *testing.T) {
	first := post(t, "/v2/bookings", booking("KIEL-OSLO", "car"), key("a"))
	again := post(t, "/v2/bookings", booking("KIEL-OSLO", "car"), key("a"))
	want(t, again.Body, first.Body)
}

func TestCreateBooking(`,
          ),
        ],
        [run('go vet ./... && go test ./...', 'Vet and test', 'ok  ferry/internal/httpapi')],
        [
          say(`The header works. A quick tour:

### How it behaves
- Keys live in Redis under \`idem:<partner>:<key>\` for 24 hours.
- While the first request is still running, a second one with the same key gets **409** with \`Retry-After: 1\`.
- The same key with a different body gets **422**, so nobody is handed somebody else's booking.
- Only 2xx answers are stored. After a failure the key is free again, otherwise a partner could never retry a booking that failed.

### What I noticed
\`createBooking\` writes its errors as plain text although \`problem.go\` exists.

Shall I also add a Grafana panel for replayed requests?`),
        ],
        [
          say('Fair point. Taking the middleware out again before I start on the table.'),
          run(
            `rm ${MIDDLEWARE} && git checkout -q ${HANDLER_TEST} && git status --short | wc -l`,
            'Remove the Redis version',
            '0',
          ),
          run(
            'ls migrations 2>/dev/null; grep -rn "http.Error" internal | wc -l',
            'Migrations, plain errors',
            '2',
          ),
        ],
        [
          write(
            MIGRATION,
            `CREATE TABLE idempotency_keys (
    partner_id   bigint      NOT NULL,
    key          text        NOT NULL CHECK (length(key) <= 64),
    request_hash bytea       NOT NULL,
    booking_id   bigint      NOT NULL REFERENCES bookings (id),
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (partner_id, key)
);
`,
          ),
          write(
            KEYS,
            `package store

// claim inserts the key, or finds the booking that holds it. It waits for a transaction that holds the key.
func claim(ctx context.Context, tx *sql.Tx, k Key) (existing int64, err error) {
	res, err := tx.ExecContext(ctx, insertKey, k.Partner, k.Value, k.Hash) // ON CONFLICT DO NOTHING
	if err != nil {
		return 0, err
	}
	if n, _ := res.RowsAffected(); n == 1 {
		return 0, nil
	}
	return findBooking(ctx, tx, k)
}
`,
          ),
          read(PROBLEM),
        ],
        [
          say(
            'I store the id of the booking instead of the response body: the answer is rendered again from the booking, so a cancelled booking is not replayed as a confirmed one.',
          ),
          edit(
            STORE,
            '	sailing, err := lockSailing(',
            `	if in.Key != nil {
		if id, err := claim(ctx, tx, *in.Key); err != nil || id != 0 {
			return s.byID(ctx, id), err
		}
	}
	sailing, err := lockSailing(`,
          ),
          edit(
            HANDLER,
            '		http.Error(w, "could not read booking: "+err.Error(), http.StatusBadRequest)',
            '		problem(w, http.StatusBadRequest, "booking_unreadable", "The booking could not be read")',
          ),
          edit(
            HANDLER,
            '		http.Error(w, err.Error(), http.StatusConflict)',
            '		problem(w, statusOf(err), codeOf(err), titleOf(err))',
          ),
        ],
        [
          edit(
            HANDLER_TEST,
            'func TestCreateBooking(',
            `func TestTwoAtOnce(t *testing.T) {
	a, b := atOnce(t, "/v2/bookings", booking("KIEL-OSLO", "car"), key("a"))
	want(t, a.StatusCode, 201)
	want(t, b.StatusCode, 201)
	want(t, a.Body, b.Body)
}

func TestCreateBooking(`,
          ),
        ],
        [fail('go test ./...', 'Test', 'SQLSTATE 40001')],
        [
          say(
            'Interesting: the booking transaction runs at REPEATABLE READ. There, ON CONFLICT DO NOTHING cannot see the row that the other transaction has just committed and Postgres aborts with 40001. At READ COMMITTED it waits, and then finds the row. Overselling is not a concern, `lockSailing` takes the sailing with SELECT FOR UPDATE anyway.',
          ),
          edit(STORE, 'sql.LevelRepeatableRead', 'sql.LevelReadCommitted'),
        ],
        [
          run('go vet ./... && go test ./...', 'Vet and test', 'ok  ferry/internal/store'),
          run('grep -rn "http.Error" internal | wc -l', 'Plain text errors left', '0'),
        ],
        [
          say(`Redone on Postgres; Redis is out of the picture and all tests are green.

**How it works now**

1. \`Book\` inserts into \`idempotency_keys\` (primary key: partner and key) in the same transaction as the booking. If the booking is rolled back, the key goes with it, so a failed request can simply be retried.
2. Two requests with the same key at the same time: the second waits on the primary key until the first commits and then gets the **same 201**. The 409 with \`Retry-After\` from my first version no longer exists.
3. Same key, other body: 422 with code \`idempotency_key_reused\`.
4. A key may be 64 characters at most, the table checks it.

**Isolation level.** \`Book\` moved from REPEATABLE READ to READ COMMITTED. Please don't move it back: at REPEATABLE READ the waiting request would fail with SQLSTATE 40001. Capacity is protected by the row lock on the sailing, not by the isolation level.

**Errors.** Both \`http.Error\` calls in the booking handler are \`problem(...)\` now, with the codes \`booking_unreadable\`, \`sailing_full\` and \`idempotency_key_reused\`.

Hope that's closer to what you had in mind! If you want, I can write a load test next.`),
        ],
        [say('On to the clean-up.'), read(JANITOR), read(DOCS)],
        [
          edit(
            JANITOR,
            '	deleteOldSessions(ctx, db)\n',
            `	deleteOldSessions(ctx, db)
	deleteIdempotencyKeys(ctx, db, 96*time.Hour, 5000)
`,
          ),
          edit(
            MIGRATION,
            '    PRIMARY KEY (partner_id, key)\n);\n',
            '    PRIMARY KEY (partner_id, key)\n);\nCREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);\n',
          ),
          edit(
            DOCS,
            '`POST /v2/bookings` answers 201 with the booking.\n',
            `\`POST /v2/bookings\` answers 201 with the booking.

Send an \`Idempotency-Key\` (at most 64 characters) to retry safely. We remember it for 96 hours.
Errors are \`application/problem+json\`; rely on \`code\`, the title may change.
`,
          ),
        ],
        [run('go test ./...', 'Test', 'ok  ferry/cmd/janitor')],
        [
          run(
            'git add -A && git commit -qm "Bookings: Idempotency-Key, kept with the booking" && git show --stat HEAD | tail -8',
            'Commit',
            'idempotency_keys.sql',
          ),
        ],
        [
          say(`Committed.

- The nightly janitor (02:15) deletes idempotency keys older than **96 hours**, in batches of 5000 so that it never holds locks for long. Since it runs once a day, a key can live up to 24 hours longer than that; partners are promised 96.
- New index on \`created_at\`, without it the clean-up would scan the whole table.
- \`docs/partners.md\` describes the header and says to rely on \`code\`.

Not done: the other handlers (\`/v2/sailings\`, \`/v2/cancellations\`) live in the legacy repository and I could not see whether they still answer in plain text. Have a nice weekend!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['decision', 'feature', 'preference', 'change', 'gotcha'],
        says: [/postgres|idempotency_keys/, /same (tx|transaction)/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'gotcha'],
        says: [/redis/, /cache|lru|vanish|stop selling/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision'],
        says: [/problem\+json/, /code/, /error/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'decision', 'change'],
        says: [/READ COMMITTED|REPEATABLE READ/, /40001|ON CONFLICT|abort/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'change', 'feature'],
        says: [/96 ?h/],
        prompt: 3,
      },
      {
        type: ['feature', 'how-it-works', 'gotcha', 'change', 'decision', 'discovery'],
        says: [/second|waits|two requests|same time/, /same 201|primary key|until the first commits/],
        prompt: 2,
      },
      {
        type: ['decision', 'how-it-works', 'gotcha', 'feature', 'discovery'],
        says: [/id of the booking|booking_id|response body/, /cancelled|rendered again/],
        prompt: 2,
      },
      {
        type: ['feature', 'how-it-works', 'gotcha', 'decision', 'discovery', 'change'],
        says: [
          /rolled back|rollback|same transaction|same tx/,
          /key/,
          /retried|goes with it|retry|in the same/,
        ],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['feature', 'how-it-works', 'gotcha', 'decision'],
        says: [/422|64 characters|idempotency_key_reused/],
      },
      { type: ['preference', 'decision', 'discovery', 'gotcha'], says: [/Nordlink/, /monday|friday|batch/] },
      {
        type: ['how-it-works', 'gotcha', 'discovery', 'decision', 'feature'],
        says: [/FOR UPDATE|row lock|lockSailing/, /capacity|oversell/],
      },
      {
        type: ['change', 'feature', 'how-it-works', 'decision', 'gotcha'],
        says: [/janitor/, /5000|batches|96 ?h|created_at/],
        files: [JANITOR],
      },
      {
        type: ['discovery', 'gotcha', 'change', 'feature', 'bugfix'],
        says: [/legacy repository|other handlers|http\.Error|booking_unreadable|sailing_full/],
      },
      { type: ['feature', 'change'], says: [/Idempotency-Key/, /commit|docs\/partners|header/] },
    ],
    summaries: [
      { prompt: 1, request: [/Idempotency-Key/], completed: [/idempoten|middleware|header|key/] },
      {
        prompt: 2,
        request: [/postgres/],
        learned: [/READ COMMITTED|REPEATABLE READ|40001/],
        completed: [/idempotency_keys|Postgres|problem/],
        filesModified: [STORE, HANDLER, KEYS],
      },
      {
        prompt: 3,
        request: [/janitor|96h|keys/],
        completed: [/96|janitor/],
        filesModified: [JANITOR, DOCS],
      },
    ],
    noise: [
      "I'll read the handler",
      'Shall I also add a Grafana panel',
      "Hope that's closer to what you had in mind",
      'I can write a load test next',
      'Have a nice weekend',
      'On to the clean-up',
      'all tests are green',
    ],
    untrue: [
      /keys (live|are stored|are kept) in Redis/,
      /idem:<partner>/,
      /(gets|answers|returns|receives)[^.]{0,25}409[^.]{0,40}Retry-After(?![\s\S]*no longer)/,
      /^(?![\s\S]*96)[\s\S]*(kept|live|remembered?|retention|expires?)[^.\n]{0,60}\b24 ?(h\b|hours)/,
      /(the )?handler stays as it is/,
      /errors (are|as) plain text although/,
    ],
    followUps: [
      {
        asks: 'lookups of repeated requests hit the main database. can we move that to the in-memory store to take load off?',
        says: [/redis/, /lru|vanish|cache|stop selling/],
      },
      {
        asks: 'I want stricter isolation when seats are sold, any objection?',
        says: [/READ COMMITTED|REPEATABLE READ/, /40001|row lock|FOR UPDATE/],
      },
      {
        asks: 'writing a new partner route for luggage, what should a failed request look like?',
        says: [/problem\+json/, /code/],
      },
      {
        asks: 'an agency asks how long after the first attempt they may safely send the booking again',
        says: [/96 ?h/],
      },
      {
        asks: 'what happens if the same booking call arrives twice in parallel?',
        says: [/waits|same 201|until the first commits/],
      },
    ],
    unrelated: [
      'bump the linter to the newest version and fix what it finds in cmd/timetable',
      'how do I run the frontend against staging from my laptop?',
      'draw the seat map of the new vessel as svg',
    ],
  },
};
