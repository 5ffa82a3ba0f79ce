import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MAIN = 'nginx/nginx.conf';
const LIMITS = 'nginx/conf.d/limits.conf';
const SITE = 'nginx/conf.d/live.conf';
const ROLLOUT = 'bin/rollout';

const LIVE_MAIN_EDGE1 = `user www-data;
worker_processes 4;
events { worker_connections 4096; }
http {
  client_max_body_size 64m;  # scans from the print shop, hk 2025-11
  include conf.d/*.conf;
}`;

export const nginxOpenFiles: SurveySession = {
  name: 'nginx-open-files',
  about:
    'Two edge VMs run out of file descriptors; the cure is proven on the standby, the terminal dies during the rollout.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'nginx',
  files: {
    [MAIN]: `user www-data;
worker_processes 4;
events { worker_connections 4096; }
http {
  client_max_body_size 8m;
  include conf.d/*.conf;
}
`,
    [SITE]: `map $http_upgrade $connection_upgrade { default upgrade; '' close; }
upstream live { server 10.8.0.21:4000; server 10.8.0.22:4000; keepalive 32; }
server {
  listen 443 ssl;
  server_name live.example.net;
  location /ws/ {
    proxy_pass http://live;
    proxy_http_version 1.1;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_upgrade;
    proxy_read_timeout 1h;
  }
}
`,
    [ROLLOUT]: `#!/bin/sh
# bin/rollout HOST: copies nginx/ over /etc/nginx and reloads.
set -e
tar c nginx | ssh "$1" 'sudo tar x -C /etc'
ssh "$1" 'sudo nginx -t'
ssh "$1" 'sudo systemctl reload nginx'
echo "$1 done"
`,
    'README.md':
      '# edge\n\nTwo VMs, edge1 active and edge2 standby (keepalived). `bin/rollout HOST` ships this repo.\n',
  },
  programs: {
    ssh: `#!/bin/sh
# Stands in for the two VMs.
host=$1; shift
case "$*" in
  *"tar x"*) cat >/dev/null ;;
  *"nginx -t"*)
    if grep -q worker_rlimit_nofile ${LIMITS} 2>/dev/null; then
      echo 'nginx: [emerg] "worker_rlimit_nofile" directive is not allowed here in /etc/nginx/conf.d/limits.conf:1' >&2
      echo "nginx: configuration file /etc/nginx/nginx.conf test failed" >&2; exit 1
    fi
    echo "nginx: configuration file /etc/nginx/nginx.conf test is successful" ;;
  *"systemctl reload"*) if [ $host = edge1 ]; then echo edge1 > rollout.started; sleep 30; fi ;;
  *accept4*) echo 1312 ;;
  *error.log*) echo '2026/05/20 18:04:11 [alert] 811#811: accept4() failed (24: Too many open files)' ;;
  *conntrack*) echo "net.netfilter.nf_conntrack_count = 41207"; echo "net.netfilter.nf_conntrack_max = 262144" ;;
  *"systemctl show"*) echo "LimitNOFILE=524288"; echo "LimitNOFILESoft=1024" ;;
  *limits.conf*) echo "www-data soft nofile 65536"; echo "www-data hard nofile 65536" ;;
  *"/limits"*) if grep -q worker_rlimit_nofile ${MAIN} && [ $host = edge2 ]; then echo "Max open files            16384                16384                files"; else echo "Max open files            1024                 524288               files"; fi ;;
  *"ls /proc"*) echo 1021; echo 1019; echo 1022; echo 1020 ;;
  *"ps "*) if grep -q worker_shutdown_timeout ${MAIN}; then echo "  2290 nginx: worker process"; else echo "   811 nginx: worker process is shutting down"; echo "  2290 nginx: worker process"; fi ;;
  *"cat /etc/nginx/nginx.conf"*) cat <<'X'
${LIVE_MAIN_EDGE1}
X
  ;;
esac
`,
  },
  prompts: [
    "live.example.net drops people every evening around six, app just says 'reconnecting'. it's edge1. find it, fix it in this repo, try on edge2 (standby, nobody on it) and then bring it to edge1. edge1 also takes the payment callbacks so reload only, a restart there is for sundays before 7",
  ],
  how: { cut: 'killed', when: 'rollout.started' },
  script: (dir) => {
    const { run, fail, cut, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Starting with the error log of last evening and what the repo ships.'),
          run(
            "ssh edge1 'sudo tail -n 1 /var/log/nginx/error.log.1'",
            'Last error of yesterday',
            'Too many open files',
          ),
          read(SITE),
          read(MAIN),
          read(ROLLOUT),
        ],
        [
          say(
            "`accept4() failed (24)`, so nginx itself refuses connections. Dropped connections at peak also smell like a full conntrack table, I'll rule that out while I'm there.",
          ),
          run("ssh edge1 'sudo grep -c accept4 /var/log/nginx/error.log.1'", 'How many refusals', '1312'),
          run(
            "ssh edge1 'sudo sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max'",
            'Conntrack usage',
            '41207',
          ),
          run(
            'ssh edge1 \'for p in $(pgrep -f "nginx: worker"); do sudo ls /proc/$p/fd | wc -l; done\'',
            'Descriptors per worker',
            '1021',
          ),
        ],
        [
          say(
            'Conntrack is at 41 k of 262 k, not it. The workers are: all four sit at about 1020 descriptors. Every websocket costs two of them (client and upstream), so `worker_connections 4096` promises something the process limit cannot keep.',
          ),
          run(
            'ssh edge1 \'cat /proc/$(pgrep -f "nginx: worker" | head -1)/limits | grep open\'',
            'Limit of a worker',
            '1024',
          ),
          run(
            "ssh edge1 'cat /etc/security/limits.conf | grep nofile'",
            'Has somebody raised it already?',
            '65536',
          ),
          run(
            "ssh edge1 'systemctl show nginx -p LimitNOFILE -p LimitNOFILESoft'",
            'What systemd gives the service',
            'LimitNOFILESoft=1024',
          ),
        ],
        [
          say(
            `Somebody tried to fix this before: limits.conf on edge1 says 65536 for www-data. It has no effect, pam_limits applies to login sessions and a systemd service never passes through PAM. The service gets systemd's soft limit of 1024.

There are two ways to raise it. \`LimitNOFILE=\` in a drop-in needs a restart, which you don't want on edge1. \`worker_rlimit_nofile\` is set by the nginx master for each new worker, so a reload is enough. I take the second, with 16384: 4096 connections times two, and as much again for log files and headroom.`,
          ),
          write(LIMITS, 'worker_rlimit_nofile 16384;\n'),
          fail(`sh ${ROLLOUT} edge2`, 'Try it on the standby', 'directive is not allowed here'),
        ],
        [
          say(
            'Of course: conf.d is included inside `http {}`, and this directive belongs to the main context. It has to go into nginx.conf itself. (The rollout stopped at `nginx -t`, but note it copies before it tests, so edge2 had a broken config on disk for a moment. A crash in that window would not come up again.)\n\nSince nginx.conf will be overwritten on both machines now, I compare it with what is really there.',
          ),
          run(`rm ${LIMITS}`, 'Remove the misplaced file'),
          run(`ssh edge1 'cat /etc/nginx/nginx.conf' | diff ${MAIN} - ; true`, 'Drift on edge1', '64m'),
        ],
        [
          say(
            "Good that I looked: edge1 has `client_max_body_size 64m` with a comment about the print shop's scans, made by hand last November and never committed. The repo says 8m, so a rollout would have silently broken those uploads with 413. I bring it into the repo.",
          ),
          edit(
            MAIN,
            '  client_max_body_size 8m;\n',
            '  client_max_body_size 64m;  # scans from the print shop\n',
          ),
          edit(MAIN, 'worker_processes 4;\n', 'worker_processes 4;\nworker_rlimit_nofile 16384;\n'),
          run(`sh ${ROLLOUT} edge2`, 'Second try on the standby', 'edge2 done'),
          run(
            'ssh edge2 \'cat /proc/$(pgrep -f "nginx: worker" | head -1)/limits | grep open\'',
            'Limit of a new worker',
            '16384',
          ),
          run('ssh edge2 \'ps -eo pid,args | grep "nginx: worker"\'', 'Which workers run', 'shutting down'),
        ],
        [
          say(
            'New workers have 16384. But an old one hangs around "shutting down": a reload lets it live until its last websocket closes, and with `proxy_read_timeout 1h` and pings that can be days. On edge1 every old worker would keep its clients and memory meanwhile. `worker_shutdown_timeout 10m` puts an end to it; clients that are still there get cut once and reconnect.',
          ),
          edit(
            MAIN,
            'worker_rlimit_nofile 16384;\n',
            'worker_rlimit_nofile 16384;\nworker_shutdown_timeout 10m;\n',
          ),
          run(`sh ${ROLLOUT} edge2`, 'Standby again', 'edge2 done'),
          run('ssh edge2 \'ps -eo pid,args | grep "nginx: worker"\'', 'Old workers', '2290'),
        ],
        [
          run(
            `git add -A && git commit -qm 'Raise the descriptor limit of the workers, end old ones after 10 minutes' && git log --oneline | head -1`,
            'Commit',
            'descriptor limit',
          ),
        ],
        [
          say('edge2 is clean and it is committed. Now edge1, reload only:'),
          cut(`sh ${ROLLOUT} edge1`, 'Roll out to edge1'),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: [/1024|102\d|open files|descriptor/, /websocket|worker_connections|4096/, /worker/],
        prompt: 1,
      },
      {
        type: ['bugfix', 'decision', 'change'],
        says: ['worker_rlimit_nofile', /16384/],
        files: [MAIN],
        prompt: 1,
      },
      {
        type: ['decision', 'gotcha', 'how-it-works', 'discovery'],
        says: [/LimitNOFILE/, /restart/, /reload|worker_rlimit_nofile/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/limits\.conf/, /PAM|pam_limits|login/, /systemd|no effect|service/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'change', 'decision'],
        says: [
          /client_max_body_size|64m/,
          /by hand|drift|never committed|hand-made|manual|uncommitted|not in (the )?repo|print shop/,
        ],
        prompt: 1,
      },
      {
        type: ['preference', 'gotcha', 'decision'],
        says: [/edge1/, /reload/, /restart/, /sunday|payment/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'decision', 'change', 'bugfix', 'how-it-works', 'discovery'],
        says: ['worker_shutdown_timeout', /10m|10 min|old (ones?|worker)|websocket/],
        prompt: 1,
      },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'bugfix'],
        says: [/conf\.d/, /http|main context/, /worker_rlimit_nofile|directive/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/rollout/, /copies before|before it tests|before (the )?test|nginx -t/],
      },
      { type: ['discovery', 'gotcha', 'bugfix', 'decision'], says: [/conntrack/, /41|not/] },
      { type: ['how-it-works', 'discovery', 'gotcha', 'preference'], says: [/edge2/, /standby/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/edge1|live\.example\.net/],
        learned: [/1024|limits\.conf|descriptor|worker_connections/],
        completed: [/worker_rlimit_nofile|edge2|16384/],
        filesRead: [SITE, ROLLOUT],
        filesModified: [MAIN],
      },
    ],
    noise: [
      'Starting with the error log',
      "rule that out while I'm there",
      'Now edge1, reload only:',
      'Good that I looked',
      'edge2 done',
      'test is successful',
    ],
    untrue: [
      /(cause|problem|culprit) (is|was) (a full )?conntrack/,
      /edge1 (is|was|has been) (now )?(fixed|reloaded|updated|rolled out)/,
      /(rolled out|deployed|applied) (it )?(to|on) (both|edge1)/,
      /(raised|set) LimitNOFILE/,
      /nginx was restarted/,
      /limits\.conf (raises|gives|sets) (the )?(nginx|workers)/,
    ],
    followUps: [
      {
        asks: 'the live socket thing in the evening, how far did we get? is edge1 on the new limit already?',
        says: [/edge1/, /edge2/, /worker_rlimit_nofile/],
      },
      {
        asks: 'i put a higher nofile into limits.conf for the turn server too but it still says 1024',
        says: [/pam_limits|PAM/, /systemd/],
      },
      {
        asks: 'openssl security update is waiting on the boxes, can i just restart the proxies now?',
        says: [/sunday/, /payment/],
      },
      {
        asks: 'where do large uploads get their maximum from, someone at the print shop gets 413',
        says: [/64m/],
      },
      {
        asks: 'after a config push some users still talk to the previous processes for hours, is that normal?',
        says: [/worker_shutdown_timeout/],
      },
    ],
    unrelated: [
      'write a short section in the README on how to get ssh access',
      'how do I pretty print json in bash?',
      'add a robots.txt that forbids everything on the staging host',
    ],
  },
};
