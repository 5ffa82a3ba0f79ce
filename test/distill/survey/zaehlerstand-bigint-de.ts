import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SCHEMA = 'schema/messwerte.sql';
const ARCHIVE = 'schema/archiv.sql';
const HOSTS = 'docs/datenbank.md';
const SCRIPT = 'ops/zaehlerstand-bigint.sh';
const RUNBOOK = 'docs/runbooks/zaehlerstand-bigint.md';

const MARIADB = `#!/bin/sh
case "$*" in
  *INSTANT*) echo "ERROR 1846 (0A000): ALGORITHM=INSTANT is not supported. Reason: Cannot change column type. Try ALGORITHM=COPY"; exit 1 ;;
  *"max(zaehlerstand)"*) echo "1981402211" ;;
  *binlog_format*) echo "binlog_format ROW" ;;
  *stg-db2*"show tables"*) printf '_messwerte_ghc\\n_messwerte_gho\\nmesswerte\\n' ;;
  *stg-db2*"count"*) echo "1204000" ;;
  *"drop table"*) echo "Query OK" ;;
  *"drop trigger"*) touch "$HOME/trigger-weg"; echo "Query OK" ;;
  *"show triggers"*) echo "trg_messwerte_audit AFTER UPDATE messwerte" ;;
  *"column_type"*) echo "zaehlerstand bigint(20)" ;;
  *) exit 1 ;;
esac
`;

const GHOST = `#!/bin/sh
case "$*" in
  *stg-db2*--execute*)
    echo "Copy: 1204000/180233918 0.7%; Applied: 311; ETA: 2h38m"
    touch ghost.laeuft
    sleep 50 ;;
  *stg-db2*) echo "noop: would alter messwerte.messwerte, 180233918 rows" ;;
  *stg-db3*)
    if [ ! -f "$HOME/trigger-weg" ]; then
      echo "FATAL Found triggers on messwerte.messwerte. Triggers are not supported at this time. Bailing out"; exit 1
    fi
    case "$*" in
      *--execute*) echo "Copy: 180233918/180233918 100.0%; max lag 3.8s; elapsed 2h41m; # Done migrating messwerte.messwerte" ;;
      *) echo "noop: would alter messwerte.messwerte, 180233918 rows" ;;
    esac ;;
esac
`;

export const zaehlerstandBigintDe: SurveySession = {
  name: 'zaehlerstand bigint de',
  about:
    'Eine Spalte läuft über; die Probe wird abgebrochen, weil sie auf dem falschen Rechner läuft, und auf dem richtigen fällt ein Trigger auf.',
  kind: 'operations',
  language: 'de',
  ecosystem: 'mariadb',
  files: {
    [SCHEMA]: `create table messwerte (
  id bigint not null auto_increment primary key,
  zaehler_id int not null,
  gemessen_am datetime not null,
  zaehlerstand int not null,
  key (zaehler_id, gemessen_am)
) engine=InnoDB;
`,
    [ARCHIVE]: `-- gefüllt jede Nacht um 4:30 von archiv_nachts.sql
create table messwerte_archiv (
  id bigint not null primary key,
  zaehler_id int not null,
  gemessen_am datetime not null,
  zaehlerstand int not null
) engine=Aria;
`,
    [HOSTS]: `# Datenbanken

| Rechner | Zweck |
| --- | --- |
| prod-db1 | Produktion, schreibt |
| prod-db2 | Replikat |
| stg-db2 | Staging |
| stg-db3 | Staging, wird sonntags aus der Produktion neu aufgebaut |
`,
    'ops/README.md': '# Skripte für den Betrieb\n\nImmer mit set -eu.\n',
    '.gitignore': 'ghost.laeuft\n',
  },
  programs: { mariadb: MARIADB, 'gh-ost': GHOST },
  prompts: [
    'laut monitoring läuft messwerte.zaehlerstand in ca 3 wochen über, ist noch INT. bitte auf BIGINT umstellen, erst mal nur staging, prod mach ich dann mit Karsten zusammen. 180 mio zeilen und die zähler liefern rund um die uhr, also keine sperre',
    'STOPP. stg-db2 ist bis freitag tabu, da läuft der testlauf vom jahresabschluss drauf!! nimm stg-db3. und räum auf stg-db2 weg was gh-ost da liegen gelassen hat, aber vorher zeigen lassen und nicht blind droppen',
    'den trigger brauchen wir nicht mehr, das audit schreibt seit 2023 der AuditService in der anwendung, ist mit frau aydin von der revision abgestimmt. also A. und max-lag bitte 5 sekunden statt 1,5, sonst steht das ding bei jedem import',
    'sehr gut. schreib das als runbook nach docs/runbooks/zaehlerstand-bigint.md. cut-over in prod nur zwischen 2 und 4 uhr, da melden sich die wenigsten zähler. nicht committen, karsten will erst drüberschauen',
  ],
  how: { cut: 'interrupted', when: 'ghost.laeuft' },
  script: (dir) => {
    const { run, fail, cut, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Alles klar, ich verschaffe mir einen Überblick.'),
          read(SCHEMA),
          read(HOSTS),
          run(
            'mariadb -h prod-db2 -N -e "select max(zaehlerstand) from messwerte.messwerte"',
            'Höchster Wert auf dem Replikat',
            '1981402211',
          ),
        ],
        [
          fail(
            'mariadb -h stg-db2 -e "alter table messwerte.messwerte modify zaehlerstand bigint not null, ALGORITHM=INSTANT"',
            'Geht es ohne Kopie?',
            'ERROR 1846',
          ),
        ],
        [
          say(
            'Mit `ALGORITHM=INSTANT` geht es nicht, MariaDB kann den Typ einer Spalte nur durch Kopieren ändern (Fehler 1846), und das sperrt bei 180 Millionen Zeilen stundenlang. Deshalb gh-ost: es kopiert in eine Schattentabelle und liest die laufenden Änderungen aus dem Binlog. Dafür muss `binlog_format` auf ROW stehen.',
          ),
          run('mariadb -h stg-db2 -N -e "show variables like \'binlog_format\'"', 'Binlog-Format', 'ROW'),
          write(
            SCRIPT,
            `#!/bin/sh
set -eu
# $1 = Rechner, weitere Argumente gehen an gh-ost
host=$1; shift
gh-ost --host="$host" --database=messwerte --table=messwerte \\
  --alter="modify zaehlerstand bigint not null" \\
  --max-lag-millis=1500 --chunk-size=1000 "$@"
`,
          ),
        ],
        [run(`sh ${SCRIPT} stg-db2`, 'Trockenlauf', 'noop: would alter')],
        [
          say(
            'Der Trockenlauf ist sauber. stg-db2 hat dasselbe Schema wie die Produktion, was hier klappt, klappt also auch dort. Ich starte den echten Lauf, geschätzt zweieinhalb Stunden.',
          ),
          cut(`sh ${SCRIPT} stg-db2 --execute`, 'Echter Lauf auf stg-db2'),
        ],
        [
          say('Tut mir leid, das ging zu schnell. Ich schaue zuerst, was noch da ist.'),
          run(
            'mariadb -h stg-db2 -N -e "show tables in messwerte"',
            'Tabellen auf stg-db2',
            '_messwerte_gho',
          ),
          run(
            'mariadb -h stg-db2 -N -e "select count(*) from messwerte._messwerte_gho"',
            'Zeilen in der Schattentabelle',
            '1204000',
          ),
        ],
        [
          say(
            'Übrig sind `_messwerte_gho` (Schattentabelle, 1,2 Millionen Zeilen) und `_messwerte_ghc` (das Protokoll von gh-ost). Beide gehören nur gh-ost, die eigentliche Tabelle `messwerte` wurde vor dem Cut-over nie angefasst. Die zwei nehme ich weg.',
          ),
          run(
            'mariadb -h stg-db2 -e "drop table messwerte._messwerte_gho, messwerte._messwerte_ghc"',
            'Reste entfernen',
            'Query OK',
          ),
        ],
        [fail(`sh ${SCRIPT} stg-db3`, 'Trockenlauf auf stg-db3', 'Found triggers on messwerte.messwerte')],
        [
          run(
            'mariadb -h stg-db3 -N -e "show triggers in messwerte"',
            'Welche Trigger',
            'trg_messwerte_audit',
          ),
          run(
            'mariadb -h prod-db2 -N -e "show triggers in messwerte"',
            'Und in Produktion',
            'trg_messwerte_audit',
          ),
          run(
            'grep -rn "trg_messwerte_audit" . --include=*.sql || echo nicht im Repo',
            'Im Repo?',
            'nicht im Repo',
          ),
        ],
        [
          say(`stg-db2 ist aufgeräumt, die beiden gh-ost-Tabellen sind weg, der Testlauf hat nichts gemerkt. Auf stg-db3 läuft noch nichts.

**Es gibt ein Hindernis:** Auf stg-db3 und in der Produktion hängt der Trigger \`trg_messwerte_audit\` an der Tabelle. gh-ost verweigert Tabellen mit Triggern. Im Repo steht er nirgends, und auf stg-db2 fehlt er; als Probe für die Produktion taugt deshalb nur stg-db3, das jeden Sonntag frisch daraus aufgebaut wird.

**Möglichkeiten**
- **A.** Trigger vor der Umstellung entfernen, falls ihn niemand mehr braucht.
- **B.** \`pt-online-schema-change --preserve-triggers\`. Arbeitet selbst mit Triggern, macht also jeden Schreibzugriff langsamer.
- **C.** Auf dem Replikat umstellen und dann umschalten.

Meine Empfehlung ist B, weil dabei nichts verloren geht. Wie soll ich weitermachen?`),
        ],
        [
          say('Gut, dann A. Ich passe das Skript an und lasse es auf stg-db3 laufen.'),
          edit(SCRIPT, '--max-lag-millis=1500', '--max-lag-millis=5000'),
          run(
            'mariadb -h stg-db3 -e "drop trigger messwerte.trg_messwerte_audit"',
            'Trigger entfernen',
            'Query OK',
          ),
        ],
        [
          run(`sh ${SCRIPT} stg-db3 --execute`, 'Echter Lauf auf stg-db3', 'elapsed 2h41m'),
          run(
            `mariadb -h stg-db3 -N -e "select column_name, column_type from information_schema.columns where column_name = 'zaehlerstand'"`,
            'Typ prüfen',
            'bigint(20)',
          ),
          run('grep -rn "zaehlerstand int" schema', 'Wo sonst noch INT', 'archiv.sql'),
        ],
        [read(ARCHIVE)],
        [
          say(`Die Umstellung auf stg-db3 ist durch.

- Dauer **2 Stunden 41 Minuten**, größter Replikationsverzug 3,8 Sekunden. Mit 1,5 Sekunden als Grenze hätte gh-ost also tatsächlich ständig pausiert.
- \`zaehlerstand\` ist jetzt \`bigint(20)\`.
- gh-ost lässt die alte Tabelle als \`_messwerte_del\` stehen. Die braucht noch einmal 74 GB, bitte vorher auf prod-db1 den Platz prüfen.

**Dabei ist mir etwas aufgefallen:** \`messwerte_archiv.zaehlerstand\` ist ebenfalls INT. Sobald der erste Wert über 2147483647 liegt, bricht der nächtliche Archivlauf um 4:30 ab. Die Tabelle ist Aria, und gh-ost kann nur InnoDB; nachts schreibt außer dem Archivlauf niemand hinein, ein gewöhnliches ALTER reicht dort.

Soll ich das Archiv gleich mit vorbereiten?`),
        ],
        [
          write(
            RUNBOOK,
            `# zaehlerstand auf BIGINT

1. Platz auf prod-db1: mindestens 80 GB frei.
2. \`drop trigger messwerte.trg_messwerte_audit\` (das Audit schreibt der AuditService).
3. \`sh ${SCRIPT} prod-db1 --execute --postpone-cut-over-flag-file=/run/gh-ost.warten\`
4. Cut-over nur zwischen 2 und 4 Uhr: \`rm /run/gh-ost.warten\`.
5. \`alter table messwerte_archiv modify zaehlerstand bigint not null\`, vor 4:30.
6. Nach einer Woche \`drop table _messwerte_del\`.

Abbrechen: vor Schritt 4 jederzeit, danach \`_messwerte_gho\` und \`_messwerte_ghc\` entfernen.
`,
          ),
          run(`sh -n ${SCRIPT} && git status --short`, 'Syntax und Stand', 'docs/runbooks'),
        ],
        [
          say(`Das Runbook liegt in \`${RUNBOOK}\`, committet ist nichts.

Damit ihr den Zeitpunkt in der Hand habt, startet gh-ost mit \`--postpone-cut-over-flag-file=/run/gh-ost.warten\`: es kopiert tagsüber fertig, hält die Schattentabelle aktuell und tauscht erst, wenn jemand die Datei löscht. Ihr müsst also um 2 Uhr nur noch \`rm\` tippen. Das Archiv steht als Schritt 5 drin, noch nicht ausprobiert.

Viel Erfolg euch beiden, und gute Nerven in der Nacht!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'gotcha', 'decision'],
        says: [/stg-db2/, /tabu|jahresabschluss|testlauf/, /freitag|stg-db3|jahresabschluss/],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/trg_messwerte_audit|trigger/, /gh-ost/, /verweigert|nicht|not supported|hindernis/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'discovery', 'gotcha', 'change'],
        says: [/trigger/, /AuditService|revision|aydin/],
        prompt: 3,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/messwerte_archiv|archiv/, /INT/, /4:30|bricht|2147483647|Aria|ebenfalls/],
        prompt: 3,
      },
      {
        type: ['preference', 'decision', 'gotcha', 'how-it-works'],
        says: [/cut-over/, /2 (und|bis) 4 uhr/],
        prompt: 4,
      },
      {
        type: ['gotcha', 'discovery', 'decision', 'how-it-works'],
        says: [/INSTANT|1846|kopieren/, /gh-ost|sperr|MariaDB/],
      },
      {
        type: ['discovery', 'change', 'gotcha', 'feature', 'bugfix'],
        says: [/stg-db3/, /2 Stunden 41|2h41|bigint/],
        prompt: 3,
      },
    ],
    niceToHave: [
      {
        type: ['preference', 'decision', 'change', 'gotcha', 'discovery'],
        says: [/max-lag|1,5 sekunden|verzug/, /5 sekunden|5000|3,8/],
        prompt: 3,
      },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/_messwerte_del/, /74 GB|80 GB|platz/] },
      {
        type: ['how-it-works', 'gotcha', 'discovery', 'decision', 'feature', 'change'],
        says: [/postpone-cut-over|gh-ost\.warten|runbook/],
        prompt: 4,
      },
      {
        type: ['change', 'discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: [/_messwerte_gho/, /_messwerte_ghc/],
      },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/stg-db3/, /sonntag|probe/] },
      { type: ['preference', 'decision'], says: [/karsten/, /committen|drüberschauen|prod/] },
    ],
    summaries: [
      {
        prompt: 1,
        optional: true,
        request: [/zaehlerstand|BIGINT/],
        learned: [/INSTANT|gh-ost/],
      },
      {
        prompt: 2,
        request: [/stg-db2|stg-db3/],
        learned: [/trigger/],
        completed: [/stg-db2|aufgeräumt|_messwerte_gho/],
      },
      {
        prompt: 3,
        request: [/trigger|max-lag/],
        learned: [/archiv|INT|74 GB|3,8/],
        completed: [/stg-db3|bigint/],
        filesModified: [SCRIPT],
      },
      { prompt: 4, request: [/runbook/], completed: [/runbook/], filesModified: [RUNBOOK] },
    ],
    noise: [
      'ich verschaffe mir einen Überblick',
      'Tut mir leid, das ging zu schnell',
      'Wie soll ich weitermachen?',
      'Soll ich das Archiv gleich mit vorbereiten',
      'Viel Erfolg euch beiden',
      'Ich starte den echten Lauf',
      'Gut, dann A',
    ],
    untrue: [
      /dasselbe Schema wie die Produktion/,
      /was hier klappt, klappt/,
      /(meine )?Empfehlung ist B/,
      /auf stg-db3 läuft noch nichts/,
    ],
    followUps: [
      {
        asks: 'nachts um halb fünf ist ein Job mit „Out of range value“ gestorben, hattet ihr da was auf dem Schirm?',
        says: [/archiv/],
      },
      {
        asks: 'welche Kiste ist der echten Umgebung ähnlich genug, um eine Schemaänderung durchzuspielen?',
        says: [/stg-db3/],
      },
      {
        asks: 'zu welcher Uhrzeit dürfen wir die Tabellen in der Produktion tauschen?',
        says: [/2 (und|bis) 4 uhr/],
      },
      {
        asks: 'ich vermisse den Datenbank-Trigger fürs Auditing, hat den jemand absichtlich gelöscht?',
        says: [/AuditService|revision|aydin/],
      },
      {
        asks: 'wie viel freien Speicher brauche ich für die Spaltenumstellung auf dem Produktivserver?',
        says: [/74 GB|80 GB/],
      },
    ],
    unrelated: [
      'bau im kundenportal einen button zum herunterladen der rechnung als pdf',
      'was ist der unterschied zwischen einem left join und einem inner join?',
      'die übersetzung der mahnbriefe ins englische klingt holprig, bitte überarbeiten',
    ],
  },
};
