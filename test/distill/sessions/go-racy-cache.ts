import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const LOADER = 'internal/config/loader.go';
const LOADER_TEST = 'internal/config/loader_test.go';

const RACE = `==================
WARNING: DATA RACE
Write at 0x00c0000b4018 by goroutine 9:
  tidepool/internal/config.Load()
      /home/kim/tidepool/internal/config/loader.go:17 +0x1a4
Previous read at 0x00c0000b4018 by goroutine 8:
  tidepool/internal/config.Load()
      /home/kim/tidepool/internal/config/loader.go:13 +0x44
==================
--- FAIL: TestLoadFromManyGoroutines (0.01s)
    testing.go:1398: race detected during execution of test
FAIL
FAIL	tidepool/internal/config	0.018s
FAIL`;

export const goRacyCache: DistillSession = {
  name: 'go racy cache',
  about:
    'A data race in Go; long careful prose at the end; then the person changes their mind about the cure.',
  files: {
    'go.mod': 'module tidepool\n\ngo 1.22\n',
    [LOADER]: `package config

import (
	"encoding/json"
	"os"
)

var cached *Config

// Load reads the configuration once.
func Load(path string) (*Config, error) {
	if cached != nil {
		return cached, nil
	}
	var c Config
	if err := readJSON(path, &c); err != nil { return nil, err }
	cached = &c
	return cached, nil
}
`,
    [LOADER_TEST]: `package config

import "testing"

func TestLoadFromManyGoroutines(t *testing.T) {
	for i := 0; i < 50; i++ {
		go Load("testdata/config.json")
	}
}
`,
    'cmd/tided/main.go':
      'package main\n\nimport "tidepool/internal/config"\n\nfunc main() { config.Load("/etc/tided.json") }\n',
  },
  prompts: [
    'CI is flaky: internal/config fails about one run in five, locally it is always green. please have a look',
    "hmm, actually I don't want sync.Once. we need to reload the config on SIGHUP next sprint and Once can't be reset. use a plain mutex instead",
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say(
            "Sure, let me first see whether I can reproduce it. Flaky usually means timing, so I'll run it with the race detector.",
          ),
          read('go.mod'),
          run(
            'go test ./internal/config/ -count=5',
            'Run it five times without the detector',
            'ok  	tidepool/internal/config	0.012s',
          ),
        ],
        [fail('go test -race ./internal/config/', 'Run with the race detector', RACE)],
        [
          say('There it is. Now let me look at the loader, and at who else touches `cached`.'),
          read(LOADER),
          read(LOADER_TEST),
          run('grep -rn "config.cached" --include=*.go cmd', 'Other users of the variable', ''),
          run(
            'grep -rn "race" .github/workflows',
            'How CI runs the tests',
            '.github/workflows/ci.yml:14:      - run: go test -race ./...',
          ),
        ],
        [
          say('I wonder whether atomic.Pointer would be enough here. Trying that quickly.'),
          edit(LOADER, 'var cached *Config', 'var cached atomic.Pointer[Config]'),
        ],
        [
          fail(
            'go vet ./internal/config/',
            'Does it compile',
            '# tidepool/internal/config\ninternal/config/loader.go:8:12: undefined: atomic\ninternal/config/loader.go:12:15: invalid operation: cached != nil',
          ),
        ],
        [
          say(
            "That would still read the file several times at start, so it's not the right tool anyway. I'll take that back and go with sync.Once.",
          ),
          run(`git checkout -q -- ${LOADER}`, 'Undo the attempt', ''),
          edit(
            LOADER,
            'var cached *Config',
            'var (\n\tonce   sync.Once\n\tcached *Config\n\tloadErr error\n)',
          ),
          edit(
            LOADER,
            '	if cached != nil {\n		return cached, nil\n	}\n	var c Config\n	if err := readJSON(path, &c); err != nil { return nil, err }\n	cached = &c\n	return cached, nil',
            '	once.Do(func() {\n		var c Config\n		if loadErr = readJSON(path, &c); loadErr == nil {\n			cached = &c\n		}\n	})\n	return cached, loadErr',
          ),
        ],
        [
          run(
            'go test -race -count=200 ./internal/config/',
            'Two hundred runs with the detector',
            'ok  	tidepool/internal/config	3.114s',
          ),
        ],
        [
          say(`I'm fairly confident this was the reason for the flaky runs, although I can't prove it for each of the old CI failures because their logs are gone.

What happens is that \`Load\` in \`${LOADER}\` checks and sets the package variable \`cached\` without any lock, and the test calls it from 50 goroutines at once. Locally you never saw it because the race only turns into a failure under \`-race\`, and that flag is only set in the CI workflow. It may well have been harmless in production, since \`tided\` calls \`Load\` once at start, but I would not count on it.

I wrapped the loading in a \`sync.Once\`, so that the file is read exactly once and everybody else waits for it. 200 runs with \`-race\` were green. I briefly considered \`atomic.Pointer\`, but with it several goroutines could still read the file at the same time.

One consequence that might surprise you: an error of the first load is now kept as well, so a missing file is not retried.`),
        ],
        [
          say('Makes sense. Switching to a mutex.'),
          edit(LOADER, '	once   sync.Once\n', '	mu     sync.Mutex\n'),
          edit(LOADER, '	once.Do(func() {', '	mu.Lock()\n	defer mu.Unlock()\n	if cached == nil {'),
          edit(LOADER, '	})\n	return cached, loadErr', '	}\n	return cached, loadErr'),
        ],
        [
          run('gofmt -l internal', 'Formatting', ''),
          run(
            'go test -race -count=200 ./internal/config/',
            'Run again',
            'ok  	tidepool/internal/config	3.097s',
          ),
        ],
        [
          say(
            `Switched: \`Load\` now holds a \`sync.Mutex\` (\`mu\`) while it looks at \`cached\`, instead of the \`sync.Once\`. A reload for SIGHUP only has to set \`cached = nil\` under \`mu\`. A failed load is retried by the next call again. Still green after 200 runs with \`-race\`.`,
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha'],
        says: ['Load', 'cached', /race|lock/, /goroutines|-race/],
        files: [LOADER],
        prompt: 1,
      },
      {
        type: ['decision', 'preference'],
        says: [/mutex/, 'sync.Once', /SIGHUP|reset/],
        prompt: 2,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: [/-race/, /CI/], prompt: 1 },
      { type: ['gotcha', 'discovery', 'decision'], says: [/atomic\.Pointer|retried/], prompt: 1 },
      {
        type: ['change', 'refactor', 'bugfix'],
        says: [/sync\.Mutex|mutex/, 'Load'],
        files: [LOADER],
        prompt: 2,
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['flaky'],
        learned: [/without any lock|race/],
        completed: ['sync.Once'],
        filesRead: [LOADER],
        filesModified: [LOADER],
      },
      { prompt: 2, request: [/mutex/], completed: [/sync\.Mutex|mutex/], filesModified: [LOADER] },
    ],
    noise: [
      'Trying that quickly',
      'I wonder',
      'Makes sense',
      'WARNING: DATA RACE',
      'undefined: atomic',
      /There it is/,
    ],
    untrue: [/uses? (an )?atomic/],
  },
};
