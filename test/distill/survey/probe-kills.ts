import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const DEPLOYMENT = 'k8s/base/deployment.yaml';
const PROBES = 'k8s/overlays/prod/patch-probes.yaml';
const HEALTH = 'server/health.go';
const RUNBOOK = 'docs/runbook.md';
const STARTED = '.rollout-watched';

const LIVENESS = `          livenessProbe:
            httpGet:
              path: /healthz
              port: 8080
            periodSeconds: 10
            failureThreshold: 3
`;

export const probeKills: SurveySession = {
  name: 'probe-kills',
  about:
    'Pods die with 137 four times a day: not memory but a liveness probe that asks the database. Cut off during the rollout.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'kubernetes',
  files: {
    [DEPLOYMENT]: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ingest-api
spec:
  replicas: 3
  template:
    spec:
      terminationGracePeriodSeconds: 300
      containers:
        - name: api
          image: registry.internal/ingest-api:2.18.0
          resources:
            limits:
              memory: 1Gi
${LIVENESS}          readinessProbe:
            httpGet:
              path: /healthz
              port: 8080
`,
    'k8s/base/kustomization.yaml': 'resources:\n  - deployment.yaml\n  - worker.yaml\n',
    'k8s/base/worker.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ingest-worker
spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: worker
          image: registry.internal/ingest-worker:2.18.0
${LIVENESS}`,
    'k8s/overlays/prod/kustomization.yaml':
      'namespace: ingest\nresources:\n  - ../../base\npatches:\n  - path: patch-probes.yaml\n',
    [PROBES]: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ingest-api
spec:
  template:
    spec:
      containers:
        - name: api
          livenessProbe:
            httpGet:
              path: /healthz
              port: 8080
            periodSeconds: 5
            failureThreshold: 3
`,
    [HEALTH]: `package server

// healthz answers when the database does.
func (s *Server) healthz(w http.ResponseWriter, r *http.Request) {
	if err := s.db.PingContext(r.Context()); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// livez answers as long as the process does.
func (s *Server) livez(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusOK) }
`,
    [RUNBOOK]: '# Runbook ingest\n\n- 137: out of memory, raise the limit\n',
  },
  programs: {
    kubectl: `#!/bin/sh
case "$*" in
  "get pods -n ingest") cat <<'END'
NAME                             READY   STATUS    RESTARTS        AGE
ingest-api-6c9f7d6b8-4xk2p       1/1     Running   14 (47m ago)    3d12h
ingest-api-6c9f7d6b8-m8zrt       1/1     Running   14 (47m ago)    3d12h
ingest-api-6c9f7d6b8-wq5vn       1/1     Running   14 (47m ago)    3d12h
ingest-worker-59b8c4d9f7-7ln6c   1/1     Running   2 (2d ago)      3d12h
ingest-worker-59b8c4d9f7-kd9sx   1/1     Running   2 (2d ago)      3d12h
END
  ;;
  "describe pod"*) cat <<'END'
    Last State:     Terminated
      Reason:       Error
      Exit Code:    137
      Started:      Tue, 10 Jun 2025 08:12:31 +0000
      Finished:     Tue, 10 Jun 2025 14:08:02 +0000
    Limits:
      memory:  1Gi
Events:
  Warning  Unhealthy  48m (x42 over 3d)  kubelet  Liveness probe failed: Get "http://10.4.2.17:8080/healthz": context deadline exceeded
  Normal   Killing    47m (x14 over 3d)  kubelet  Container api failed liveness probe, will be restarted
END
  ;;
  "top pods"*) cat <<'END'
NAME                             CPU(cores)   MEMORY(bytes)
ingest-api-6c9f7d6b8-4xk2p       118m         204Mi
ingest-api-6c9f7d6b8-m8zrt       121m         212Mi
ingest-api-6c9f7d6b8-wq5vn       109m         198Mi
END
  ;;
  "get cronjobs -A") cat <<'END'
NAMESPACE   NAME             SCHEDULE        SUSPEND   ACTIVE   LAST SCHEDULE
db          vacuum-analyze   5 2,8,14,20 * * *   False     0        52m
ingest      purge-tmp        30 3 * * *          False     0        11h
END
  ;;
  "logs"*) cat <<'END'
14:07:41 WARN slow ping db=ingest took=1.38s
14:07:47 WARN slow ping db=ingest took=1.41s
14:07:53 WARN slow ping db=ingest took=6.2s
14:08:02 INFO signal: terminated
END
  ;;
  "kustomize"*) cat ${PROBES} ;;
  "diff -k"*)
    if grep -q livez ${PROBES}; then
      printf -- '-            path: /healthz\\n+            path: /livez\\n'
      exit 1
    fi ;;
  "apply -k"*) echo "deployment.apps/ingest-api configured"; echo "deployment.apps/ingest-worker unchanged" ;;
  "rollout status"*)
    echo "Waiting for deployment \\"ingest-api\\" rollout to finish: 1 out of 3 new replicas have been updated..."
    touch ${STARTED}
    left=90
    while [ $left -gt 0 ] && [ -f ${STARTED} ]; do sleep 0.5; left=$((left - 1)); done ;;
  *) echo "Client Version: v1.29.4" ;;
esac
`,
    promtool: `#!/bin/sh
case "$*" in
  *memory*) echo '{pod="ingest-api"} => 231735296 @[1749567600]' ;;
  *) echo '{quantile="0.99"} => 1.42 @[1749567600]'; echo '{quantile="1"} => 6.21 @[1749567600]' ;;
esac
`,
  },
  prompts: [
    "ingest-api in prod restarts all three pods at the same time, several times a day, exit code 137. we already doubled memory to 1Gi last week (leave it there, Dana is watching the graphs until end of june) and it didn't help. please find out and roll out a fix, I have to go to a meeting. house rules: never kubectl edit in prod, nobody finds that again. change the overlay, show the diff, then apply -k",
  ],
  how: { cut: 'killed', when: STARTED },
  script: (dir) => {
    const { run, fail, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Let me look at the pods first.'),
          run('kubectl get pods -n ingest', 'List the pods', '14 (47m ago)'),
          read(RUNBOOK),
        ],
        [
          say(
            'Same restart count, same minute on all three. The runbook says 137 means out of memory; I want to see the reason the kubelet gives.',
          ),
          run(
            'kubectl describe pod -n ingest ingest-api-6c9f7d6b8-m8zrt | tail -12',
            'Describe one pod',
            'Liveness probe failed',
          ),
          run('kubectl top pods -n ingest -l app=ingest-api', 'Memory now', '212Mi'),
          run(
            'promtool query instant http://prom:9090 \'max_over_time(container_memory_working_set_bytes{namespace="ingest"}[7d])\'',
            'Peak memory of a week',
            '231735296',
          ),
        ],
        [
          say(
            'So it is not memory: the peak over seven days is 221 MiB of 1Gi, and the reason is "Error", not "OOMKilled". 137 only means SIGKILL, and here it is the kubelet that sends it after a failed liveness probe. The runbook entry is misleading.',
          ),
          run(
            'kubectl logs -n ingest ingest-api-6c9f7d6b8-m8zrt --previous | tail -4',
            'Last words before the kill',
            'slow ping',
          ),
          run('kubectl get cronjobs -A', 'What runs every six hours', 'vacuum-analyze'),
          read(HEALTH),
        ],
        [
          say(
            'Now it fits together. The vacuum-analyze cron job in namespace db runs at 02:05, 08:05, 14:05 and 20:05; while it runs, a database ping takes 1.4 s. `/healthz` pings the database, the liveness probe uses `/healthz` with the default timeout of 1 s, and so all replicas fail three times in a row and get killed together.',
          ),
          read(PROBES),
          read(DEPLOYMENT),
        ],
        [
          say(
            'The small fix would be a longer timeout. Let me write 5 s and check it against what we have measured.',
          ),
          edit(
            PROBES,
            '            periodSeconds: 5\n',
            '            periodSeconds: 5\n            timeoutSeconds: 5\n',
          ),
          run(
            "promtool query instant http://prom:9090 'quantile_over_time(1, db_ping_seconds[7d])'",
            'Slowest pings of a week',
            '6.21',
          ),
        ],
        [
          say(
            'No good: the slowest ping of the week took 6.2 s, so a timeout of 5 s would still kill pods, and any larger number only hides a hung process for longer. Undoing that.',
          ),
          run(`git checkout -q ${PROBES} && git status --short`, 'Undo the timeout'),
        ],
        [
          say(
            'Decision: liveness goes to `/livez`, which does not touch the database (a restart never repairs a slow database); readiness stays on `/healthz`, so a pod without database just gets no traffic.',
          ),
          edit(
            DEPLOYMENT,
            '              path: /healthz\n              port: 8080\n            periodSeconds: 10\n',
            '              path: /livez\n              port: 8080\n            periodSeconds: 10\n',
          ),
        ],
        [
          run(
            'kubectl diff -k k8s/overlays/prod && echo "no difference"',
            'Diff against prod',
            'no difference',
          ),
        ],
        [
          say(
            'Empty diff although I changed the base: patch-probes.yaml in the prod overlay brings its own livenessProbe and wins over the base. The change has to be made in the overlay as well.',
          ),
          read(PROBES),
        ],
        [edit(PROBES, 'path: /healthz', 'path: /livez')],
        [
          say('kubectl diff exits with 1 when there are differences, so the "error" below is expected.'),
          fail('kubectl diff -k k8s/overlays/prod', 'Diff against prod', '+            path: /livez'),
        ],
        [
          say('Exactly the one line, nothing else. Applying.'),
          run('kubectl apply -k k8s/overlays/prod', 'Apply', 'deployment.apps/ingest-api configured'),
        ],
        [
          say(
            "Still open after this: ingest-worker has the same liveness probe on `/healthz`, I have not touched it because its image has no `/livez` yet. If the rollout goes wrong, `kubectl rollout undo deployment/ingest-api -n ingest` brings the old pods back. This will take about 15 minutes, because each of the three pods may drain for 300 s. I'll watch it.",
          ),
          cut('kubectl rollout status deployment/ingest-api -n ingest --timeout=20m', 'Watch the rollout'),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [/vacuum/, /ping|database/, /liveness|healthz|02:05/],
      },
      { type: ['discovery', 'gotcha'], says: [/not memory|not "?OOMKilled|SIGKILL/, /221|OOMKilled|137/] },
      { type: ['decision', 'bugfix', 'change'], says: [/livez/, /readiness|database/] },
      { type: ['decision', 'discovery', 'gotcha'], says: [/timeout/, /6\.2 ?s/] },
      { type: 'preference', says: [/kubectl edit/, /overlay|never/] },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/patch-probes/, /base/, /wins|own livenessProbe|overrid/],
        files: [PROBES],
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'decision'], says: [/ingest-worker/, /livez|healthz/] },
      { type: ['preference', 'decision'], says: [/1Gi/, /Dana|june/] },
      { type: ['how-it-works', 'gotcha', 'discovery'], says: [/15 minutes/, /300 s|drain/] },
      { type: ['how-it-works', 'discovery', 'gotcha'], says: [/rollout undo/] },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/kubectl diff/, /exits with 1/] },
    ],
    summaries: [{ prompt: 1, request: [/restarts/], learned: [/liveness|vacuum/] }],
    noise: [
      'Let me look at the pods first',
      "I'll watch it",
      'Exactly the one line, nothing else',
      'The small fix would be a longer timeout',
      'I have to go to a meeting',
      '231735296',
    ],
    untrue: [
      /caused by (a lack of |too little )?memory/,
      /timeout (was |is |has been )?(raised|set|increased) to 5/,
      /rollout (is |was )?(complete|successful|finished)/,
    ],
    followUps: [
      {
        asks: 'another service shows 137 in its last state, should I just give it more RAM?',
        says: [/SIGKILL|OOMKilled/],
      },
      { asks: 'at five past two at night everything in the namespace hiccups, why?', says: [/vacuum/] },
      { asks: 'would it be enough to let the kubelet wait 5 seconds for an answer?', says: [/6\.2/] },
      {
        asks: 'I edited the base manifest of ingest-api but nothing happens in prod',
        says: [/patch-probes/],
      },
      { asks: 'can I quickly hotfix an env var directly on the live cluster?', says: [/kubectl edit/] },
      { asks: 'do the workers suffer from the same health check problem?', says: [/ingest-worker/] },
    ],
    unrelated: [
      'write a unit test for the CSV parser in server/parse.go',
      'which license headers do our go files need?',
      'draft release notes for 2.19.0 from the git log',
    ],
  },
};
