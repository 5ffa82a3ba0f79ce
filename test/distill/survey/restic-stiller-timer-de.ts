import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const UNIT = 'systemd/backup.service';
const TIMER = 'systemd/backup.timer';
const PRUNE = 'systemd/prune.timer';
const SCRIPT = 'bin/backup.sh';

export const resticStillerTimerDe: SurveySession = {
  name: 'restic-stiller-timer-de',
  about:
    'Backups laufen seit neun Tagen nicht, der Timer ist grün: ein Minus vor ExecStart und eine verwaiste Sperre. Kurz angebundener Admin.',
  kind: 'operations',
  language: 'de',
  ecosystem: 'shell',
  files: {
    [UNIT]: `[Unit]
Description=Backup nach S3

[Service]
Type=oneshot
EnvironmentFile=/etc/backup.env
ExecStart=-/usr/local/bin/backup.sh
`,
    [TIMER]: '[Timer]\nOnCalendar=*-*-* 02:00\nPersistent=true\n',
    [SCRIPT]: `#!/bin/sh
set -eu
restic backup /srv --tag "$(hostname)"
restic forget --keep-daily 7 --prune
`,
    'hosts.txt': 'web1\nweb2\n',
  },
  programs: {
    ssh: `#!/bin/sh
shift
case "$*" in
  *list-timers*) echo "Tue 02:00:00  backup.timer  backup.service  (last: success)" ;;
  *journalctl*)
    echo "Unable to create lock in backend: repository is already locked by PID 31877 on web2 by root"
    echo "lock was created at 2025-05-04 02:11:40 (217h3m ago)"
    echo "backup.service: Deactivated successfully." ;;
  *"restic snapshots"*) echo "latest  2025-05-04 02:09:12  web1  /srv" ;;
  *"ps -p 31877"*) exit 1 ;;
  *"restic unlock"*) echo "successfully removed 1 locks" ;;
  *"restic check"*) echo "no errors were found" ;;
  *start*) echo "snapshot 7be1c0aa saved" ;;
  *) echo ok ;;
esac
`,
    'systemd-analyze': '#!/bin/sh\nexit 0\n',
  },
  prompts: [
    'backups. letzter snapshot 4. mai, timer grün auf beiden. warum',
    'unlock ja. aber nie --remove-all, web1 und web2 schreiben ins selbe repo',
    'läuft, danke. aber nächstes mal vorher fragen: tagsüber kein backup von hand starten, das hat uns grad die leitung dicht gemacht. so, jetzt dass das nicht nochmal passiert. aufbewahrung: 7 tage reicht. mach fertig, aber nix ausrollen, das macht puppet',
    'ne doch nicht 7. datenschutz will zwei wochen, also 14. restore-test mach ich montag selbst. commit, deutsch, ohne prefix',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          run('ssh web1 systemctl list-timers backup.timer', 'Timer', 'success'),
          run('ssh web1 restic snapshots --latest 1', 'Letzter Snapshot', '2025-05-04'),
          read(UNIT),
          read(SCRIPT),
        ],
        [
          say(
            'Abgelaufene S3-Zugangsdaten sind es nicht, `restic snapshots` kommt ja durch. Ich schaue ins Journal.',
          ),
          run('ssh web1 journalctl -u backup.service -n 20', 'Journal', 'already locked'),
          fail('ssh web2 ps -p 31877', 'Lebt der Prozess noch?'),
        ],
        [
          say(`Zwei Fehler zusammen:

- Das Repository ist seit dem 4. Mai gesperrt: PID 31877 auf web2 hat die Sperre beim Prune angelegt und ist weg, vermutlich beim Kernel-Update neu gestartet. Seitdem scheitert jedes Backup auf beiden Hosts.
- Gemerkt hat es keiner, weil in der Unit \`ExecStart=-/usr/local/bin/backup.sh\` steht. Das Minus sagt systemd, dass ein Fehlercode als Erfolg gilt, deshalb bleibt der Timer grün.

Soll ich die Sperre lösen?`),
        ],
        [
          run('ssh web1 restic unlock', 'Verwaiste Sperre lösen', 'removed 1 locks'),
          run('ssh web1 restic check', 'Repository prüfen', 'no errors'),
        ],
        [run('ssh web1 systemctl start backup.service', 'Backup von Hand', '7be1c0aa')],
        [
          say(
            'Sperre weg, `restic check` ohne Fehler, Snapshot 7be1c0aa liegt. Ein einfaches `restic unlock` entfernt nur Sperren, die älter als 30 Minuten sind oder deren Prozess tot ist; --remove-all hätte auch eine laufende Sicherung von web2 entsperrt.',
          ),
        ],
        [
          say('Prune braucht eine exklusive Sperre, und beide Hosts starten um 02:00. Das trenne ich.'),
          edit(UNIT, 'ExecStart=-/usr', 'ExecStart=/usr'),
          read(TIMER),
        ],
        [
          edit(
            UNIT,
            'Description=Backup nach S3\n',
            'Description=Backup nach S3\nOnFailure=alarm@%n.service\n',
          ),
          edit(SCRIPT, 'restic forget --keep-daily 7 --prune\n', ''),
          write(PRUNE, '# Nur auf web1 installieren.\n[Timer]\nOnCalendar=Sun 05:00\n'),
          write('bin/prune.sh', '#!/bin/sh\nset -eu\nrestic forget --keep-daily 7 --prune\n'),
        ],
        [
          run('systemd-analyze verify systemd/*', 'Units prüfen'),
          run('sh -n bin/prune.sh bin/backup.sh', 'Syntax'),
        ],
        [
          say(`Fertig, nichts ausgerollt:

- Das Minus ist raus, ein Fehlschlag löst über OnFailure jetzt alarm@ aus.
- Prune läuft nur noch auf web1, sonntags um 05:00. Es braucht die exklusive Sperre, und wenn beide Hosts um 02:00 backup und prune machen, blockieren sie sich gegenseitig.
- Ich hatte überlegt, stattdessen \`--retry-lock 2h\` zu setzen. Das hilft bei kurzen Überschneidungen, gegen eine verwaiste Sperre aber nicht.

Aufbewahrung sind 7 Tage.`),
        ],
        [read('bin/prune.sh')],
        [edit('bin/prune.sh', '--keep-daily 7', '--keep-daily 14')],
        [
          run(
            'git add -A && git commit -qm "Backup meldet Fehler, Prune nur noch auf web1" && git log --oneline -1',
            'Commit',
            'Prune nur noch auf web1',
          ),
        ],
        [say('14 Tage, committet. Offen bleibt dein Restore-Test am Montag. Schönen Feierabend!')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/ExecStart=-|Minus/, /Erfolg|Fehlercode|grün/],
        prompt: 1,
      },
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/Sperre|gesperrt/, /web2/, /Prune|31877/],
        prompt: 1,
      },
      { type: 'preference', says: [/--remove-all/, /web1 und web2|selbe repo|nie/], prompt: 2 },
      {
        type: ['decision', 'change'],
        says: [/Prune/, /web1/, /exklusive|blockieren/],
        prompt: 3,
      },
      { type: ['preference', 'decision', 'change'], says: [/14/, /datenschutz|zwei wochen/], prompt: 4 },
      { type: 'preference', says: [/puppet/, /ausrollen/], prompt: 3 },
      { type: 'preference', says: [/tagsüber/, /backup/], prompt: 3 },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/S3-Zugangsdaten/, /nicht/], prompt: 1 },
      { type: ['decision', 'gotcha', 'discovery'], says: [/--retry-lock/, /verwaiste/], prompt: 3 },
      { type: ['how-it-works', 'gotcha', 'discovery'], says: [/restic unlock/, /30 Minuten/], prompt: 2 },
      { type: ['change', 'feature', 'bugfix'], says: [/OnFailure/], files: [UNIT], prompt: 3 },
      { type: 'preference', says: [/commit/, /deutsch/, /prefix/], prompt: 4 },
    ],
    summaries: [
      { prompt: 1, request: [/timer grün/], learned: [/Sperre|gesperrt|Minus/] },
      { prompt: 2, request: [/unlock/], completed: [/Sperre weg|7be1c0aa|Snapshot/] },
      { prompt: 3, request: [/nicht nochmal/], completed: [/Prune|Minus/], filesModified: [UNIT, SCRIPT] },
      { prompt: 4, request: [/14/], nextSteps: [/Restore-Test/] },
    ],
    noise: [
      'Ich schaue ins Journal',
      'Soll ich die Sperre lösen',
      'Schönen Feierabend',
      'Das trenne ich',
      'Deactivated successfully',
    ],
    untrue: [
      /Aufbewahrung (sind|ist|beträgt) 7/,
      /(wurde|ist|sind) ausgerollt/,
      /(hat|wurde) .{0,20}mit --remove-all/,
      /Restore-Test (war|ist) (erfolgreich|erledigt)/,
    ],
    followUps: [
      { asks: 'systemd sagt success obwohl das skript abgebrochen ist, wieso?', says: [/Minus|ExecStart=-/] },
      { asks: 'repo schon wieder gelockt, darf ich alle locks hart löschen?', says: [/--remove-all/] },
      {
        asks: 'stoß mal eben eine sicherung von web2 an, ich will da gleich was umbauen',
        says: [/tagsüber|vorher fragen/],
      },
      { asks: 'wie lange heben wir die sicherungen auf?', says: [/14/] },
      {
        asks: 'warum räumt der zweite webserver keine alten snapshots weg?',
        says: [/web1/, /exklusive|Prune/],
      },
      { asks: 'kann ich die geänderte unit schnell per scp auf die kisten legen?', says: [/puppet/] },
    ],
    unrelated: [
      'nginx soll brotli können',
      'leg einen neuen benutzer für die praktikantin an',
      'php-fpm pool größe für den shop anpassen',
    ],
  },
};
