import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const API = 'systemd/ledger-api.service';
const REPORT = 'systemd/ledger-report.service';
const TIMER = 'systemd/ledger-report.timer';
const SITE = 'nginx/sites/ledger.conf';

const clock = (seconds: number) =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
const missing = Array.from(
  { length: 318 },
  (_, i) =>
    `2026/09/14 ${clock(3 * 3600 + 10 * 60 + 7 + i * 4)} [crit] 811#811: connect() to unix:/run/ledger/api.sock failed (2: No such file or directory) while connecting to upstream`,
);

export const nginxSocketEn: SurveySession = {
  name: 'nginx-socket-en',
  about:
    'Nightly 502s behind nginx: two units share a runtime directory. Killed while the fix goes to staging.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'systemd',
  files: {
    [API]: `[Unit]
Description=Ledger API
After=network.target

[Service]
User=ledger
RuntimeDirectory=ledger
ExecStart=/opt/ledger/bin/api --socket /run/ledger/api.sock
WatchdogSec=1200
Restart=on-failure

[Install]
WantedBy=multi-user.target
`,
    [REPORT]: `[Unit]
Description=Nightly ledger report

[Service]
Type=oneshot
User=ledger
RuntimeDirectory=ledger
ExecStart=/opt/ledger/bin/report --lock /run/ledger/report.lock
`,
    [TIMER]: `[Unit]
Description=Run the ledger report every night

[Timer]
OnCalendar=*-*-* 03:05:00

[Install]
WantedBy=timers.target
`,
    [SITE]: `upstream ledger {
  server unix:/run/ledger/api.sock;
}

server {
  listen 443 ssl;
  server_name ledger.example.net;
  location / {
    proxy_pass http://ledger;
    proxy_read_timeout 60s;
  }
}
`,
    'logrotate/ledger': `/var/log/ledger/*.log {
  daily
  rotate 14
  postrotate
    systemctl kill -s USR1 ledger-api.service
  endscript
}
`,
    'captures/edge-2-error.log': `${missing.join('\n')}\n`,
  },
  programs: {
    journalctl: `#!/bin/sh
case "$*" in
  *logrotate*) echo "Sep 14 00:00:01 edge-2 systemd[1]: logrotate.service: Deactivated successfully." ;;
  *ledger-report*)
    echo "Sep 14 03:05:00 edge-2 systemd[1]: Starting ledger-report.service..."
    echo "Sep 14 03:10:06 edge-2 systemd[1]: ledger-report.service: Deactivated successfully." ;;
  *ledger-api*)
    echo "Sep 14 03:31:18 edge-2 systemd[1]: ledger-api.service: Watchdog timeout (limit 20min)!"
    echo "Sep 14 03:31:19 edge-2 systemd[1]: Started ledger-api.service." ;;
esac
`,
    'systemd-analyze': `#!/bin/sh
for unit in systemd/*.service; do
  grep -q '^ExecStart=' "$unit" || { echo "$unit: no ExecStart"; exit 1; }
done
echo "verified $(ls systemd/*.service | wc -l | tr -d ' ') units, runtime directories: $(grep -h '^RuntimeDirectory=' systemd/*.service | cut -d= -f2 | sort | uniq | tr '\\n' ' ')"
`,
  },
  script(projectDir) {
    const { run, read, edit, cut } = callsIn(projectDir);
    return {
      main: [
        [
          say(
            "I'll start with the nginx errors from edge-2 and the site config. My guess is that logrotate's USR1 signal takes the API down, since this happens every night.",
          ),
          read(SITE),
          run(
            "sed -n 1p captures/edge-2-error.log; sed -n '$p' captures/edge-2-error.log",
            'First and last error',
            '03:31:15',
          ),
          run(
            'grep -c "No such file or directory" captures/edge-2-error.log',
            'Count the failed connects',
            '318',
          ),
          read('logrotate/ledger'),
        ],
        [
          say(
            'All 318 errors fall between 03:10:07 and 03:31:15, and every one is ENOENT on `/run/ledger/api.sock`. So the socket file is gone; the API is neither slow nor refusing. Let me compare that window with when logrotate ran.',
          ),
          run('journalctl -u logrotate --since 2026-09-14', 'When did logrotate run', '00:00:01'),
          run(
            'journalctl -u ledger-api --since 2026-09-14',
            'What the API did that night',
            'Watchdog timeout',
          ),
          run(
            'grep -rn "/run/ledger\\|RuntimeDirectory" systemd',
            'Who uses /run/ledger',
            'ledger-report.service',
          ),
        ],
        [
          say(
            'Logrotate is ruled out: it finished at 00:00:01, three hours before the first error. But two units declare `RuntimeDirectory=ledger`, the API and the nightly report. Checking the report run.',
          ),
          run('journalctl -u ledger-report --since 2026-09-14', 'When did the report end', '03:10:06'),
          read(REPORT),
          read(API),
          read(TIMER),
        ],
        [
          say(`That is it. **Diagnosis:** \`ledger-report.service\` and \`ledger-api.service\` both have \`RuntimeDirectory=ledger\`. systemd removes a unit's runtime directory when that unit stops, no matter who else uses it. The oneshot report ended at 03:10:06, systemd deleted \`/run/ledger\` together with the API's socket, and the 502s began one second later. They stopped only when the API's 20-minute watchdog restarted it at 03:31:19.

**Decision:** the report gets its own directory, \`RuntimeDirectory=ledger-report\`, with its lock in \`/run/ledger-report/report.lock\`. I decided against \`RuntimeDirectoryPreserve=yes\`, because a preserved directory keeps a stale \`api.sock\` after a crash and the API then fails to bind with "address already in use". nginx needs no change, so no reload on edge-2 either.

Changing the report unit now.`),
          edit(REPORT, 'RuntimeDirectory=ledger\n', 'RuntimeDirectory=ledger-report\n'),
          edit(REPORT, '--lock /run/ledger/report.lock', '--lock /run/ledger-report/report.lock'),
          run(
            'systemd-analyze verify systemd/*.service',
            'Verify the units',
            'runtime directories: ledger ledger-report',
          ),
        ],
        [
          say(
            'Both units verify. Next I try it on staging: install the unit, run the report once, and check that `/run/ledger/api.sock` survives. Production stays untouched until the window opens at 22:00 UTC.',
          ),
          cut('touch staging-run.started && sleep 60', 'Run the report once on staging'),
        ],
      ],
    };
  },
  prompts: [
    'every night we get a burst of 502s on ledger.example.net for like 20 min, error log of edge-2 is in captures/. find out why and fix it in this repo, try on staging. rules: on edge-2 only ever reload nginx, never restart it, there are 4k websocket clients on it. and nothing goes to prod before 22:00 UTC, thats the change window',
  ],
  how: { cut: 'killed', when: 'staging-run.started' },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: [/RuntimeDirectory/, /ledger-report|report/, /remove[sd]?|delete[sd]?|gone|both/],
      },
      {
        type: ['decision', 'bugfix', 'change'],
        says: [/RuntimeDirectory=ledger-report|own (runtime )?directory|\/run\/ledger-report/],
        files: [REPORT],
      },
      {
        type: ['decision', 'gotcha'],
        says: [/RuntimeDirectoryPreserve/, /stale|bind|already in use/],
      },
      {
        type: ['preference', 'gotcha', 'decision'],
        says: [/reload/, /restart/, /edge-2|websocket/],
      },
      {
        type: ['preference', 'gotcha', 'decision'],
        says: [/22:00/, /prod/],
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'gotcha'],
        says: [/logrotate/, /ruled out|00:00:01|three hours/],
      },
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/318|03:10:07|03:10:06/, /ENOENT|api\.sock|socket/],
      },
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: [/watchdog/, /20.minute|03:31:19/],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/502/],
        learned: [/RuntimeDirectory|\/run\/ledger/],
        filesModified: [REPORT],
      },
    ],
    noise: [
      /I'll start with the nginx errors/,
      /Let me compare that window/,
      /Checking the report run/,
      /Changing the report unit now/,
    ],
    untrue: [
      /My guess is that logrotate/,
      /logrotate('s USR1 signal)? (takes|took|brings|brought|is taking) the API down/,
      /(staging (run|test|trial) (passed|succeeded|was successful)|verified on staging|socket survived)/,
      /(deployed|rolled out|went) to prod/,
    ],
    followUps: [
      {
        asks: 'adding a second oneshot unit for ledger that wants a lock file, can it use RuntimeDirectory=ledger too?',
        says: [/remove[sd]?|delete[sd]?|own (runtime )?directory|ledger-report/],
      },
      {
        asks: 'why did the api lose its unix socket in the middle of the night?',
        says: [/RuntimeDirectory|\/run\/ledger/],
      },
      {
        asks: 'wouldnt it be simpler to keep the runtime dir around with the preserve option?',
        says: [/stale|bind|already in use/],
      },
      {
        asks: 'new tls cert for edge-2 is there, how do i get nginx to pick it up?',
        says: [/reload/, /restart|websocket/],
      },
      {
        asks: 'when am I allowed to roll the unit change out to production?',
        says: [/22:00/],
      },
    ],
    unrelated: [
      'write a README section on how to add a new DNS record',
      'which linter do we use for the ansible playbooks?',
      'rename the grafana dashboard folder to observability',
    ],
  },
};
