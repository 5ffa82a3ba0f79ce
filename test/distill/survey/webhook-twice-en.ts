import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const LEASE = 'internal/lease/lease.go';
const RETRY = 'internal/deliver/retry.go';
const WORKER = 'internal/deliver/worker.go';
const LOOK_RETRY = 'You are looking at the retry path of the webhook relay';
const LOOK_LOGS = 'You are looking at the production logs of the webhook relay';

const GO = `#!/bin/sh
# go test ./internal/...
if ! grep -q 'func (l \\*Lease) Renew' ${LEASE}; then echo "ok  	tollbooth/internal/lease	0.031s"; echo "ok  	tollbooth/internal/deliver	0.212s"; exit 0; fi
if grep -q 'stop(); <-done' ${WORKER}; then
  echo "ok  	tollbooth/internal/lease	0.044s"; echo "ok  	tollbooth/internal/deliver	1.318s"; exit 0
fi
echo "ok  	tollbooth/internal/lease	0.044s"
echo "--- FAIL: TestReleaseWhileRenewing (0.51s)"
echo "    worker_test.go:88: lease key evt_771 still exists 30s after release"
echo "FAIL	tollbooth/internal/deliver	0.623s"
exit 1
`;

export const webhookTwice: SurveySession = {
  name: 'webhook twice',
  about:
    'Webhooks go out twice; two subagents look, one misreads the code; the fix is a heartbeat on the lease.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'go',
  files: {
    'go.mod': 'module tollbooth\n\ngo 1.23\n\nrequire github.com/redis/go-redis/v9 v9.7.0\n',
    [LEASE]: `package lease

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

const TTL = 30 * time.Second

type Lease struct {
	rdb   *redis.Client
	key   string
	token string
}

// Acquire takes the event for this pod, or returns nil if another pod has it.
func Acquire(ctx context.Context, rdb *redis.Client, eventID, token string) (*Lease, error) {
	ok, err := rdb.SetNX(ctx, "lease:"+eventID, token, TTL).Result()
	if err != nil || !ok {
		return nil, err
	}
	return &Lease{rdb: rdb, key: "lease:" + eventID, token: token}, nil
}

func (l *Lease) Release(ctx context.Context) error {
	return l.rdb.Del(ctx, l.key).Err()
}
`,
    [RETRY]: `package deliver

import "net/http"

// shouldRetry tells whether a delivery is tried again after this status.
func shouldRetry(status int) bool {
	switch {
	case status == http.StatusConflict: // the receiver has it already
		return false
	case status == http.StatusTooManyRequests:
		return true
	}
	return status >= 500
}
`,
    [WORKER]: `package deliver

import (
	"context"
	"net/http"
	"time"

	"tollbooth/internal/lease"
)

// Client waits long: some receivers do their work before they answer.
var client = &http.Client{Timeout: 45 * time.Second}

func (w *Worker) handle(ctx context.Context, ev Event) error {
	l, err := lease.Acquire(ctx, w.rdb, ev.ID, w.token)
	if err != nil || l == nil {
		return err
	}
	defer l.Release(ctx)
	return w.post(ctx, client, ev)
}
`,
    'logs/relay-1.log': `2026-03-04T09:12:01Z pod=relay-1 evt=evt_771 dest=acme post start
2026-03-04T09:12:39Z pod=relay-1 evt=evt_771 dest=acme post 200 took=38.1s
2026-03-04T09:12:44Z pod=relay-1 evt=evt_772 dest=lumen post start
2026-03-04T09:12:45Z pod=relay-1 evt=evt_772 dest=lumen post 200 took=0.6s
2026-03-04T09:20:10Z pod=relay-1 evt=evt_801 dest=norbit post start
2026-03-04T09:20:43Z pod=relay-1 evt=evt_801 dest=norbit post 200 took=33.4s
`,
    'logs/relay-2.log': `2026-03-04T09:12:31Z pod=relay-2 evt=evt_771 dest=acme post start
2026-03-04T09:13:04Z pod=relay-2 evt=evt_771 dest=acme post 200 took=32.8s
2026-03-04T09:20:40Z pod=relay-2 evt=evt_801 dest=norbit post start
2026-03-04T09:21:11Z pod=relay-2 evt=evt_801 dest=norbit post 200 took=31.0s
`,
  },
  programs: { go: GO },
  prompts: [
    'acme and a few other customers get some webhooks twice since around march 4. logs of both pods are in logs/. send two subagents, one through the retry code and one through the logs, then tell me what it is. no fix yet',
    "ok makes sense. heartbeat, not the longer lease: acme's SLA says that a crashed pod's events are taken over within 30 seconds, so TTL stays. and no new dependencies in this repo please, we vendor everything and every dep needs a security review",
    "one thing you got wrong: in prod the client timeout isn't 45s, helm overrides it to 40 (values-prod.yaml in the deploy repo). doesn't change the fix but get the comment right",
  ],
  script: (dir) => {
    const { run, read, edit, delegate } = callsIn(dir);
    return {
      main: [
        [
          say('Two subagents on it: one for the retry path, one for the logs.'),
          delegate(
            'Inspect retry path',
            `${LOOK_RETRY}. Could it deliver an event twice? Report file, function and conditions.`,
          ),
          delegate(
            'Analyse relay logs',
            `${LOOK_LOGS}. Which events were posted more than once, by whom, how far apart? Report numbers.`,
          ),
        ],
        [
          say(
            "The two reports don't fit together: a retry would come from the same pod. I'll check the 409 claim in the code before I believe it.",
          ),
          read(RETRY),
          read(LEASE),
          read(WORKER),
        ],
        [
          run(
            "grep -hoE 'took=[0-9.]+s' logs/*.log | sort -t= -k2 -n",
            'Durations of all posts',
            'took=38.1s',
          ),
        ],
        [
          say(`Found it. Nothing is changed.

**Cause.** The Redis lease on an event lives for 30 s (\`TTL\` in \`${LEASE}\`) and is never renewed, but the HTTP client in \`${WORKER}\` waits up to 45 s. When a receiver needs longer than 30 s to answer, the lease expires while the first pod is still posting, and the second pod acquires it and posts the same event again. In the logs every duplicate starts exactly 30 s after the first post and comes from the other pod; evt_771 (38.1 s) and evt_801 (33.4 s) are both over the TTL, events under 30 s are never duplicated.

**Not the cause.** The first subagent blamed \`shouldRetry\` for retrying on 409. That is a misreading: \`shouldRetry\` returns false on 409 Conflict, and a retry would show up in the same pod anyway.

Two ways out:
1. Raise the TTL to 60 s. One line, but the events of a crashed pod then lie around for a minute.
2. Keep the TTL and renew the lease from a heartbeat goroutine while the post is running.

Which one do you want?`),
        ],
        [
          say('Heartbeat it is, with plain go-redis.'),
          edit(
            LEASE,
            'func (l *Lease) Release(ctx context.Context) error {\n\treturn l.rdb.Del(ctx, l.key).Err()\n}',
            `var renew = redis.NewScript(\`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0\`)
var release = redis.NewScript(\`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0\`)

// Renew prolongs the lease if this pod still holds it.
func (l *Lease) Renew(ctx context.Context) error {
	return renew.Run(ctx, l.rdb, []string{l.key}, l.token, TTL.Milliseconds()).Err()
}

// Release gives the lease back if this pod still holds it.
func (l *Lease) Release(ctx context.Context) error {
	return release.Run(ctx, l.rdb, []string{l.key}, l.token).Err()
}`,
          ),
          edit(
            WORKER,
            '\tdefer l.Release(ctx)\n',
            '\tstop, _ := heartbeat(ctx, l, lease.TTL/3)\n\tdefer func() { stop(); l.Release(ctx) }()\n',
          ),
        ],
        [run('go test ./internal/... 2>&1 | tail -4', 'Run the tests', 'TestReleaseWhileRenewing')],
        [
          say(
            'Red, even though the pipe exits 0. A renewal that is already on its way lands after the release and brings the key back to life, so the worker has to wait until the heartbeat goroutine has ended before it releases.',
          ),
          edit(
            WORKER,
            '\tstop, _ := heartbeat(ctx, l, lease.TTL/3)\n\tdefer func() { stop(); l.Release(ctx) }()\n',
            '\tstop, done := heartbeat(ctx, l, lease.TTL/3)\n\t// Wait for the heartbeat: a late renewal would revive a released lease. Client timeout: 45s.\n\tdefer func() { stop(); <-done; l.Release(ctx) }()\n',
          ),
        ],
        [run('go test ./internal/...', 'Run the tests again', 'ok  	tollbooth/internal/deliver')],
        [
          say(`Done, tests are green and \`go.mod\` is untouched.

- \`Lease.Renew\` in \`${LEASE}\` prolongs the lease with a small Lua script that compares the token first; \`Release\` does the same now. Before, \`Release\` deleted the key blindly, so a slow pod could delete the lease of the pod that had taken over.
- \`handle\` in \`${WORKER}\` renews every 10 s (a third of the TTL) while the post is running. It waits for the heartbeat goroutine to end before it releases; otherwise a late renewal revives the released lease for another 30 s.
- The TTL stays at 30 s, so events of a crashed pod are still taken over within the SLA.

Still open: roll it out to both pods at once or drain one first; an old pod still deletes leases blindly.`),
        ],
        [
          say("Right, I only looked at the default in the code. I'll correct the comment."),
          edit(WORKER, 'Client timeout: 45s.', 'Client timeout: 40s in prod (helm), 45s by default.'),
        ],
        [
          say(
            `Corrected: the comment in \`${WORKER}\` says that the client timeout is 40 s in production, where Helm's \`values-prod.yaml\` overrides it, and 45 s only by default.`,
          ),
        ],
      ],
      subagents: {
        [LOOK_RETRY]: [
          [read(RETRY)],
          [
            say(
              `The duplicate deliveries come from \`shouldRetry\` in \`${RETRY}\`: it retries on 409 Conflict, so a receiver that answers "already have it" gets the event a second time. I recommend removing the 409 case.`,
            ),
          ],
        ],
        [LOOK_LOGS]: [
          [run("grep -h 'post start' logs/*.log | sort -k3", 'All starts by event', 'evt_801')],
          [
            say(
              'Two events were posted twice: evt_771 (acme) and evt_801 (norbit). Each time the second post starts exactly 30 seconds after the first and comes from the other pod (relay-1, then relay-2). No event is posted twice by the same pod. Both first posts took longer than 30 s.',
            ),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: [/lease/, /30 ?s/, /expires|never renewed|over the TTL/, /pod/],
      },
      {
        type: ['decision', 'preference'],
        says: [/heartbeat/, /SLA|30 ?s/, /crashed pod/],
      },
      { type: ['preference', 'decision'], says: [/no new dep/, /vendor|security review/] },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'],
        says: [/late renewal|renewal that is already/, /releas/, /heartbeat|revive|back to life/],
      },
      {
        type: ['preference', 'gotcha', 'discovery', 'how-it-works', 'change'],
        says: [/timeout/, /\b40/, /helm|values-prod/i],
      },
      {
        type: ['bugfix', 'gotcha', 'discovery', 'change'],
        says: ['Release', /blindly|compares the token/, /token|pod that had taken over|slow pod/],
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: ['shouldRetry', /409/, /false|misreading|not the cause/i],
      },
      { type: ['gotcha', 'decision', 'discovery'], says: [/old pod/, /drain|roll/] },
      { type: ['bugfix', 'feature', 'change'], says: ['Renew', /10 ?s|third of the TTL/] },
      { type: ['discovery', 'gotcha'], says: [/evt_771/, /evt_801/] },
      { type: ['decision'], says: [/60 ?s/, /TTL/] },
    ],
    summaries: [
      { prompt: 1, request: [/twice/], learned: [/lease/, /30 ?s/] },
      {
        prompt: 2,
        request: [/heartbeat/],
        completed: [/Renew/],
        filesModified: [LEASE, WORKER],
        nextSteps: [/roll|drain/],
      },
      { prompt: 3, optional: true, request: [/40/], completed: [/40 ?s/] },
    ],
    noise: [
      'Two subagents on it',
      'Which one do you want',
      'ok makes sense',
      "I'll check the 409 claim",
      'Report file, function and conditions',
    ],
    untrue: [
      /it retries on 409/,
      /recommend removing the 409 case/,
      /duplicate deliveries come from .?shouldRetry/,
      /TTL (is|was raised|has been raised|now)[^.]{0,15}60/,
    ],
    followUps: [
      {
        asks: 'can I just bump the lease TTL in the relay to a minute or two?',
        says: [/SLA|30 ?s/, /crashed pod/],
      },
      {
        asks: 'why does handle() wait on the done channel before it calls Release?',
        says: [/late renewal|revive|back to life/],
      },
      { asks: "I'd like to pull in redsync for locking in tollbooth, ok?", says: [/no new dep/] },
      {
        asks: 'a client complained about receiving the same event two times in spring. what was that?',
        says: [/lease/, /expires|never renewed/],
      },
      { asks: 'how long do we wait for a slow receiver in production before giving up?', says: [/\b40/] },
    ],
    unrelated: [
      'the README badge for the build is broken, fix the link',
      'translate the onboarding mail to german, same tone',
      'rename the package Event to Envelope everywhere',
    ],
  },
};
