import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const VALUES = 'charts/tracking/values.yaml';
const STAGING = 'charts/tracking/values-staging.yaml';
const DEPLOYMENT = 'charts/tracking/templates/deployment.yaml';
const DRAINER = 'cluster/spot-drainer.yaml';
const RUNBOOK = 'docs/runbook.md';
const UPGRADE = `helm upgrade tracking charts/tracking -n parcel-stg -f ${STAGING} --wait --timeout 3m`;

export const helmDrain502: SurveySession = {
  name: 'helm-drain-502',
  about:
    '502s on every rollout: grace period shorter than the websocket drain. 30 s is tried, measured, corrected to 45 s; an upgrade drops a hand-set value and is rolled back.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'kubernetes',
  files: {
    [VALUES]: `image:
  repository: registry.parcel.example/tracking-api
  tag: "3.18.2"
replicas: 3
terminationGracePeriodSeconds: 10
redis:
  host: redis.shared
  auth:
    existingSecret: ""
`,
    [STAGING]: `replicas: 2
ingress:
  host: tracking.stg.parcel.example
`,
    'charts/tracking/values-production.yaml': `replicas: 8
ingress:
  host: tracking.parcel.example
redis:
  auth:
    existingSecret: redis-auth-prod
`,
    [DEPLOYMENT]: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: tracking-api
spec:
  replicas: {{ .Values.replicas }}
  template:
    spec:
      terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
      containers:
        - name: api
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
          ports:
            - containerPort: 8080
          readinessProbe:
            httpGet: { path: /readyz, port: 8080 }
`,
    [DRAINER]: `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: spot-drainer
spec:
  template:
    spec:
      nodeSelector: { pool: spot }
      containers:
        - name: drainer
          args: ["--evict-on-notice", "--hard-kill-after=60s"]
`,
    [RUNBOOK]: `# Runbook

## Deploying to staging

    helm upgrade tracking charts/tracking -n parcel-stg -f charts/tracking/values-staging.yaml
`,
  },
  programs: {
    helm: `#!/bin/sh
S="$HOME/.fakehelm"; mkdir -p "$S"
[ -f "$S/history" ] || printf '40 superseded Upgrade complete\\n41 deployed Upgrade complete\\n' > "$S/history"
[ -f "$S/live" ] || echo 10 > "$S/live"
last=$(tail -1 "$S/history" | cut -d' ' -f1)
case "$1" in
  list) echo "NAME      NAMESPACE   REVISION  STATUS    CHART           APP VERSION"; echo "tracking  parcel-stg  $last        deployed  tracking-0.9.4  3.18.2" ;;
  history) echo "REVISION STATUS DESCRIPTION"; cat "$S/history" ;;
  get) echo "USER-SUPPLIED VALUES:"; echo "ingress:"; echo "  host: tracking.stg.parcel.example"; echo "redis:"; echo "  auth:"; echo "    existingSecret: redis-auth-stg"; echo "replicas: 2" ;;
  lint) echo "1 chart(s) linted, 0 chart(s) failed" ;;
  rollback) n=$((last+1)); echo "$n deployed Rollback to $3" >> "$S/history"; echo 10 > "$S/live"; echo "Rollback was a success! Happy Helming!" ;;
  upgrade)
    n=$((last+1))
    if ! grep -q 'existingSecret: redis-auth-stg' ${STAGING}; then
      echo "$n failed Upgrade failed: context deadline exceeded" >> "$S/history"; echo broken > "$S/live"
      echo "Error: UPGRADE FAILED: context deadline exceeded" >&2; exit 1
    fi
    g=$(sed -n 's/^terminationGracePeriodSeconds: //p' ${STAGING}); [ -n "$g" ] || g=10
    echo "$g" > "$S/live"; echo "$n deployed Upgrade complete" >> "$S/history"
    echo "Release \\"tracking\\" has been upgraded. Happy Helming!"; echo "STATUS: deployed"; echo "REVISION: $n" ;;
esac
`,
    kubectl: `#!/bin/sh
live=$(cat "$HOME/.fakehelm/live" 2>/dev/null || echo 10)
case "$*" in
  *"get pods"*) if [ "$live" = broken ]; then
      echo "NAME                            READY   STATUS             RESTARTS"
      echo "tracking-api-6d9f7c5b8-2xkqp    1/1     Running            0"
      echo "tracking-api-7c44f8d9c6-nn5vd   0/1     CrashLoopBackOff   4"
    else
      echo "NAME                            READY   STATUS    RESTARTS"
      echo "tracking-api-6d9f7c5b8-2xkqp    1/1     Running   0"
      echo "tracking-api-6d9f7c5b8-w8r4m    1/1     Running   0"
    fi ;;
  *"logs"*) case "$live" in
      broken) echo "fatal: redis: NOAUTH Authentication required (no password configured)" ;;
      10) echo "SIGTERM received, draining 212 websocket sessions"; echo "drain: 171 left after 9s" ;;
      30) echo "SIGTERM received, draining 208 websocket sessions"; echo "drain: 19 left after 29s" ;;
      *) echo "SIGTERM received, draining 214 websocket sessions"; echo "drain: complete after 38.2s, exit 0" ;;
    esac ;;
  *"get events"*) echo "Normal   Killing   pod/tracking-api   Stopping container api"; echo "Warning  Killed    pod/tracking-api   Container did not terminate within grace period ($live s), SIGKILL sent" ;;
  *"rollout restart"*) echo "deployment.apps/tracking-api restarted" ;;
  *"rollout status"*) echo 'deployment "tracking-api" successfully rolled out' ;;
  *) echo "ok" ;;
esac
`,
    hey: `#!/bin/sh
case "$(cat "$HOME/.fakehelm/live" 2>/dev/null || echo 10)" in
  10) echo "Status code distribution:"; echo "  [200] 8112 responses"; echo "  [502] 641 responses" ;;
  30) echo "Status code distribution:"; echo "  [200] 8690 responses"; echo "  [502] 73 responses" ;;
  *) echo "Status code distribution:"; echo "  [200] 8804 responses" ;;
esac
`,
  },
  prompts: [
    'every rollout of tracking-api on staging throws 502s for a while since we moved to websockets. release is tracking, ns parcel-stg. find out why + fix. staging only pls, prod values only ever change in the friday train PR, never by hand',
    'nice. but why 45 and not simply 90 to be on the safe side? and put the secret thing somewhere ppl actually look',
    'ok makes sense, commit it. thx!',
  ],
  script: (dir) => {
    const { run, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("I'll start by looking at the release and what the pods say when they go down."),
          run('helm list -n parcel-stg', 'List the releases', 'tracking-0.9.4'),
          run('kubectl -n parcel-stg get pods -l app=tracking-api', 'List the pods', 'Running'),
        ],
        [read(DEPLOYMENT), read(VALUES), read(STAGING)],
        [
          run(
            'kubectl -n parcel-stg rollout restart deploy/tracking-api && hey -z 60s -c 20 https://tracking.stg.parcel.example/v1/ping',
            'Restart under load',
            '[502] 641',
          ),
          run(
            'kubectl -n parcel-stg logs deploy/tracking-api --previous --tail=20',
            'Log of the pod that went',
            '171 left',
          ),
          run(
            'kubectl -n parcel-stg get events --sort-by=.lastTimestamp | tail -5',
            'Recent events',
            'SIGKILL',
          ),
        ],
        [
          say(
            'Reproduced: 641 of about 8,700 requests got a 502. On SIGTERM the API drains its websocket sessions, but the grace period is 10 s, so the kubelet sends SIGKILL while 171 sessions are still open and the ingress answers 502 for everything in flight on them. Raising the grace period to 30 s, the Kubernetes default, should cover it.',
          ),
          edit(STAGING, 'replicas: 2\n', 'replicas: 2\nterminationGracePeriodSeconds: 30\n'),
        ],
        [run(`${UPGRADE} | tail -4`, 'Upgrade staging', 'UPGRADE FAILED')],
        [
          say(
            'The exit code was swallowed by the pipe, but this upgrade did not go through. Let me see what the new pod is doing.',
          ),
          run('kubectl -n parcel-stg get pods -l app=tracking-api', 'List the pods', 'CrashLoopBackOff'),
          run('kubectl -n parcel-stg logs deploy/tracking-api --tail=5', 'Log of the crashing pod', 'NOAUTH'),
          run(
            'helm get values tracking -n parcel-stg --revision 41',
            'Values of the last good revision',
            'redis-auth-stg',
          ),
        ],
        [
          say(
            "That's unrelated to the grace period. Revision 41 carries `redis.auth.existingSecret=redis-auth-stg`, which somebody once passed with `--set` and which is in no file: any `helm upgrade -f values-staging.yaml` drops it and the new pods crash with NOAUTH. Rolling back first so staging is healthy while I sort it out.",
          ),
          run(
            'helm rollback tracking 41 -n parcel-stg --wait',
            'Roll back to revision 41',
            'Rollback was a success',
          ),
          run('kubectl -n parcel-stg get pods -l app=tracking-api', 'Check the pods', 'Running'),
        ],
        [
          say(
            'Staging is healthy again. I could add `--reuse-values`, but that also hides every later change of the defaults in values.yaml, so the secret name goes into the staging values file.',
          ),
          edit(
            STAGING,
            'ingress:\n  host: tracking.stg.parcel.example\n',
            'ingress:\n  host: tracking.stg.parcel.example\nredis:\n  auth:\n    existingSecret: redis-auth-stg\n',
          ),
        ],
        [
          run('helm lint charts/tracking', 'Lint the chart', '0 chart(s) failed'),
          run(UPGRADE, 'Upgrade staging', 'REVISION: 44'),
        ],
        [
          run(
            'kubectl -n parcel-stg rollout restart deploy/tracking-api && hey -z 60s -c 20 https://tracking.stg.parcel.example/v1/ping',
            'Restart under load',
            '[502] 73',
          ),
          run(
            'kubectl -n parcel-stg logs deploy/tracking-api --previous --tail=20',
            'Log of the pod that went',
            '19 left after 29s',
          ),
        ],
        [
          say(
            'Better, but still 73 errors: 19 sessions were left when the 30 s ran out. 30 s is not enough. Trying 45.',
          ),
          edit(STAGING, 'terminationGracePeriodSeconds: 30', 'terminationGracePeriodSeconds: 45'),
        ],
        [
          run(UPGRADE, 'Upgrade staging', 'REVISION: 45'),
          run(
            'kubectl -n parcel-stg rollout restart deploy/tracking-api && hey -z 60s -c 20 https://tracking.stg.parcel.example/v1/ping',
            'Restart under load',
            '[200] 8804',
          ),
          run(
            'kubectl -n parcel-stg logs deploy/tracking-api --previous --tail=20',
            'Log of the pod that went',
            'complete after 38.2s',
          ),
        ],
        [
          say(`Rollouts on staging are clean now: **0 errors in 8,804 requests** during a restart, down from 641. 🎉

**What was wrong.** The grace period was 10 s, but draining the websocket sessions takes up to 38 s; the kubelet killed the pods halfway through.

**What I changed** (only \`values-staging.yaml\`)
- \`terminationGracePeriodSeconds: 45\`, i.e. the measured 38 s drain plus a margin
- \`redis.auth.existingSecret: redis-auth-stg\`, which used to live only in the release

**Heads-up**
- Staging was degraded for about two minutes: revision 42 crashed and I rolled back to 41.
- Production still has the 10 s default, so it will show the same 502s once websockets are enabled there; that has to go into the train.

Let me know if you'd like me to prepare the PR for that!`),
        ],
        [
          say('Fair question. Let me check what limits us from above.'),
          run(
            'grep -rn "60\\|grace\\|kill" cluster',
            'Look for limits in the cluster config',
            'hard-kill-after=60s',
          ),
          read(DRAINER),
          read(RUNBOOK),
        ],
        [
          say(
            'There is a ceiling: on the spot pool the drainer hard-kills every pod 60 s after the reclaim notice, so anything above 60 would be a promise the nodes do not keep. I am staying at 45 and writing both down in the runbook.',
          ),
          edit(
            RUNBOOK,
            '-f charts/tracking/values-staging.yaml\n',
            `-f charts/tracking/values-staging.yaml

Never pass values with --set: the next upgrade from the file drops them (this took staging down once, redis NOAUTH).
The grace period must stay above the websocket drain (38 s measured) and below 60 s (spot-drainer).
`,
          ),
        ],
        [
          say(
            '45 s stays: a longer grace period is useless because the spot drainer kills pods after 60 s anyway, and it would slow every rollout down. The `--set` trap and both bounds are in `docs/runbook.md`, right under the deploy command. Anything else?',
          ),
        ],
        [
          run(
            'git add -A && git commit -qm "staging: drain websockets for 45 s, keep the redis secret in the values file" && git log --oneline | head -1',
            'Commit',
          ),
        ],
        [say('Committed.')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [/grace period/, /10 s/, /38 s|171|SIGKILL|drain/, /websocket/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/--set/, /NOAUTH|existingSecret|drops/],
        prompt: 1,
      },
      {
        type: ['decision', 'discovery', 'gotcha'],
        says: [/spot/, /60 s/, /drainer/],
        files: [DRAINER],
        prompt: 2,
      },
      { type: 'preference', says: [/prod/, /friday train/], prompt: 1 },
      { type: ['change', 'bugfix', 'decision'], says: [/45/, /38 s|drain/] },
    ],
    niceToHave: [
      {
        type: ['decision', 'gotcha'],
        says: [/reuse-values/, /defaults/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/30 s/, /not enough|19 sessions/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/production/, /10 s/, /train|502/],
        prompt: 1,
      },
      {
        type: ['discovery', 'change', 'gotcha', 'bugfix'],
        says: [/rolled back/, /41/],
        prompt: 1,
      },
      {
        type: ['change', 'feature'],
        says: [/runbook/, /--set|bounds/],
        files: [RUNBOOK],
        prompt: 2,
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['502'],
        learned: [/grace period/],
        completed: ['45'],
        nextSteps: [/train/],
        filesModified: [STAGING],
      },
      {
        prompt: 2,
        request: ['45'],
        learned: [/60 s/],
        completed: [/runbook/],
        filesModified: [RUNBOOK],
      },
      { prompt: 3, optional: true },
    ],
    noise: [
      "I'll start by looking at the release",
      'Happy Helming',
      'should cover it',
      'Let me see what the new pod is doing',
      "Let me know if you'd like me to prepare",
      'Fair question',
      'Anything else?',
      'Staging is healthy again',
    ],
    untrue: [
      /30 s(econds)? (fixes|fixed|is enough|covers)/,
      /(raising|raised|set) the grace period to 30/,
      /production (now )?has (been changed|45)/,
    ],
    followUps: [
      {
        asks: 'the new colleague wants to bump the shutdown time of the tracking pods to two minutes, any objection?',
        says: [/60 s/],
      },
      {
        asks: 'redis login fails on staging right after a helm upgrade, seen this before?',
        says: [/--set|existingSecret/],
      },
      {
        asks: 'we enable sockets for live customers next week. what do I have to prepare so deploys dont produce gateway errors?',
        says: [/10 s|45|drain/],
      },
      {
        asks: 'can I quickly edit values-production.yaml and apply it from my laptop?',
        says: [/friday train/],
      },
      {
        asks: 'how long does a tracking-api pod need until all its sessions are gone?',
        says: [/38 s/],
      },
    ],
    unrelated: [
      'add a HorizontalPodAutoscaler template to the label-printer chart',
      'which version of cert-manager do we run, and is there a newer chart?',
      'write a github workflow that lints the yaml files on every pull request',
    ],
  },
};
