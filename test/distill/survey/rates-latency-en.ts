import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CACHE = 'internal/rates/cache.go';
const BENCH = 'internal/rates/cache_test.go';

const GO = `#!/bin/sh
if [ "$1" = vet ]; then exit 0; fi
if [ "$1" = run ]; then
  echo "gc 41 @120.311s 0%: 0.021+1.9+0.004 ms clock, pause max 0.38 ms"
  echo "gc 42 @150.870s 0%: 0.019+2.1+0.004 ms clock, pause max 0.41 ms"
  exit 0
fi
if grep -q 'atomic.Pointer' internal/rates/cache.go; then
  echo "BenchmarkGetDuringRefresh   p50=0.2us p99=0.9us max=3.1us"
  echo "ok  	pricefeed/internal/rates	1.204s"
  exit 0
fi
echo "BenchmarkGetDuringRefresh   p50=0.2us p99=1.38s max=1.41s"
echo "--- FAIL: TestGetDuringRefresh (1.41s)"
echo "    cache_test.go:31: Get blocked for 1.4s while a refresh was running"
echo "FAIL	pricefeed/internal/rates	1.530s"
exit 1
`;

export const ratesLatency: SurveySession = {
  name: 'rates latency',
  about:
    'p99 spikes in a Go service: GC is suspected and cleared, a lock held over a network call is the cause.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'go',
  files: {
    'go.mod': 'module pricefeed\n\ngo 1.22\n',
    'README.md':
      '# pricefeed\n\nServes FX rates to the checkout. Rates come from the exchange every five minutes.\n',
    'cmd/pricefeed/main.go': `package main

import "pricefeed/internal/rates"

func main() {
	c := rates.New("https://rates.exchange.example/v2/all")
	c.Loop(5 * 60)
}
`,
    [CACHE]: `package rates

import (
	"encoding/json"
	"net/http"
	"os"
	"sync"
	"time"
)

type Cache struct {
	mu    sync.RWMutex
	rates map[string]float64
	url   string
	http  *http.Client
}

func New(url string) *Cache {
	timeout, err := time.ParseDuration(os.Getenv("UPSTREAM_TIMEOUT"))
	if err != nil {
		timeout = 30 * time.Second
	}
	return &Cache{url: url, rates: map[string]float64{}, http: &http.Client{Timeout: timeout}}
}

func (c *Cache) Get(pair string) (float64, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	r, ok := c.rates[pair]
	return r, ok
}

func (c *Cache) Refresh() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	res, err := c.http.Get(c.url)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	next := map[string]float64{}
	if err := json.NewDecoder(res.Body).Decode(&next); err != nil {
		return err
	}
	c.rates = next
	return nil
}
`,
    [BENCH]: `package rates

import "testing"

func TestGetDuringRefresh(t *testing.T)      { /* slow upstream, Get must not block */ }
func BenchmarkGetDuringRefresh(b *testing.B) {}
`,
    'deploy/latency.csv':
      'minute,p50_ms,p99_ms\n10:00,2,1412\n10:01,2,6\n10:02,2,5\n10:03,2,7\n10:04,2,6\n10:05,2,1388\n10:06,2,6\n10:10,2,1431\n',
  },
  programs: { go: GO },
  prompts: [
    "checkout team complains about p99 spikes on pricefeed, deploy/latency.csv has an hour of it. I bet it's the garbage collector. can you check and find the real reason. no new dependencies please, this service only uses the stdlib and that stays so",
    'nice. two things: the upstream timeout in prod is 8s, UPSTREAM_TIMEOUT is set in the helm values, so forget the 30. and dont touch the 5 minutes, thats in our contract with the exchange (rates max 5 min old). go ahead with the fix, which way would you do it?',
    'ok ship it, commit',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Let me look at the numbers before blaming the GC.'),
          read('deploy/latency.csv'),
          read('cmd/pricefeed/main.go'),
        ],
        [
          say(
            'The spikes sit at 10:00, 10:05, 10:10, so a five-minute rhythm. GC is still possible if the refresh allocates a lot, so I measure it.',
          ),
          run(
            'GODEBUG=gctrace=1 go run ./cmd/pricefeed 2>&1 | tail -5',
            'Trace GC pauses',
            'pause max 0.41 ms',
          ),
        ],
        [
          say(
            'That clears the garbage collector: the longest pause is 0.41 ms, and the spikes are 1.4 s. Next suspect is whatever runs every five minutes.',
          ),
          read(CACHE),
          read(BENCH),
        ],
        [
          fail(
            'go test ./internal/rates -bench .',
            'Run the tests and the benchmark',
            'Get blocked for 1.4s',
          ),
        ],
        [
          say(`It's not the garbage collector.

**What I measured:** gctrace shows a longest GC pause of 0.41 ms; the p99 spikes are about 1400 ms. So GC is off by three orders of magnitude.

**Actual cause:** \`Cache.Refresh()\` in \`internal/rates/cache.go\` takes the write lock *before* the HTTP call to the exchange and holds it until the response is decoded. Every \`Get()\` that arrives in that window waits for the network. The exchange takes about 1.4 s to answer, which is exactly the height of the spikes.

Worst case is worse than what you see: the upstream timeout is 30s, so a hanging exchange would block all of checkout for 30 seconds.

I haven't changed anything yet. Want me to fix it?`),
        ],
        [
          say(`Noted, 8 s it is, and the interval stays.

I see two ways:

1. **Keep the RWMutex, shrink the critical section**: fetch and decode first, then lock only for the assignment. Smallest diff. Readers still contend on the lock's counter, though.
2. **\`atomic.Pointer\` to an immutable map**: readers never lock, Refresh builds a new map and swaps the pointer. Same size of diff, and nobody can reintroduce the bug by moving a line into the lock.

A sharded map would be a third one, but with 180 currency pairs it's overkill, so I'd leave that out.

I'm going with 2, because there is no lock left that somebody could hold over a network call. It's in the stdlib since Go 1.19, so no dependency.`),
          edit(CACHE, '	"sync"\n', '	"sync/atomic"\n'),
          edit(
            CACHE,
            '	mu    sync.RWMutex\n	rates map[string]float64\n',
            '	rates atomic.Pointer[map[string]float64]\n',
          ),
          edit(
            CACHE,
            '	return &Cache{url: url, rates: map[string]float64{}, http: &http.Client{Timeout: timeout}}\n',
            '	c := &Cache{url: url, http: &http.Client{Timeout: timeout}}\n	c.rates.Store(&map[string]float64{})\n	return c\n',
          ),
        ],
        [
          edit(
            CACHE,
            '	c.mu.RLock()\n	defer c.mu.RUnlock()\n	r, ok := c.rates[pair]\n',
            '	r, ok := (*c.rates.Load())[pair]\n',
          ),
          edit(CACHE, '	c.mu.Lock()\n	defer c.mu.Unlock()\n', ''),
          edit(
            CACHE,
            '	c.rates = next\n',
            '	c.rates.Store(&next) // next must not be written to after this\n',
          ),
        ],
        [run('go vet ./... && go test ./internal/rates -bench .', 'Vet, test and benchmark', 'p99=0.9us')],
        [
          say(`Done. \`Cache\` in \`internal/rates/cache.go\` now keeps the rates behind an \`atomic.Pointer\`; \`Refresh()\` builds a fresh map and swaps it in, \`Get()\` takes no lock at all. p99 during a refresh went from 1.38 s to 0.9 µs in \`BenchmarkGetDuringRefresh\`.

One thing to keep in mind: the map must never be written to after \`Store\`. Readers use it without any synchronisation, so an in-place update would be a data race.

The five-minute interval is untouched. Not done: when a refresh fails, the old rates are served silently with no upper age, so a dead exchange would break the five-minute promise without anyone noticing. That deserves an alert, but it's a separate change.`),
        ],
        [
          run(
            'git add -A && git commit -qm "rates: swap the map atomically instead of locking over the fetch" && git log --oneline -1',
            'Commit',
            'rates: swap the map',
          ),
        ],
        [say('Committed on the current branch. Let me know if you want me to open the alerting ticket too.')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: ['Refresh', /lock/, /HTTP call|network|fetch/],
        files: [CACHE],
      },
      { type: ['discovery', 'bugfix', 'gotcha'], says: [/garbage collector|\bGC\b/, /0\.41 ?ms/] },
      { type: ['decision', 'bugfix', 'change'], says: ['atomic.Pointer', /no lock|never lock|RWMutex/] },
      { type: ['preference', 'gotcha', 'discovery'], says: [/8 ?s/, /UPSTREAM_TIMEOUT|upstream timeout/] },
      { type: ['preference', 'decision', 'gotcha'], says: [/5 min|five.minute/, /contract/] },
      { type: ['preference', 'decision'], says: [/no new dependencies|only uses the stdlib/] },
      {
        type: ['gotcha', 'how-it-works', 'discovery', 'bugfix'],
        says: [/map/, /never be written|not be written|data race|in-place/],
      },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'discovery', 'decision', 'change'],
        says: [/refresh fails|dead exchange/, /old rates|silently|alert/],
      },
      { type: ['decision', 'discovery'], says: [/sharded/, /overkill|180/] },
      { type: ['bugfix', 'discovery', 'change'], says: [/1\.38 ?s/, /0\.9 ?µs/] },
    ],
    summaries: [
      { prompt: 1, request: [/p99/], learned: [/lock/, /HTTP call|network|exchange/], filesRead: [CACHE] },
      {
        prompt: 2,
        request: [/8s|contract|fix/],
        completed: [/atomic\.Pointer/],
        nextSteps: [/alert|no upper age|separate change/],
        filesModified: [CACHE],
      },
      { prompt: 3, optional: true, completed: [/commit/] },
    ],
    noise: [
      'Let me look at the numbers',
      'Want me to fix it',
      'Let me know if you want me',
      'Noted, 8 s it is',
    ],
    untrue: [
      /(spikes?|latency) (is|are|was|were) caused by (the )?(GC|garbage)/,
      /(upstream timeout|timeout in prod) is 30 ?s/,
      /block all of checkout for 30/,
    ],
    followUps: [
      {
        asks: 'why does the rates cache use an atomic pointer and not a mutex like the rest of our code?',
        says: [/lock/, /network|HTTP call|fetch/],
      },
      {
        asks: 'I want to add a method that patches a single currency pair in place when we get a push from the exchange. anything to watch out for?',
        says: [/never be written|not be written|data race|in-place/],
      },
      {
        asks: 'can we fetch less often to save cost, say once per quarter of an hour?',
        says: [/contract/, /5 min|five.minute/],
      },
      { asks: 'how long do we wait for the upstream before giving up in production?', says: [/8 ?s/] },
      {
        asks: 'thinking of pulling in ristretto or some other caching lib here, ok?',
        says: [/stdlib|no new dependencies/],
      },
    ],
    unrelated: [
      'the grafana dashboard JSON in our wiki export is one single line, pretty-print it',
      'what is the difference between errors.Is and errors.As?',
      'create a CODEOWNERS file so that the platform team reviews everything under deploy/',
    ],
  },
};
