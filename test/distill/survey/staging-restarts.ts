import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const COMPOSE = 'deploy/staging/compose.yaml';
const ENTRY = 'deploy/staging/entry.sh';

export const stagingRestarts: SurveySession = {
  name: 'staging-restarts',
  about:
    'A container on staging restarts in a loop; it looks like memory and is the health check with autoheal.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'docker',
  files: {
    [COMPOSE]: `name: stg

services:
  ingest:
    image: registry.example.net/ingest:3.14.2
    entrypoint: ["/bin/sh", "/app/entry.sh"]
    mem_limit: 512m
    labels:
      autoheal: "true"
    volumes:
      - ./entry.sh:/app/entry.sh:ro
    healthcheck:
      test: ["CMD", "wget", "-qO-", "http://localhost:7070/healthz"]
      interval: 5s
      retries: 3
      start_period: 10s
    depends_on: [db]

  db:
    image: postgres:16.4
    volumes:
      - pgdata:/var/lib/postgresql/data

  autoheal:
    image: willfarrell/autoheal:latest
    volumes:
      - /var/run/docker.sock:/var/run/docker.sock

volumes:
  pgdata:
`,
    [ENTRY]: `#!/bin/sh
set -e
/app/migrate --wait
/app/ingest serve --port 7070
`,
    'README.md': '# Ingest\n\nStaging lives in deploy/staging.\n',
  },
  programs: {
    docker: `#!/bin/sh
compose=${COMPOSE}
applied=.git/applied-compose
[ -f "$applied" ] || git show HEAD:$compose > "$applied"
period() { sed -n 's/.*start_period: \\([0-9]*\\)s/\\1/p' "$applied"; }
case "$*" in
  *" ps"*)
    if [ "$(period)" -ge 45 ]; then state="Up 2 minutes (healthy)"; else state="Up 14 seconds (health: starting)"; fi
    echo "NAME             IMAGE                                  STATUS"
    echo "stg-autoheal-1   willfarrell/autoheal                   Up 2 days (healthy)"
    echo "stg-db-1         postgres:16.4                          Up 2 days"
    echo "stg-ingest-1     registry.example.net/ingest:3.14.2     $state" ;;
  *" logs"*)
    echo "ingest-1  | 2026-03-03T08:12:01Z migrate: waiting for lock"
    echo "ingest-1  | 2026-03-03T08:12:32Z migrate: 0 pending, schema checks done"
    echo "ingest-1  | 2026-03-03T08:12:39Z ingest: listening on :7070" ;;
  inspect*StartPeriod*) echo "$(period)s" ;;
  inspect*) echo "exit=137 oom=false restarts=0" ;;
  stats*) echo "stg-ingest-1   214.6MiB / 512MiB   41.9%" ;;
  events*)
    echo "2026-03-03T08:11:34Z container health_status: unhealthy (name=stg-ingest-1)"
    echo "2026-03-03T08:11:37Z container kill (name=stg-ingest-1, signal=15)"
    echo "2026-03-03T08:11:47Z container kill (name=stg-ingest-1, signal=9)"
    echo "2026-03-03T08:11:47Z container die (exitCode=137, name=stg-ingest-1)"
    echo "2026-03-03T08:11:48Z container restart (name=stg-ingest-1)" ;;
  *" restart"*) echo " Container stg-ingest-1  Restarting"; echo " Container stg-ingest-1  Started" ;;
  *" up "*) cp $compose "$applied"; echo " Container stg-ingest-1  Recreated"; echo " Container stg-ingest-1  Started" ;;
  *" stop "*) if grep -q 'exec /app/ingest' ${ENTRY}; then echo " Container stg-ingest-1  Stopped  0.6s"; else echo " Container stg-ingest-1  Stopped  10.3s"; fi ;;
  *) echo "Docker version 27.3.1" ;;
esac
`,
  },
  prompts: [
    "ingest on staging restarts about once a minute since we moved to stg-02, pls find out why and fix. never `down -v` there btw, pgdata has the Halvorsen demo data and there's no backup of it. and we dont run :latest on staging, I see someone sneaked one in",
    'hm 45 is too tight, when the nightly reindex holds the lock ingest needs about 70s to come up. make it 90. rest is fine, commit it under OPS-318',
    'thx, great',
  ],
  script: (dir) => {
    const { run, read, edit } = callsIn(dir);
    const on = `docker compose -f ${COMPOSE}`;
    return {
      main: [
        [
          say("I'll look at the state of the stack first, read-only."),
          run(`${on} ps`, 'Show the containers', 'health: starting'),
          run(
            "docker inspect -f 'exit={{.State.ExitCode}} oom={{.State.OOMKilled}} restarts={{.RestartCount}}' stg-ingest-1",
            'Show the last exit',
            'exit=137',
          ),
          read(COMPOSE),
        ],
        [
          say(
            'Exit 137 with a 512m limit – my first guess is that the new box hits the memory limit. Let me check that before touching mem_limit.',
          ),
          run('docker stats --no-stream stg-ingest-1', 'Measure memory', '214.6MiB'),
        ],
        [
          say(
            "Not memory: OOMKilled is false and it sits at 214 MiB of 512. Also the restart count is 0, so it isn't Docker's restart policy either. Something outside restarts it.",
          ),
          run(
            'docker events --since 10m --until 0s --filter container=stg-ingest-1',
            'Show the events',
            'health_status: unhealthy',
          ),
          run(`${on} logs --tail 20 ingest`, 'Show the log', 'listening on :7070'),
          read(ENTRY),
        ],
        [
          say(
            'Now it adds up. The autoheal sidecar restarts ingest as soon as it turns unhealthy, and on stg-02 ingest needs 38 s until it listens while the health check gives up after 25 s (10 s start_period plus 3 × 5 s).\n\nThe 137 was a red herring: entry.sh starts ingest as a child of sh, sh does not pass SIGTERM on, so every stop waits 10 s and ends in SIGKILL.',
          ),
          edit(COMPOSE, 'start_period: 10s', 'start_period: 45s'),
        ],
        [
          edit(ENTRY, '/app/ingest serve', 'exec /app/ingest serve'),
          edit(COMPOSE, 'willfarrell/autoheal:latest', 'willfarrell/autoheal:1.2.0'),
        ],
        [
          run(`${on} restart ingest`, 'Restart ingest', 'Started'),
          run(
            "docker inspect -f '{{.Config.Healthcheck.StartPeriod}}' stg-ingest-1",
            'Check the start period',
            '10s',
          ),
        ],
        [
          say(
            'Still 10s: `docker compose restart` reuses the existing container and ignores changes in the compose file. It takes `up -d` to recreate it.',
          ),
          run(`${on} up -d ingest autoheal`, 'Recreate the two services', 'Recreated'),
          run(
            "docker inspect -f '{{.Config.Healthcheck.StartPeriod}}' stg-ingest-1",
            'Check the start period again',
            '45s',
          ),
        ],
        [
          run(`${on} ps`, 'Is it healthy?', '(healthy)'),
          run(`${on} stop ingest && ${on} up -d ingest`, 'Time a stop', '0.6s'),
        ],
        [
          say(
            `All sorted – staging is rock solid again! 🎉

| What | Before | After |
|---|---|---|
| start_period of ingest | 10s | 45s |
| stop of ingest | 10.3 s, SIGKILL | 0.6 s, clean |
| autoheal image | latest | 1.2.0 |

**Still open:** 31 of the 38 seconds are \`migrate --wait\` sitting on a lock even with nothing to migrate; I did not find out who holds that lock on stg-02.

Let me know if you'd like me to dig into that, or to add an alert for restarts.`,
          ),
        ],
        [say('Makes sense, 90 it is.'), edit(COMPOSE, 'start_period: 45s', 'start_period: 90s')],
        [
          run(`${on} up -d ingest`, 'Recreate ingest', 'Recreated'),
          run(
            "docker inspect -f '{{.Config.Healthcheck.StartPeriod}}' stg-ingest-1",
            'Check the start period',
            '90s',
          ),
          run(
            'git commit -qam "OPS-318 give ingest 90s to start, forward SIGTERM, pin autoheal" && git log --oneline -1',
            'Commit',
            'OPS-318',
          ),
        ],
        [
          say(
            'start_period is 90s now, applied on staging and committed under OPS-318. The longer period costs nothing on a good start: the first passing probe ends it early. That also points at the nightly reindex as the holder of the migrate lock at night, though not during the day.',
          ),
        ],
        [say('Anytime! Happy to help.')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/autoheal/, /unhealthy|health check/, /38 s/],
        prompt: 1,
      },
      { type: 'preference', says: [/down -v/, /pgdata|Halvorsen/, /backup/], prompt: 1 },
      { type: 'preference', says: [/latest/, /staging/], prompt: 1 },
      { type: ['decision', 'change', 'bugfix', 'preference'], says: [/90/, /reindex/, /70/], prompt: 2 },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/137|SIGKILL/, /SIGTERM/, /entry\.sh|\bsh\b/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/compose restart/, /up -d|ignores changes/],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/migrate/, /lock/, /did not find out|31 of/], prompt: 1 },
      { type: ['discovery', 'gotcha'], says: [/OOMKilled|memory/, /214/], prompt: 1 },
      { type: ['how-it-works', 'discovery', 'gotcha'], says: [/first passing probe/, /early/], prompt: 2 },
      { type: ['change', 'bugfix', 'feature'], says: [/OPS-318/, /90s/], prompt: 2 },
      { type: ['discovery', 'gotcha'], says: [/reindex/, /migrate lock/], prompt: 2 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/ingest/, /restart/],
        learned: [/autoheal|SIGTERM|unhealthy/],
        completed: [/1\.2\.0|start_period|exec|0\.6/],
        nextSteps: [/lock|migrate/],
        filesModified: [COMPOSE, ENTRY],
      },
      { prompt: 2, request: [/90|45/], completed: [/90/], filesModified: [COMPOSE] },
    ],
    noise: [
      "I'll look at the state of the stack first",
      'my first guess is that the new box hits the memory limit',
      'staging is rock solid again',
      "Let me know if you'd like me to dig into that",
      'Anytime! Happy to help',
      'Makes sense, 90 it is',
      'thx, great',
    ],
    untrue: [
      /start_period (is|now|set to|raised to)[^.]{0,10}45/,
      /mem_limit (was )?raised/,
      /(out of memory|memory limit) (was|is) the cause/,
    ],
    followUps: [
      {
        asks: 'I want to start staging over with an empty database, can I just wipe the volumes?',
        says: [/down -v/, /backup|Halvorsen/],
      },
      {
        asks: 'why does the ingest service have such a long grace time before probes count? can I lower it to 30?',
        says: [/90/, /reindex/],
      },
      {
        asks: 'a container of ours exits with 137 although there is plenty of RAM left, ideas?',
        says: [/SIGTERM/],
      },
      {
        asks: 'I edited the compose file and restarted the service but it runs with the old settings',
        says: [/up -d|ignores changes/],
      },
      { asks: 'adding a redis to the staging stack, which image tag do I put?', says: [/latest/] },
      {
        asks: 'who or what kills ingest when it comes up slowly? there is no restart policy set',
        says: [/autoheal/],
      },
    ],
    unrelated: [
      'write a unit test for the csv parser with quoted newlines',
      'add a --dry-run flag to the export command',
      'the login page shows an error after changing the password, please have a look',
    ],
  },
};
