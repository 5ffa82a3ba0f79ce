import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const TASKS = 'roles/certs/tasks/main.yml';
const HANDLERS = 'roles/certs/handlers/main.yml';
const DEFAULTS = 'roles/certs/defaults/main.yml';
const MAIL_HOOK = 'roles/certs/templates/reload-mail.sh.j2';
const NGINX_HOOK = 'roles/certs/files/reload-nginx.sh';

export const mailZertifikat: SurveySession = {
  name: 'mail zertifikat',
  about:
    'Das Zertifikat ist erneuert, aber der Mailserver liefert das alte aus: der Hook ist nicht ausführbar.',
  kind: 'operations',
  language: 'de',
  ecosystem: 'ansible',
  files: {
    'site.yml': '- hosts: mail:web\n  become: true\n  roles:\n    - certs\n',
    'inventory/hosts.ini': '[mail]\nmail01\n\n[web]\nweb01\nweb02\n',
    [DEFAULTS]: 'certs_renew_before: 20 days\ncerts_email: hostmaster@stadtwerke.example\n',
    [TASKS]: `- name: certbot installieren
  ansible.builtin.apt:
    name: certbot
    state: present

- name: Hook für Mail ablegen
  ansible.builtin.template:
    src: reload-mail.sh.j2
    dest: /etc/letsencrypt/renewal-hooks/deploy/reload-mail.sh
    mode: "0644"
  when: "'mail' in group_names"

- name: Hook für Web ablegen
  ansible.builtin.copy:
    src: reload-nginx.sh
    dest: /etc/letsencrypt/renewal-hooks/deploy/reload-nginx.sh
    mode: "0644"
  when: "'web' in group_names"
`,
    [HANDLERS]:
      '- name: certbot.timer neu starten\n  ansible.builtin.systemd:\n    name: certbot.timer\n    state: restarted\n',
    [MAIL_HOOK]: '#!/bin/sh\n# {{ ansible_managed }}\nsystemctl restart dovecot postfix\n',
    [NGINX_HOOK]: '#!/bin/sh\nsystemctl reload nginx\n',
  },
  programs: {
    ssh: `#!/bin/sh
case "$*" in
  *"list-timers"*) printf 'NEXT                        LEFT LAST                        PASSED UNIT          ACTIVATES\\nMon 2026-11-16 23:41:09 CET 9h   Mon 2026-11-16 11:12:54 CET 3h ago certbot.timer certbot.service\\n' ;;
  *"certbot certificates"*) printf 'Found the following certs:\\n  Certificate Name: mail01.stadtwerke.example\\n    Key Type: ECDSA\\n    Expiry Date: 2027-01-29 08:14:31+00:00 (VALID: 73 days)\\n    Certificate Path: /etc/letsencrypt/live/mail01.stadtwerke.example/fullchain.pem\\n' ;;
  *"ActiveEnterTimestamp"*) echo "ActiveEnterTimestamp=Tue 2026-09-08 21:03:17 CEST" ;;
  *"renewal-hooks/deploy"*) if [ -f "$HOME/.applied" ]; then m=rwxr-xr-x; else m=rw-r--r--; fi; echo "-$m 1 root root 118 Mar  4  2026 reload-mail.sh" ;;
  *"letsencrypt.log"*) printf '2026-10-31 08:14:33,102:DEBUG:certbot._internal.renewal:Renewal succeeded\\n2026-10-31 08:14:33,140:DEBUG:certbot._internal.display.obj:Notifying user: all renewals succeeded\\n' ;;
  *"renew_before_expiry"*) echo "renew_before_expiry = 20 days" ;;
  *"logrotate.d/nginx"*) printf '/var/log/nginx/*.log {\\n  daily\\n  postrotate\\n    systemctl reload nginx\\n  endscript\\n}\\n' ;;
  *) echo "ssh: unbekannt: $*" >&2; exit 255 ;;
esac
`,
    openssl: `#!/bin/sh
case "$1" in
  s_client) cat >/dev/null; echo "-----BEGIN CERTIFICATE-----" ;;
  x509) cat >/dev/null; if [ -f "$HOME/.reloaded" ]; then echo "notAfter=Jan 29 08:14:31 2027 GMT"; else echo "notAfter=Nov 20 07:58:02 2026 GMT"; fi ;;
esac
`,
    'ansible-playbook': `#!/bin/sh
if grep -q 'notify: Mail-Dienste neu laden' ${TASKS} && ! grep -q 'name: Mail-Dienste neu laden' ${HANDLERS}; then
  echo "ERROR! The requested handler 'Mail-Dienste neu laden' was not found in either the main handlers list nor in the listening handlers list" >&2
  exit 1
fi
echo "PLAY [mail:web] ****************************************************************"
echo "TASK [certs : Hook für Mail ablegen] *******************************************"
printf -- '--- before\\n+++ after\\n-    "mode": "0644"\\n+    "mode": "0755"\\n-systemctl restart dovecot postfix\\n+systemctl reload dovecot postfix\\n'
echo "changed: [mail01]"
case "$*" in *--check*) ;; *) touch "$HOME/.applied" "$HOME/.reloaded" ;; esac
echo "RUNNING HANDLER [certs : Mail-Dienste neu laden] *******************************"
echo "changed: [mail01]"
echo "PLAY RECAP *********************************************************************"
echo "mail01 : ok=4 changed=2 unreachable=0 failed=0 skipped=1"
`,
  },
  prompts: [
    'Moin, Icinga meckert seit heute früh: Zertifikat auf mail01 (IMAPS) läuft in 4 Tagen ab. certbot.timer läuft aber, hab ich geprüft. Kannst du mal schauen woran das liegt? Auf den Kisten bitte nichts von Hand ändern, bei uns geht alles über Ansible, sonst bügelt der Nachtlauf es wieder weg.',
    'ok klingt plausibel, mach das so. Dovecot aber bitte immer nur reload, nie restart, sonst fliegen in der Verwaltung alle Thunderbirds raus und bei mir klingelt das Telefon. kannst direkt ausrollen, aber nur mail01',
    'super, Icinga ist wieder grün. web01/02 lassen wir so, die ziehen im Januar eh auf Traefik um. Danke dir!',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Ich schaue zuerst, was wirklich ausgeliefert wird und was certbot dazu sagt.'),
          run(
            'echo | openssl s_client -connect mail01:993 2>/dev/null | openssl x509 -noout -enddate',
            'Ausgeliefertes Zertifikat auf 993',
            'Nov 20',
          ),
          run(
            "ssh mail01 'systemctl list-timers certbot.timer --no-pager'",
            'Timer prüfen',
            'certbot.service',
          ),
          run("ssh mail01 'certbot certificates'", 'Zertifikate laut certbot', 'VALID: 73 days'),
        ],
        [
          say(
            'Interessant: Ich hatte auf eine fehlgeschlagene Erneuerung getippt (Rate-Limit oder DNS), das ist damit vom Tisch. Auf der Platte liegt längst ein Zertifikat bis 29.01., ausgeliefert wird trotzdem das alte. Dann hat Dovecot es nie neu geladen.',
          ),
          run(
            "ssh mail01 'systemctl show dovecot -p ActiveEnterTimestamp'",
            'Seit wann läuft Dovecot',
            '2026-09-08',
          ),
          run(
            "ssh mail01 'tail -n 40 /var/log/letsencrypt/letsencrypt.log'",
            'Log der letzten Erneuerung',
            'Renewal succeeded',
          ),
          run(
            "ssh mail01 'ls -l /etc/letsencrypt/renewal-hooks/deploy'",
            'Deploy-Hooks ansehen',
            'rw-r--r--',
          ),
        ],
        [
          say('Da ist es: der Hook hat kein x-Bit, und im Log taucht er gar nicht auf. Jetzt die Rolle.'),
          read(TASKS),
          read(MAIL_HOOK),
          read(DEFAULTS),
        ],
        [
          say(`**Ursache gefunden**, die Erneuerung selbst ist gesund:

- certbot hat am 31.10. erneuert, das neue Zertifikat gilt bis 29.01.2027.
- Der Deploy-Hook \`reload-mail.sh\` wird von der Rolle mit Modus 0644 abgelegt. certbot überspringt nicht ausführbare Hooks stillschweigend, ohne Zeile im Log.
- Dovecot läuft seit 8.9. durch und hält deshalb noch das alte Zertifikat im Speicher.

**Vorschlag:** in der Rolle auf 0755 stellen. Das allein reicht aber nicht: Der Hook läuft erst bei der nächsten Erneuerung, bis dahin ist das alte Zertifikat längst abgelaufen. Die kommt 30 Tage vor Ablauf. Ich würde deshalb zusätzlich einen Handler einbauen, der die Maildienste beim Ausrollen einmal anstößt.

Soll ich das so umsetzen?`),
        ],

        [
          say('Mache ich. Der Hook selbst macht übrigens auch ein `restart`, das stelle ich gleich mit um.'),
          edit(MAIL_HOOK, 'systemctl restart dovecot postfix', 'systemctl reload dovecot postfix'),
          edit(
            TASKS,
            'reload-mail.sh\n    mode: "0644"\n',
            'reload-mail.sh\n    mode: "0755"\n  notify: Mail-Dienste neu laden\n',
          ),
        ],
        [
          fail(
            'ansible-playbook -i inventory/hosts.ini site.yml --limit mail01 --check --diff',
            'Probelauf nur für mail01',
            'was not found',
          ),
        ],
        [say('Klar, der Handler fehlt noch, ich war zu schnell.'), read(HANDLERS)],
        [
          edit(
            HANDLERS,
            '    state: restarted\n',
            `    state: restarted

- name: Mail-Dienste neu laden
  ansible.builtin.systemd:
    name: "{{ item }}"
    state: reloaded
  loop: [dovecot, postfix]
`,
          ),
          run(
            'ansible-playbook -i inventory/hosts.ini site.yml --limit mail01 --check --diff',
            'Probelauf noch einmal',
            'failed=0',
          ),
        ],
        [
          say('Der Probelauf ändert nur den Hook. Rolle aus.'),
          run(
            'ansible-playbook -i inventory/hosts.ini site.yml --limit mail01 --diff',
            'Auf mail01 ausrollen',
            'failed=0',
          ),
          run(
            'echo | openssl s_client -connect mail01:993 2>/dev/null | openssl x509 -noout -enddate',
            'Was wird jetzt ausgeliefert',
            'Jan 29',
          ),
          run("ssh mail01 'ls -l /etc/letsencrypt/renewal-hooks/deploy'", 'Rechte des Hooks', 'rwxr-xr-x'),
        ],
        [
          run(
            "ssh mail01 'grep renew_before_expiry /etc/letsencrypt/renewal/mail01.stadtwerke.example.conf'",
            'Frist genau',
            '20 days',
          ),
          run("ssh web01 'cat /etc/logrotate.d/nginx'", 'Warum fällt es auf web01 nicht auf', 'reload nginx'),
        ],
        [
          say(
            'Korrektur zu vorhin: erneuert wird hier nicht 30, sondern 20 Tage vor Ablauf (`certs_renew_before`), also am 9.1.; erst dann sieht man, ob der Hook wirklich von selbst läuft.',
          ),
          run(
            `git add -A && git commit -qm "certs: Mail-Hook ausführbar, reload statt restart

certbot ignoriert Hooks ohne x-Bit kommentarlos." && git log --oneline | head -1`,
            'Commit',
            'certs: Mail-Hook',
          ),
        ],
        [
          say(`## Erledigt ✅

mail01 liefert auf 993 jetzt das Zertifikat bis 29.01.2027 aus, alles lief sauber durch.

### Geändert
- Hook-Modus 0755, \`reload\` statt \`restart\`
- neuer Handler \`Mail-Dienste neu laden\`, der Dovecot und Postfix sofort neu lädt, sobald sich der Hook ändert

### Noch aufgefallen
- web01 und web02 haben denselben Fehler (\`reload-nginx.sh\`, ebenfalls 0644). Dort merkt es nur keiner, weil logrotate nginx jede Nacht neu lädt.

### Nächste Schritte
- Am 9.1. nachsehen, ob der Hook bei der Erneuerung von allein gelaufen ist.

Sag Bescheid, wenn ich web01/02 gleich mitziehen soll!`),
        ],

        [say('Alles klar, dann bleibt die Web-Seite unangetastet. Schönen Feierabend!')],
      ],
    };
  },
  expects: {
    essentials: [
      { type: 'preference', says: [/nichts von Hand/, /Ansible/], prompt: 1 },
      {
        type: 'preference',
        says: [/reload/, /nie restart|Thunderbird/],
        prompt: 2,
      },
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/certbot/, /(nicht ausführbar|x-Bit)/, /stillschweigend|kommentarlos|ohne Zeile im Log/],
      },
      {
        type: ['gotcha', 'how-it-works', 'decision', 'discovery'],
        says: [/Hook/, /nächsten Erneuerung|20 Tage/],
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/web01/, /logrotate/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference'],
        says: [/web01/, /Traefik/],
        prompt: 3,
      },
    ],
    niceToHave: [
      {
        type: ['how-it-works', 'gotcha', 'discovery'],
        says: [/20 Tage vor Ablauf/],
        prompt: 2,
      },
      {
        type: ['change', 'feature', 'bugfix', 'decision'],
        says: [/Handler/, /neu laden|neu lädt|anstößt/],
        files: [HANDLERS],
        prompt: 2,
      },
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/Dovecot/, /alte Zertifikat/],
        prompt: 1,
      },
      { type: ['change', 'bugfix'], says: [/0755/, /reload/], files: [TASKS] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['mail01', /Zertifikat/],
        learned: [/0644|ausführbar/],
      },
      {
        prompt: 2,
        request: [/reload|ausrollen/],
        completed: [/0755|Handler/],
        nextSteps: [/9\.1\./],
        filesModified: [TASKS, HANDLERS, MAIL_HOOK],
      },
      { prompt: 3, optional: true, request: [/web01/] },
    ],
    noise: [
      'Ich schaue zuerst',
      'Soll ich das so umsetzen',
      'Sag Bescheid',
      'Schönen Feierabend',
      'ich war zu schnell',
      'alles lief sauber durch',
      'PLAY RECAP',
      'kannst direkt ausrollen',
    ],
    untrue: [
      /(kommt|erneuert) 30 Tage vor Ablauf/,
      /Erneuerung (ist|war) (fehlgeschlagen|gescheitert)/,
      /web0[12].{0,40}(behoben|repariert|auf 0755 gestellt)/,
    ],
    followUps: [
      {
        asks: 'kann ich auf dem Mailserver mal eben per ssh eine Zeile in der Postfix-Config anpassen?',
        says: [/Ansible/],
      },
      {
        asks: 'darf ich dovecot heute Mittag durchstarten, um eine neue Einstellung zu aktivieren?',
        says: [/reload/, /restart/],
      },
      {
        asks: 'Unser Skript nach der Let’s-Encrypt-Verlängerung wird auf einem neuen Host nie ausgeführt, im Log steht nichts. Idee?',
        says: [/ausführbar|x-Bit/],
      },
      {
        asks: 'warum ist der gleiche Fehler bei den nginx-Servern nie jemandem aufgefallen?',
        says: [/logrotate/],
      },
      {
        asks: 'lohnt es sich, die Zertifikatsrolle für die Webserver noch aufzuräumen?',
        says: [/Traefik/],
      },
    ],
    unrelated: [
      'leg bitte eine neue Rolle für chrony an',
      'das Inventory soll auf YAML umgestellt werden',
      'schreib mir ein Playbook, das SSH-Schlüssel von ausgeschiedenen Kollegen entfernt',
    ],
  },
};
