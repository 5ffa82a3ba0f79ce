import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CTL = `#!/bin/sh
# The rabbit in question is the value of -n.
case "$*" in
  *"status"*) printf 'Alarms\\n\\nFree disk space alarm on node rabbit@mq1\\nFree disk space alarm on node rabbit@mq2\\nFree disk space alarm on node rabbit@mq3\\n\\nFree Disk Space: 1.4 gb\\nRabbitMQ version: 3.12.10\\n' ;;
  *list_queues*)
    printf 'name\\ttype\\tmessages_ready\\tmessages_unacknowledged\\tconsumers\\n'
    printf 'invoices\\tquorum\\t14\\t201\\t9\\n'
    printf 'invoices.dlq\\tquorum\\t311\\t0\\t0\\n'
    printf 'audit.tap\\tquorum\\t0\\t1\\t1\\n' ;;
  *list_consumers*) printf 'queue\\tchannel_pid\\tack_required\\tprefetch\\naudit.tap\\t<rabbit@mq2.1711.0>\\ttrue\\t0\\n' ;;
  *list_connections*) printf 'pid\\tname\\tconnected_at\\n<rabbit@mq2.1702.0>\\taudit-tap@etl-04\\t2026-10-29 04:11\\n' ;;
  *close_connection*) touch .closed; echo 'Closing connection <rabbit@mq2.1702.0>, reason: stuck delivery ...' ;;
  *environment*) printf '{rabbit,[{consumer_timeout,undefined},{vm_memory_high_watermark,0.4}]}\\n' ;;
  *await_startup*) echo "node is fully started" ;;
  *quorum_status*|*check_if_node_is_quorum_critical*) echo "Node is not quorum critical: OK" ;;
esac
`;

const SSH = `#!/bin/sh
host=$1; shift
case "$*" in
  *"du -sh"*)
    if [ -e .closed ]; then printf '1.1G\\tquorum/audit.tap\\n0.4G\\tquorum/invoices\\n'
    else printf '61G\\tquorum/audit.tap\\n0.4G\\tquorum/invoices\\n0.1G\\tquorum/invoices.dlq\\n'; fi ;;
  *"restart rabbitmq"*)
    case $host in
      mq2) touch mq2.restarting; i=0; while [ -e mq2.restarting ] && [ $i -lt 300 ]; do sleep 0.2; i=$((i+1)); done ;;
      *) echo "$host: rabbitmq-server restarted" ;;
    esac ;;
  *message-bytes*) echo "audit.tap: average message 3.1 kB, largest 41 kB" ;;
esac
`;

export const rabbitDiskAlarmEn: SurveySession = {
  name: 'rabbit-disk-alarm-en',
  about: 'Publishers are blocked by a disk alarm; the laptop dies in the middle of a rolling restart.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'rabbitmq',
  how: { cut: 'killed', when: 'mq2.restarting' },
  files: {
    'roles/rabbitmq/files/advanced.config':
      '[\n  {rabbit, [\n    %% etl needs long running jobs\n    {consumer_timeout, undefined}\n  ]}\n].\n',
    'roles/rabbitmq/files/rabbitmq.conf':
      'disk_free_limit.absolute = 2GB\nvm_memory_high_watermark.relative = 0.4\n',
    'docs/rabbit.md': 'Three nodes: mq1, mq2, mq3. All queues are quorum queues.\n',
  },
  programs: { rabbitmqctl: CTL, 'rabbitmq-queues': CTL, ssh: SSH },
  script(projectDir) {
    const { run, cut, read, edit } = callsIn(projectDir);
    return {
      main: [
        [
          say("I'll start with the alarms and the queues."),
          run('rabbitmqctl -n rabbit@mq1 status', 'Alarms', 'Free disk space alarm'),
          run(
            'rabbitmqctl -n rabbit@mq1 list_queues name type messages_ready messages_unacknowledged consumers',
            'Queues',
            'audit.tap',
          ),
          run("ssh mq1 'du -sh /var/lib/rabbitmq/mnesia/*/quorum/*'", 'Disk per queue', '61G'),
          read('docs/rabbit.md'),
        ],
        [
          say(
            'All three nodes raised the disk alarm (1.4 GB free, the limit is 2 GB), which is why every publisher is blocked. 61 GB belong to audit.tap, a queue with zero ready messages and one unacknowledged. invoices.dlq looked suspicious with its 311 messages and no consumer, but it is 0.1 GB. Maybe audit.tap gets huge messages?',
          ),
          run("ssh mq1 'tap-stats --message-bytes audit.tap'", 'Size of messages', 'average message 3.1 kB'),
          run(
            'rabbitmqctl -n rabbit@mq2 list_consumers queue channel_pid ack_required prefetch',
            'Consumers',
            'ack_required',
          ),
          run(
            'rabbitmqctl -n rabbit@mq2 list_connections pid name connected_at',
            'Connections',
            'audit-tap@etl-04',
          ),
          run('rabbitmqctl -n rabbit@mq1 environment', 'Effective settings', 'consumer_timeout'),
        ],
        [
          say(
            'Not the size: 3.1 kB on average. The root cause is a single delivery: audit-tap@etl-04 has held one message unacknowledged since 29 October, it is the oldest entry of the log, and a quorum queue can only drop its Raft segments up to the oldest unacknowledged message. Everything that went through the queue in 20 days is still on disk.\n\nNormally the delivery timeout of 30 minutes would have closed that channel, but advanced.config sets consumer_timeout to undefined, so it never fires.',
          ),
          run(
            'rabbitmqctl -n rabbit@mq2 close_connection "<rabbit@mq2.1702.0>" "stuck delivery"',
            'Close the stuck connection',
            'Closing connection',
          ),
          run("ssh mq1 'du -sh /var/lib/rabbitmq/mnesia/*/quorum/*'", 'Disk per queue', '1.1G'),
        ],
        [
          say(
            'audit.tap shrank from 61 GB to 1.1 GB within seconds and the alarm is gone; publishers go through again. No message was purged.\n\nPurging audit.tap would have been faster to type, but it would not have helped: purge only removes ready messages, and there were none.\n\nSo that it does not come back I set consumer_timeout to 4 hours: the longest ETL job takes 3 h 10 min, so the default of 30 minutes would kill it.',
          ),
          read('roles/rabbitmq/files/advanced.config'),
        ],
        [
          edit(
            'roles/rabbitmq/files/advanced.config',
            '    %% etl needs long running jobs\n    {consumer_timeout, undefined}\n',
            '    %% longest etl job: 3 h 10 min\n    {consumer_timeout, 14400000}\n',
          ),
          run(
            'git commit -qam "rabbitmq: time out deliveries after 4 hours" && git log --oneline | head -1',
            'Commit',
            '4 hours',
          ),
        ],
        [
          say(
            'advanced.config is only read at boot, so the nodes need a rolling restart, one at a time and only while the next one is not quorum critical.',
          ),
          run(
            'rabbitmq-queues -n rabbit@mq1 check_if_node_is_quorum_critical',
            'May mq1 go down',
            'not quorum critical',
          ),
          run("ssh mq1 'systemctl restart rabbitmq-server'", 'Restart mq1', 'mq1: rabbitmq-server restarted'),
          run('rabbitmqctl -n rabbit@mq1 await_startup', 'Wait for mq1', 'fully started'),
        ],
        [
          say('mq1 is back with the new timeout. Next is mq2, then mq3.'),
          run(
            'rabbitmq-queues -n rabbit@mq2 check_if_node_is_quorum_critical',
            'May mq2 go down',
            'not quorum critical',
          ),
        ],
        [cut("ssh mq2 'systemctl restart rabbitmq-server'", 'Restart mq2')],
      ],
    };
  },
  prompts: [
    'checkout is down, all publishers say blocked. rabbit cluster mq1-3. get it going, but do NOT purge or delete any queue, audit is legally required to be complete (10 years). and dont raise or lower disk_free_limit, we did that in spring and the node ran full. restarts ok if one at a time',
  ],
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha', 'how-it-works'],
        says: [/audit.tap/, /unacknowledged|unacked/, /Raft|segments|quorum queue|oldest/],
      },
      {
        type: ['discovery', 'bugfix', 'gotcha', 'how-it-works', 'change', 'decision'],
        says: [/consumer_timeout/, /undefined|never fires|4 hours/],
      },
      {
        type: ['decision', 'change', 'bugfix', 'gotcha', 'discovery'],
        says: [/4 hours|14400000/, /3 h 10|longest|ETL/],
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/purge|delete/, /audit/, /legal|10 years/] },
      { type: ['preference', 'decision', 'gotcha'], says: [/disk_free_limit/] },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'decision', 'change'],
        says: [/advanced\.config/, /boot|rolling restart/],
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/3\.1 kB|huge messages|not the size/] },
      { type: ['gotcha', 'decision', 'discovery', 'how-it-works'], says: [/purg/, /ready/] },
      { type: ['bugfix', 'change', 'discovery', 'decision'], says: [/1\.1 GB|close_connection|etl-04/] },
      { type: ['change', 'discovery', 'bugfix', 'decision'], says: [/mq1/, /back|restart/] },
      { type: ['discovery', 'how-it-works'], says: [/disk alarm|1\.4 GB/] },
      { type: ['preference', 'decision'], says: [/one at a time/] },
      { type: ['discovery', 'gotcha'], says: [/invoices\.dlq/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/publishers|checkout/],
        learned: [/unacknowledged|consumer_timeout|audit\.tap/],
        filesModified: ['roles/rabbitmq/files/advanced.config'],
      },
    ],
    noise: ["I'll start with the alarms", 'Next is mq2, then mq3'],
    untrue: [
      /maybe audit\.tap gets huge(?![\s\S]*(not the size|3\.1 kB))/,

      /mq2 (is back|was restarted|has been restarted)/,
      /mq3 (is back|was restarted|has been restarted)/,
      /(all|three) nodes (were|have been|are) restarted/,
      /rolling restart (is|was) (done|complete|finished)/,
      /audit\.tap (was|has been) purged/,
      /(cause|culprit|reason) (is|was) (the )?(huge|large) messages/,
      /invoices\.dlq (is|was) the (cause|culprit|problem)/,
      /disk_free_limit (was|is now|has been) (raised|lowered|changed)/,
      /consumer_timeout (is|stays) (now )?(30 minutes|undefined)/,
    ],
    followUps: [
      {
        asks: 'disk on mq3 is filling up again although the queues are nearly empty, what should I look for?',
        says: [/unacknowledged|unacked|audit.tap/],
      },
      {
        asks: 'where was the rolling restart of the rabbit nodes left, which ones run with the new timeout?',
        says: [/mq1/],
      },
      { asks: 'can I lower consumer_timeout to the 30 minute default?', says: [/3 h 10|longest|ETL/] },
      { asks: 'is it ok to empty audit.tap to win some space?', says: [/legal|10 years|purge/] },
      {
        asks: 'should we bump disk_free_limit on the brokers to 5 GB?',
        says: [/disk_free_limit/, /spring|raise|full/],
      },
    ],
    unrelated: [
      'add a Grafana panel for the latency of the search cluster',
      'rotate the TLS certificate of the office VPN',
      'which playbook installs the printers?',
    ],
  },
};
