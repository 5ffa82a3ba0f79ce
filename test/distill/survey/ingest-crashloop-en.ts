import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const EU = 'deploy/prod-eu/configmap.yaml';
const US = 'deploy/prod-us/configmap.yaml';

const configMap = (prefetch: number, region: string) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: ingest-worker
  namespace: ingest
data:
  REGION: ${region}
  PREFETCH_COUNT: "${prefetch}"
  LOG_LEVEL: info
`;

const KUBECTL = `#!/bin/sh
mkdir -p .kube
case "$*" in
  *current-context*) echo prod-us ;;
  *"get pods"*)
    echo "NAME                     READY  STATUS            RESTARTS"
    for n in 1 2 3 4; do
      if [ -f .kube/restarted ]; then echo "ingest-worker-$n          1/1    Running           0"
      else echo "ingest-worker-$n          0/1    CrashLoopBackOff  11"; fi
    done ;;
  *"describe pod"*) echo "Image: images.local/ingest-worker:$(cat .kube/image 2>/dev/null || echo v2.32.0)"
    echo "Limits: memory: 512Mi"; echo "Last State: Terminated  Reason: OOMKilled  Exit Code: 137" ;;
  *"rollout undo"*) echo v2.31.4 > .kube/image; echo "deployment.apps/ingest-worker rolled back" ;;
  *"rollout status"*)
    if [ -f .kube/restarted ]; then echo 'deployment "ingest-worker" successfully rolled out'
    else echo "error: timed out waiting for the condition" >&2; exit 1; fi ;;
  *"get configmap"*) cat deploy/prod-eu/configmap.yaml ;;
  *apply*) touch .kube/applied; echo "configmap/ingest-worker configured" ;;
  *"rollout restart"*) [ -f .kube/applied ] && touch .kube/restarted; echo "deployment.apps/ingest-worker restarted" ;;
  *"set image"*) echo v2.32.0 > .kube/image; echo "deployment.apps/ingest-worker image updated" ;;
  *"top pods"*) for n in 1 2 3 4; do echo "ingest-worker-$n   180m   231Mi"; done ;;
  *) echo "unknown: $*" >&2; exit 1 ;;
esac
`;

export const ingestCrashloop: SurveySession = {
  name: 'ingest crashloop',
  about:
    'An incident: a rollback that does not help, a ConfigMap that does; the terminal dies during the redrive.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'kubernetes',
  files: {
    [EU]: configMap(500, 'eu'),
    [US]: configMap(50, 'us'),
    'deploy/base/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ingest-worker
  namespace: ingest
spec:
  replicas: 4
  template:
    spec:
      containers:
        - name: worker
          image: images.local/ingest-worker:v2.32.0
          envFrom:
            - configMapRef:
                name: ingest-worker
          resources:
            limits:
              memory: 512Mi
`,
    'scripts/redrive.sh': `#!/bin/sh
# Moves messages from ingest.dlq back to ingest.
if [ "$1" = --dry-run ]; then echo "would move 18240 messages"; exit 0; fi
n=0
while [ $n -lt 60 ]; do
  n=$((n + 1))
  echo "batch $n: $2 messages" >> redrive.log
  sleep 0.3
done
`,
  },
  programs: { kubectl: KUBECTL },
  prompts: [
    'PAGER: ingest workers in prod-eu crashloop since the 14:20 deploy. get it stable first, then root cause, then redrive the DLQ with scripts/redrive.sh. never go below 4 replicas, partition assignment breaks with fewer. and hands off prod-us, that one is fine',
  ],
  how: { cut: 'killed', when: 'redrive.log' },
  script: (dir) => {
    const { run, fail, cut, read, edit } = callsIn(dir);
    const k = 'kubectl --context prod-eu -n ingest';
    return {
      main: [
        [
          say('On it. First which cluster I am talking to, then the pods.'),
          run('kubectl config current-context', 'Show the current context', 'prod-us'),
        ],
        [
          say(
            "Careful: the default context on this machine is prod-us. I'll pass `--context prod-eu` explicitly on every single command.",
          ),
          run(`${k} get pods`, 'List the workers', 'CrashLoopBackOff'),
          run(`${k} describe pod ingest-worker-1`, 'Why it dies', 'OOMKilled'),
        ],
        [
          say(
            'All four are OOMKilled at the 512Mi limit. v2.32.0 went out at 14:20, so a memory leak in the new image is the obvious suspect. Rolling back to v2.31.4 to get stable.',
          ),
          run(`${k} rollout undo deployment/ingest-worker`, 'Roll back to the previous image', 'rolled back'),
        ],
        [
          fail(
            `${k} rollout status deployment/ingest-worker --timeout=90s`,
            'Wait for the rollback',
            'timed out',
          ),
        ],
        [run(`${k} describe pod ingest-worker-1`, 'Which image dies now', 'v2.31.4')],
        [
          say(
            "The rollback didn't help: v2.31.4 ran for three weeks without trouble and is OOMKilled now as well. So the image is innocent. `kubectl rollout undo` only restores the pod template, a ConfigMap that changed in the same deploy stays as it is. Let me compare the two regions' config.",
          ),
          run(`diff -u ${US} ${EU}`, 'Compare the config of the regions', 'PREFETCH_COUNT: "500"'),
          run(`${k} get configmap ingest-worker -o yaml`, 'What is live', 'PREFETCH_COUNT'),
        ],
        [read(EU), read('deploy/base/deployment.yaml'), read('scripts/redrive.sh')],
        [
          say(`Root cause found. \`PREFETCH_COUNT\` in prod-eu was raised from 50 to 500 in the same deploy. A message is about 2 MB once decompressed, so 500 prefetched messages need roughly 1 GB per worker, twice the 512Mi limit. The backlog makes sure the prefetch buffer is always full, that's why it dies within seconds of starting.

I put it back to 50 rather than raising the memory limit: at 2Gi only three workers fit on the EU nodes, and that would take us below the four replicas.`),
          edit(EU, 'PREFETCH_COUNT: "500"', 'PREFETCH_COUNT: "50"'),
        ],
        [run(`${k} apply -f ${EU}`, 'Apply the ConfigMap', 'configured')],
        [
          say(
            'The workers read the ConfigMap through envFrom, i.e. only at start, so applying it changes nothing until a restart.',
          ),
          run(`${k} rollout restart deployment/ingest-worker`, 'Restart the workers', 'restarted'),
        ],
        [
          run(
            `${k} rollout status deployment/ingest-worker --timeout=90s`,
            'Wait for the restart',
            'successfully rolled out',
          ),
          run(`${k} top pods`, 'Memory of the workers', '231Mi'),
        ],
        [
          say(
            'Stable: 4/4 running at 231Mi each. Since v2.32.0 was not at fault, I roll forward to it again; its schema migration has already run and v2.31.4 would reject the new `origin` column.',
          ),
          run(
            `${k} set image deployment/ingest-worker worker=images.local/ingest-worker:v2.32.0`,
            'Roll forward',
            'image updated',
          ),
          run(
            `${k} rollout status deployment/ingest-worker --timeout=90s`,
            'Wait for it',
            'successfully rolled out',
          ),
        ],
        [run('sh scripts/redrive.sh --dry-run', 'Count what is in the DLQ', '18240')],
        [
          say(
            '18240 messages in the DLQ. I redrive in batches of 200, so that the workers keep up with live traffic. This will take a few minutes.',
          ),
          cut('sh scripts/redrive.sh --batch 200', 'Redrive the DLQ'),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: ['PREFETCH_COUNT', '500', /512Mi|1 GB/],
      },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/rollout undo/, /ConfigMap/] },
      {
        type: ['decision', 'bugfix', 'gotcha', 'change'],
        says: [/memory limit|2Gi/, /three workers|four replicas|4 replicas/],
      },
      { type: ['preference', 'gotcha'], says: [/4 replicas|four replicas/, /partition assignment/] },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/context/, 'prod-us', /default/] },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/envFrom/, /restart|at start/] },
      { type: ['gotcha', 'discovery', 'decision', 'change'], says: ['v2.31.4', /origin|schema migration/] },
    ],
    niceToHave: [
      { type: ['preference'], says: [/prod-us/, /hands off/] },
      { type: ['discovery', 'change', 'decision'], says: ['18240', /DLQ/] },
      { type: ['decision', 'change', 'discovery'], says: [/batches of 200/, /redrive/] },
      { type: ['discovery', 'gotcha'], says: [/v2\.31\.4/, /OOMKilled/, /innocent|didn't help/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/crashloop/, 'prod-eu'],
        learned: [/PREFETCH_COUNT|prefetch/],
        filesRead: ['deploy/base/deployment.yaml'],
        filesModified: [EU],
      },
    ],
    noise: [
      'On it. First which cluster',
      'This will take a few minutes',
      'Let me compare',
      'timed out waiting for the condition',
    ],
    untrue: [
      /(redrive|DLQ) (is|was|has been) (done|finished|complete|emptied|redriven)/,
      /redrove (all|18240)/,
      /(root )?cause[^.]{0,20}(is|was) a memory leak/,
      /memory leak in (the new image|v2\.32\.0) (is the obvious suspect|caused)/,
      /prod-eu (now )?(runs|is running|is) (on )?v2\.31\.4/,
    ],
    followUps: [
      {
        asks: 'someone wants PREFETCH_COUNT at 300 in prod-eu to get more throughput, ok?',
        says: [/512Mi|1 GB|2 MB/],
      },
      {
        asks: 'I reverted a bad release of the worker but it still misbehaves exactly as before. what does the revert leave out?',
        says: [/ConfigMap/],
      },
      {
        asks: 'can we run the EU consumers with two pods over the weekend to save money?',
        says: [/4 replicas|four replicas/, /partition/],
      },
      {
        asks: 'changed LOG_LEVEL in the configmap and applied it, why is nothing happening?',
        says: [/restart|at start/, /envFrom/],
      },
      {
        asks: 'can I just go back to v2.31.4 if the next release is bad?',
        says: [/origin|schema migration/],
      },
    ],
    unrelated: [
      'write a short onboarding page for new people on call: where the rota is and whom to ask',
      'how do I make yamllint accept lines longer than 80 characters?',
      'what does the difference between a Job and a CronJob come down to?',
    ],
  },
};
