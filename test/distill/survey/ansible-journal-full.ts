import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const VARS = 'group_vars/edge.yml';
const TASKS = 'roles/base/tasks/journald.yml';
const PLAY = 'site.yml';

export const ansibleJournalFull: SurveySession = {
  name: 'ansible journal full',
  about:
    'Disks of edge machines fill up; the cause is found and the rollout is running when the terminal dies.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'ansible',
  files: {
    'inventory.ini': '[edge]\nedge-ams-1\nedge-ams-2\nedge-fra-1\nedge-fra-2\nedge-waw-1\n',
    [PLAY]: '- hosts: edge\n  serial: 1\n  roles: [base, proxy]\n',
    [VARS]: 'proxy_port: 8443\nproxy_log_level: debug\n',
    [TASKS]: `- name: Keep the journal on disk
  ansible.builtin.copy:
    dest: /etc/systemd/journald.conf.d/keep.conf
    content: |
      [Journal]
      Storage=persistent
  notify: restart journald
`,
  },
  programs: {
    ansible: `#!/bin/sh
case "$*" in
  *"df -h"*)
    echo 'edge-ams-1 | CHANGED | /dev/vda1 20G 19.7G 98%'
    echo 'edge-ams-2 | CHANGED | /dev/vda1 20G 19.4G 97%'
    echo 'edge-fra-1 | CHANGED | /dev/vda1 80G 9.1G 12%' ;;
  *disk-usage*) echo 'edge-ams-1 | Archived and active journals take up 14.2G in the file system.' ;;
  *"docker system df"*) echo 'edge-ams-1 | Images 3 1.1GB, Build Cache 0B' ;;
esac
`,
    'ansible-lint': `#!/bin/sh
echo 'Passed: 0 failure(s), 0 warning(s) on 4 files.'
`,
    'ansible-playbook': `#!/bin/sh
case "$*" in
  *--check*) echo 'edge-ams-1 : ok=9 changed=2 failed=0' ; exit 0 ;;
esac
touch rollout.started
echo 'TASK [base : Keep the journal on disk] edge-ams-1'
sleep 30
`,
  },
  prompts: [
    'PagerDuty: edge-ams-1 and edge-ams-2 are at 97-98% disk, fra is fine. Find what eats the space, make sure it does not come back, and roll it out. No reboots please, it is Friday evening and Amsterdam carries the match stream tonight.',
  ],
  how: { cut: 'killed', when: 'rollout.started' },
  script: (dir) => {
    const { run, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          run("ansible edge -a 'df -h /'", 'Disk use on all edge machines', '98%'),
          run("ansible edge-ams-1 -a 'docker system df'", 'Is it docker?', 'Build Cache 0B'),
        ],
        [
          say('Docker holds 1.1 GB, that is not it. Checking the journal.'),
          run("ansible edge-ams-1 -a 'journalctl --disk-usage'", 'Size of the journal', '14.2G'),
          read(TASKS),
          read(VARS),
          read(PLAY),
        ],
        [
          say(
            'The journal takes 14.2 GB of the 20 GB disk on edge-ams-1. Our role sets Storage=persistent without SystemMaxUse, and the proxy has been logging at debug level since `proxy_log_level: debug` went into group_vars/edge.yml. journald caps itself at 10% of the file system but never above 4 GB by default, so 14.2 GB means the cap is not respected here: the Amsterdam images ship a drop-in with SystemMaxUse=15G that the provider put there. Frankfurt has 80 GB disks and no such drop-in, which is why only Amsterdam alarms.',
          ),
          edit(
            TASKS,
            '      Storage=persistent\n',
            '      Storage=persistent\n      SystemMaxUse=2G\n      SystemKeepFree=4G\n',
          ),
          edit(TASKS, 'journald.conf.d/keep.conf', 'journald.conf.d/zz-keep.conf'),
          edit(VARS, 'proxy_log_level: debug', 'proxy_log_level: info'),
        ],
        [
          say(
            'I renamed the drop-in to zz-keep.conf because drop-ins are read in alphabetical order and the last one wins; the provider file is called provider.conf and would override keep.conf. Restarting journald is enough, the proxy does not have to restart for the cap; the log level takes effect with a reload.',
          ),
          run('ansible-lint', 'Lint the roles', '0 failure(s)'),
          run(`ansible-playbook ${PLAY} --check --limit edge-ams-1`, 'Dry run on one machine', 'changed=2'),
        ],
        [
          say('The dry run changes two files and nothing else. Rolling out, one machine at a time.'),
          cut(`ansible-playbook ${PLAY}`, 'Roll out to all edge machines'),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/journal/, /14\.2 ?GB?/, /SystemMaxUse/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'decision'],
        says: [/zz-keep|provider\.conf/, /alphabetical|last one wins|override/],
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/Amsterdam/, /SystemMaxUse=15G|provider/, /drop-in/],
      },
      { type: ['change', 'bugfix', 'discovery'], says: [/SystemMaxUse(=2G)?/], files: [TASKS] },
    ],
    niceToHave: [
      { type: ['change', 'discovery', 'bugfix'], says: ['proxy_log_level', /info|debug/] },
      {
        type: ['discovery', 'how-it-works', 'gotcha', 'change'],
        says: [/Restarting journald|reload/, /proxy/],
      },
      { type: ['discovery'], says: [/Docker/, '1.1 GB'] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['edge-ams-1', 'disk'],
        filesRead: [PLAY],
        filesModified: [TASKS, VARS],
      },
    ],
    noise: ['Build Cache 0B', '0 warning(s)', 'Checking the journal', 'changed=2'],
    untrue: [/roll(ed|out) (out )?(to all|is done|finished|complete)/, /docker (fills|filled|eats)/],
    followUps: [
      { asks: 'why does the journald drop-in start with zz?', says: [/alphabetical|last one wins|override/] },
      {
        asks: 'disk alarm on an edge box in Amsterdam again, what was it last time?',
        says: [/journal/, /14\.2|SystemMaxUse/],
      },
      {
        asks: 'I need debug logs from the proxy, any reason not to leave that on?',
        says: [/proxy_log_level|journal/],
      },
      {
        asks: 'which of our hosting locations have vendor-supplied config that fights ours?',
        says: [/provider/, /Amsterdam/],
      },
    ],
    unrelated: [
      'add Priya to the ssh keys',
      'write a role that installs chrony',
      'what is the renewal date of the wildcard certificate?',
    ],
  },
};
