import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const BUCKET = 'internal/limit/bucket.go';
const STORE = 'internal/limit/store.go';
const MIDDLEWARE = 'internal/limit/middleware.go';
const TEST = 'internal/limit/bucket_test.go';

export const limiterReview: SurveySession = {
  name: 'limiter-review',
  about:
    'A review of a rate limiter before the merge: three findings, one suspicion that did not hold, nothing changed.',
  kind: 'review',
  language: 'en',
  ecosystem: 'go',
  files: {
    'go.mod': 'module gateway\n\ngo 1.22\n',
    [BUCKET]: `package limit

import (
	"sync"
	"time"
)

// Bucket holds up to burst tokens and gains rate tokens a second.
type Bucket struct {
	mu     sync.Mutex
	tokens int
	burst  int
	rate   int
	last   time.Time
}

func (b *Bucket) Take(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens += int(now.Sub(b.last).Seconds()) * b.rate
	b.last = now
	if b.tokens > b.burst {
		b.tokens = b.burst
	}
	if b.tokens == 0 {
		return false
	}
	b.tokens--
	return true
}
`,
    [STORE]: `package limit

import (
	"sync"
	"time"
)

type Store struct {
	mu      sync.RWMutex
	buckets map[string]*Bucket
	burst   int
	rate    int
}

func NewStore(burst, rate int) *Store {
	return &Store{buckets: map[string]*Bucket{}, burst: burst, rate: rate}
}

func (s *Store) Get(key string) *Bucket {
	s.mu.RLock()
	b, ok := s.buckets[key]
	s.mu.RUnlock()
	if ok {
		return b
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.buckets[key]; ok {
		return b
	}
	b = &Bucket{tokens: s.burst, burst: s.burst, rate: s.rate, last: time.Now()}
	s.buckets[key] = b
	return b
}
`,
    [MIDDLEWARE]: `package limit

import (
	"net/http"
	"strings"
	"time"
)

func Middleware(s *Store, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.RemoteAddr
		if xff := r.Header.Get("X-Forwarded-For"); xff != "" {
			key = strings.TrimSpace(strings.Split(xff, ",")[0])
		}
		if !s.Get(key).Take(time.Now()) {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r)
	})
}
`,
    [TEST]: `package limit

import (
	"testing"
	"time"
)

func TestRefill(t *testing.T) {
	now := time.Unix(0, 0)
	b := &Bucket{tokens: 0, burst: 5, rate: 1, last: now}
	if !b.Take(now.Add(2 * time.Second)) {
		t.Fatal("no token after two seconds")
	}
}
`,
    'cmd/gateway/main.go': `package main

import "gateway/internal/limit"

func main() {
	store := limit.NewStore(20, 5)
	_ = store
}
`,
  },
  programs: {
    go: `#!/bin/sh
case "$1" in
  vet) exit 0 ;;
  test)
    if [ -f internal/limit/poll_test.go ]; then
      if grep -q 'b.last.Add' ${BUCKET}; then
        echo "--- PASS: TestPolling (0.00s)"; echo "    poll_test.go:16: allowed 200 of 200"; echo "ok  	gateway/internal/limit	0.004s"
      else
        echo "--- FAIL: TestPolling (0.00s)"; echo "    poll_test.go:16: allowed 20 of 200"; echo "FAIL	gateway/internal/limit	0.004s"; exit 1
      fi
    elif [ -f internal/limit/race_test.go ]; then
      echo "=== RUN   TestGetConcurrently"; echo "--- PASS: TestGetConcurrently (0.31s)"; echo "ok  	gateway/internal/limit	1.338s"
    else
      echo "ok  	gateway/internal/limit	0.003s"
    fi ;;
  *) echo "go version go1.22.4 linux/amd64" ;;
esac
`,
  },
  prompts: [
    "pls review internal/limit before we merge it to the gateway. only what should block the merge, no style. don't change anything on the branch, it's Priya's. in front of us: cloudflare, then the ALB",
    'ok. what would you key on then, and does the memory thing matter if we restart nightly anyway? (we do, 4am)',
  ],
  script: (dir) => {
    const { run, fail, read } = callsIn(dir);
    return {
      main: [
        [
          say("I'll read all of it first."),
          read(BUCKET),
          read(STORE),
          read(MIDDLEWARE),
          read(TEST),
          read('cmd/gateway/main.go'),
        ],
        [run('go vet ./... && go test ./...', 'Vet and test', 'ok')],
        [
          say(
            'Vet and tests are quiet. `Get` first caught my eye: read lock, release, write lock – a classic place for two goroutines to make two buckets for one key. To keep the branch as it is, I try that on a copy.',
          ),
          run(
            `rm -rf ../limit-copy && cp -R . ../limit-copy && cd ../limit-copy && cat > internal/limit/race_test.go <<'END'
package limit

import (
	"sync"
	"testing"
	"time"
)

func TestGetConcurrently(t *testing.T) {
	s := NewStore(20, 5)
	var wg sync.WaitGroup
	for i := 0; i < 1000; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); s.Get("k").Take(time.Now()) }()
	}
	wg.Wait()
}
END
go test -race -v -run Concurrently ./internal/limit`,
            'Race test on a copy',
            'PASS: TestGetConcurrently',
          ),
        ],
        [
          say(
            'No race: `Get` looks the key up a second time under the write lock, so that suspicion is off the table.\n\nThe refill is another matter. `int(now.Sub(b.last).Seconds())` cuts off the fraction, and `b.last = now` is set on every call. A client that polls more often than once a second should therefore never get a token back. Again on the copy, 200 requests 200 ms apart:',
          ),
          fail(
            `cd ../limit-copy && rm internal/limit/race_test.go && cat > internal/limit/poll_test.go <<'END'
package limit

import (
	"testing"
	"time"
)

func TestPolling(t *testing.T) {
	now, allowed := time.Unix(0, 0), 0
	b := &Bucket{tokens: 20, burst: 20, rate: 5, last: now}
	for i := 0; i < 200; i++ {
		now = now.Add(200 * time.Millisecond)
		if b.Take(now) { allowed++ }
	}
	if allowed < 200 { t.Fatalf("allowed %d of 200", allowed) }
	t.Logf("allowed %d of 200", allowed)
}
END
go test -v -run Polling ./internal/limit`,
            'Polling client on a copy',
            'allowed 20 of 200',
          ),
        ],
        [
          say(
            'Exactly the burst and then nothing, forever. In the copy I let `last` advance only by the seconds that were counted, to be sure that the truncation is the cause.',
          ),
          run(
            `cd ../limit-copy && sed -i 's/b.tokens += int(now.Sub(b.last).Seconds()) \\* b.rate/n := int(now.Sub(b.last).Seconds()); b.tokens += n * b.rate/; s/b.last = now/b.last = b.last.Add(time.Duration(n) * time.Second)/' internal/limit/bucket.go && go test -v -run Polling ./internal/limit`,
            'Keep the remainder, on the copy',
            'PASS: TestPolling',
          ),
        ],
        [
          run(
            'rm -rf ../limit-copy && grep -rn "delete(" internal/limit; git status --short',
            'Remove the copy, look for eviction',
          ),
        ],
        [
          say(
            `Overall this is well-structured, readable code – nice work by Priya! Three things should block the merge, though:

### 1. Refill truncates – clients get locked out (high)
\`bucket.go\`, \`Take\`: whole seconds only, while \`last\` moves on every call. Anyone polling faster than 1/s gets the burst of 20 and then 429 for good; on a copy, 20 of 200 requests went through at 5/s, and all 200 once \`last\` kept the remainder. The existing test misses it since it waits two full seconds.

### 2. The key can be forged (high)
\`middleware.go\` takes the leftmost \`X-Forwarded-For\` entry, which is whatever the client sent. A new value per request means a new bucket per request, so the limiter can be bypassed entirely.

### 3. Buckets are never evicted (medium)
\`store.go\` only ever adds to the map; together with 2 a client can fill the memory at will.

Checked and fine: the double lookup in \`Get\`. I haven't touched the branch. Want me to write these up as PR comments?`,
          ),
        ],
        [
          say('Let me do the arithmetic on the map.'),
          run(
            'node -e "console.log(Math.round(2000*3600*24*220/1e9)+\' GB\')"',
            'Growth per day at 2000 req/s',
            '38 GB',
          ),
        ],
        [
          say(
            `**Key:** count from the right. Cloudflare appends the client's address and the ALB appends Cloudflare's, so with these two hops the second entry from the right is the last one a client can't forge. \`CF-Connecting-IP\` would be simpler, but it is only trustworthy if the ALB accepts nothing but Cloudflare's ranges, and I can't see that from here.

**Memory:** the nightly restart doesn't save you as long as the key is forgeable: at 2000 req/s with a fresh key each and about 220 bytes per bucket it's some 38 GB a day. Once finding 2 is fixed it drops to medium-low and can come after the merge.

So 1 and 2 block, 3 may follow. Good luck with the merge!`,
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/truncat|fraction|whole seconds/, /\blast\b/, /every call/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/leftmost/, 'X-Forwarded-For'],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/evict|only ever adds/, /map|memory|bucket/],
        prompt: 1,
      },
      {
        type: ['decision', 'discovery', 'how-it-works', 'gotcha'],
        says: [/second entry from the right|from the right/, /cloudflare/],
        prompt: 2,
      },
      {
        type: ['preference'],
        says: [/Priya/, /don't change|style|block/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/CF-Connecting-IP/, /ALB|ranges/],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: [/\bGet\b/, /write lock|double lookup/],
        prompt: 1,
      },
      { type: ['discovery', 'gotcha', 'decision'], says: [/38 GB/], prompt: 2 },
      { type: ['discovery', 'gotcha'], says: [/20 of 200/], prompt: 1 },
      {
        type: ['decision', 'discovery'],
        says: [/1 and 2 block/, /3/],
        prompt: 2,
      },
      {
        type: ['preference', 'discovery', 'how-it-works'],
        says: [/restart/, /nightly|4am/],
        prompt: 2,
      },
      {
        type: ['preference', 'discovery', 'how-it-works'],
        says: [/cloudflare/, /ALB/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/existing test/, /two full seconds/],
        prompt: 1,
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/review/],
        learned: [/truncat|X-Forwarded-For|evict/],
        filesRead: [BUCKET, STORE, MIDDLEWARE],
      },
      { prompt: 2, request: [/key/], learned: [/from the right|38 GB/] },
    ],
    noise: [
      "I'll read all of it first",
      'nice work by Priya',
      'Want me to write these up',
      'Good luck with the merge',
      'Vet and tests are quiet',
      'Let me do the arithmetic',
      'PASS: TestPolling',
      'a classic place for two goroutines',
    ],
    untrue: [
      /refill (was|is|has been) (fixed|changed)|(now|Take) keeps the remainder/,
      /(data )?race (condition )?in (`?Store\.)?`?Get/,
      /(added|wrote) (a )?(test )?(poll_test|race_test|TestPolling)/,
    ],
    followUps: [
      {
        asks: 'a partner who calls us every 300 ms gets 429 permanently, quota should be plenty. known?',
        says: [/truncat|fraction|whole seconds/],
      },
      {
        asks: 'which header do I use to find out the real caller address in the audit log?',
        says: [/from the right|CF-Connecting-IP|leftmost/],
      },
      {
        asks: 'gateway pods grow until OOM, what in the limiter could hold on to memory?',
        says: [/evict|only ever adds|38 GB/],
      },
      {
        asks: 'two requests of a brand-new client arrive at once: can they end up with separate counters?',
        says: [/\bGet\b/, /write lock|double lookup/],
      },
      {
        asks: 'may I just push a fix onto the rate limit branch?',
        says: [/Priya/],
      },
    ],
    unrelated: [
      'upgrade the base image of the gateway to alpine 3.20',
      'add request ids to the access log',
      'the healthz endpoint should report the build version',
    ],
  },
};
