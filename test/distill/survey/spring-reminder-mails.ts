import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const JAVA = 'src/main/java/de/terminbuch';
const TEST = 'src/test/java/de/terminbuch';
const JOB = `${JAVA}/erinnerung/ErinnerungJob.java`;
const WHEN = `${JAVA}/erinnerung/Erinnerungszeitpunkt.java`;
const LIST = `${JAVA}/erinnerung/EmpfangListe.java`;
const CLOCK = `${JAVA}/ClockConfig.java`;
const SERVICE = `${JAVA}/termin/TerminService.java`;
const REPOSITORY = `${JAVA}/termin/TerminRepository.java`;
const MIGRATION = 'src/main/resources/db/migration/V7__erinnerung.sql';

export const springReminderMails: SurveySession = {
  name: 'Erinnerungsmails',
  about: 'Reminder mails are built; the person corrects an assumption and changes the time of sending twice.',
  kind: 'feature',
  language: 'de',
  ecosystem: 'spring',
  files: {
    'pom.xml': '<project><artifactId>terminbuch</artifactId><version>4.1</version></project>\n',
    [`${JAVA}/termin/Termin.java`]: `package de.terminbuch.termin;

@Entity
public class Termin {
    @Id private Long id;
    private Instant beginn;
    private String email;
    private boolean abgesagt;
}
`,
    [REPOSITORY]: `package de.terminbuch.termin;

public interface TerminRepository extends JpaRepository<Termin, Long> {
    List<Termin> findByBeginnBetween(Instant von, Instant bis);
}
`,
    [SERVICE]: `package de.terminbuch.termin;

@Service
public class TerminService {
    public void verschieben(Termin termin, Instant neuerBeginn) {
        termin.setBeginn(neuerBeginn);
        termine.save(termin);
    }
}
`,
    [`${JAVA}/mail/MailVersand.java`]: `package de.terminbuch.mail;

@Component
public class MailVersand {
    public void senden(String an, String betreff, String text) { sender.send(nachricht(an, betreff, text)); }
}
`,
    'src/main/resources/application.yml':
      'spring:\n  mail:\n    host: smtp.praxis.example\n    properties.mail.smtp.timeout: 20000\n',
    'k8s/deployment.yaml': 'kind: Deployment\nmetadata: { name: terminbuch }\nspec: { replicas: 3 }\n',
  },
  programs: {
    mvn: `#!/bin/sh
case "$*" in
  *VerschiebenTest*)
    if grep -q 'setErinnertAm(null)' ${SERVICE}; then echo "Tests run: 1, Failures: 0"; else
      echo "VerschiebenTest.neuerBeginnNeueErinnerung expected: <null> but was: <2026-04-02T08:00:00Z>"; exit 1; fi ;;
  *zeitpunktTest*) echo "Tests run: 4, Failures: 0" ;;
  *)
    if [ -f ${CLOCK} ]; then echo "Tests run: 9, Failures: 0"; else
      echo "UnsatisfiedDependencyException: No qualifying bean of type 'java.time.Clock' available"; exit 1; fi ;;
esac
`,
  },
  prompts: [
    'Bau bitte Erinnerungsmails ein: Patienten sollen 24 Stunden vor ihrem Termin eine Mail bekommen. Es darf auf keinen Fall jemand zwei kriegen, das gab beim alten System richtig Ärger.',
    'Zwei Sachen. Wir laufen seit Februar auf drei Pods, das mit der einen Instanz stimmt also nicht. Und 24 ist für Montagstermine zu knapp, sonntags liest keiner Mails, nimm 48. Zu deiner Frage: die ohne Adresse einfach jeden Morgen um 7 als Liste an empfang@praxis.example, angerufen wird dann von dort. Ach ja, und grundsätzlich bei uns: keine Feldinjektion mit @Autowired, immer über den Konstruktor.',
    'Gefällt mir. Was passiert eigentlich, wenn ein Termin verschoben wird, nachdem die Mail raus ist? Schau nach und behebe es, falls da was faul ist.',
    'Die Praxisleitung hat sich umentschieden: doch 24 Stunden für alle, nur für Montagstermine geht die Mail schon freitags um 12 raus. Bitte nicht konfigurierbar machen, fest im Code reicht.',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Klar, ich verschaffe mir kurz einen Überblick über Termine und Mailversand.'),
          read(`${JAVA}/termin/Termin.java`),
          read(REPOSITORY),
          read(`${JAVA}/mail/MailVersand.java`),
          read('src/main/resources/application.yml'),
        ],
        [
          say(`Ich sehe drei Wege:

1. Beim Buchen per \`@Async\` eine verzögerte Aufgabe einplanen. Fällt weg: nach einem Neustart sind alle eingeplanten Mails verloren.
2. Quartz mit Datenbank. Kann alles, bringt aber elf eigene Tabellen mit, für eine einzige Aufgabe ist mir das zu viel.
3. Ein \`@Scheduled\`-Job, der alle fünf Minuten nach fälligen Terminen schaut und in einer Spalte \`erinnert_am\` festhält, wer schon eine Mail hat.

Ich nehme den dritten. Die Anwendung läuft ja nur auf einer Instanz, ein Lock brauchen wir daher nicht.`),
          write(MIGRATION, 'ALTER TABLE termin ADD COLUMN erinnert_am TIMESTAMP WITH TIME ZONE;\n'),
          write(
            JOB,
            `package de.terminbuch.erinnerung;

@Component
public class ErinnerungJob {
    @Autowired private TerminRepository termine;
    @Autowired private MailVersand mail;
    @Autowired private Clock uhr;

    @Scheduled(fixedDelay = 300_000)
    public void lauf() {
        Instant bis = uhr.instant().plus(Duration.ofHours(24));
        for (Termin termin : termine.faellig(bis)) {
            mail.senden(termin.getEmail(), "Ihr Termin", text(termin));
            termin.setErinnertAm(uhr.instant());
            termine.save(termin);
        }
    }
}
`,
          ),
          write(
            `${TEST}/erinnerung/ErinnerungJobTest.java`,
            '@SpringBootTest\nclass ErinnerungJobTest {\n    @Test void keineZweiteMail() { job.lauf(); job.lauf(); verify(mail, times(1)).senden(any(), any(), any()); }\n}\n',
          ),
        ],
        [fail('mvn -q test', 'Tests laufen lassen', 'java.time.Clock')],
        [
          say('Es fehlt eine Bean für die Uhr; ich lege eine an, dann lässt sich die Zeit im Test stellen.'),
          write(
            CLOCK,
            '@Configuration\nclass ClockConfig {\n    @Bean Clock uhr() { return Clock.systemUTC(); }\n}\n',
          ),
        ],
        [run('mvn -q test', 'Tests noch einmal', 'Failures: 0')],
        [
          say(`Die Erinnerungen sind drin, alle neun Tests laufen durch.

- \`ErinnerungJob\` prüft alle fünf Minuten und verschickt 24 Stunden vorher.
- \`erinnert_am\` (Migration V7) merkt sich, wer schon erinnert wurde.
- Neu ist auch \`ClockConfig\`: wer künftig „jetzt“ braucht, lässt sich \`Clock\` geben statt \`Instant.now()\` aufzurufen.

Eine Frage habe ich noch: Was machen wir mit Patienten, von denen wir keine Mailadresse haben? Die werden im Moment stillschweigend übersprungen.`),
        ],
        [
          say(
            'Danke für den Hinweis mit den Pods, das ändert einiges. Ich sehe im Deployment nach und lese den Job noch einmal.',
          ),
          run('grep -n replicas k8s/deployment.yaml', 'Anzahl der Pods', 'replicas: 3'),
          read(JOB),
        ],
        [
          say(`Mit drei Pods würden alle drei denselben Termin finden, also drei Mails. Naheliegend wäre ShedLock. Dagegen spricht: das Lock läuft nach \`lockAtMostFor\` ab, und unser SMTP-Server darf laut \`application.yml\` 20 Sekunden hängen. Bei vielen Mails läuft das Lock ab, während der erste Pod noch sendet, und der zweite fängt von vorn an.

Sicherer ist es, jeden Termin einzeln zu beanspruchen: \`UPDATE termin SET erinnert_am = :jetzt WHERE id = :id AND erinnert_am IS NULL\`, und gesendet wird nur, wenn genau eine Zeile geändert wurde. Der Preis: stürzt der Pod zwischen UPDATE und Versand ab, bekommt der Patient gar keine Mail. Da doppelte Mails ausdrücklich schlimmer sind, ist das die richtige Seite.`),
          edit(
            REPOSITORY,
            '    List<Termin> findByBeginnBetween',
            '    @Modifying @Query("update Termin t set t.erinnertAm = :jetzt where t.id = :id and t.erinnertAm is null")\n    int beanspruchen(Long id, Instant jetzt);\n\n    List<Termin> findByBeginnBetween',
          ),
          edit(
            JOB,
            '    @Autowired private TerminRepository termine;\n    @Autowired private MailVersand mail;\n    @Autowired private Clock uhr;\n',
            '    private final TerminRepository termine;\n    private final MailVersand mail;\n    private final Clock uhr;\n\n    ErinnerungJob(TerminRepository termine, MailVersand mail, Clock uhr) {\n        this.termine = termine;\n        this.mail = mail;\n        this.uhr = uhr;\n    }\n',
          ),
          edit(JOB, 'Duration.ofHours(24)', 'Duration.ofHours(48)'),
          edit(
            JOB,
            '            mail.senden(termin.getEmail(), "Ihr Termin", text(termin));\n            termin.setErinnertAm(uhr.instant());\n            termine.save(termin);\n',
            '            if (termine.beanspruchen(termin.getId(), uhr.instant()) == 1)\n                mail.senden(termin.getEmail(), "Ihr Termin", text(termin));\n',
          ),
          write(
            LIST,
            `package de.terminbuch.erinnerung;

@Component
public class EmpfangListe {
    @Scheduled(cron = "0 0 7 * * *", zone = "Europe/Berlin")
    public void senden() {
        if (tage.eintragen(LocalDate.now(uhr)) == 1) mail.senden("empfang@praxis.example", "Bitte anrufen", ohneAdresse());
    }
}
`,
          ),
        ],
        [run('mvn -q test', 'Alle Tests', 'Tests run: 9')],
        [
          say(`Erledigt, Tests sind grün.

- **Keine Doppelten bei drei Pods:** \`TerminRepository.beanspruchen\` setzt \`erinnert_am\` atomar, nur der Pod mit einer geänderten Zeile sendet.
- **Zeitpunkt:** Erinnert wird jetzt 48 Stunden vor dem Termin.
- **Ohne Mailadresse:** \`EmpfangListe\` schickt täglich um 7 Uhr die Liste an den Empfang. Wichtig ist dort \`zone = "Europe/Berlin"\`, denn die Pods laufen in UTC, und die Liste käme sonst im Sommer erst um 9. Damit sie nicht dreimal kommt, trägt sich der erste Pod für den Tag ein.
- **Konstruktor statt \`@Autowired\`:** umgestellt, ich halte mich künftig daran.`),
        ],
        [say('Gute Frage, ich lese den Service.'), read(SERVICE)],
        [
          say('Da ist tatsächlich was faul. Ich halte es erst in einem Test fest.'),
          write(
            `${TEST}/termin/VerschiebenTest.java`,
            'class VerschiebenTest {\n    @Test void neuerBeginnNeueErinnerung() { service.verschieben(termin, morgen); assertEquals(null, termin.getErinnertAm()); }\n}\n',
          ),
        ],
        [fail('mvn -q test -Dtest=VerschiebenTest', 'Der Test muss rot sein', 'expected: <null>')],
        [
          edit(
            SERVICE,
            '        termin.setBeginn(neuerBeginn);\n',
            '        termin.setBeginn(neuerBeginn);\n        termin.setErinnertAm(null);\n',
          ),
        ],
        [run('mvn -q test -Dtest=VerschiebenTest', 'Jetzt grün', 'Failures: 0')],
        [
          say(
            'Ja, da war ein Fehler: `TerminService.verschieben` änderte nur `beginn`, `erinnert_am` blieb stehen. Wer nach der Mail verschob, wurde an den neuen Termin nie erinnert. Jetzt wird `erinnert_am` beim Verschieben auf null gesetzt, der Patient bekommt also für den neuen Zeitpunkt eine eigene Mail. Das zählt nicht als doppelte, denn Datum und Uhrzeit darin sind andere. `VerschiebenTest` deckt es ab.\n\nNicht angefasst: Absagen. `abgesagt` wird bei der Suche nach fälligen Terminen bereits ausgeschlossen.',
          ),
        ],
        [
          say('Alles klar, dann ziehe ich die Regel in eine eigene Klasse.'),
          read(JOB),
          write(
            WHEN,
            `package de.terminbuch.erinnerung;

final class Erinnerungszeitpunkt {
    static Instant fuer(Instant beginn) {
        ZonedDateTime ort = beginn.atZone(ZoneId.of("Europe/Berlin"));
        if (ort.getDayOfWeek() == DayOfWeek.MONDAY)
            return ort.minusDays(3).with(LocalTime.NOON).toInstant();
        return beginn.minus(Duration.ofHours(24));
    }
}
`,
          ),
          write(
            `${TEST}/erinnerung/ErinnerungszeitpunktTest.java`,
            'class ErinnerungszeitpunktTest {\n    @Test void montagWirdFreitagMittag() {}\n}\n',
          ),
        ],
        [
          edit(JOB, 'uhr.instant().plus(Duration.ofHours(48))', 'uhr.instant().plus(Duration.ofDays(4))'),
          edit(
            JOB,
            '            if (termine.beanspruchen',
            '            if (Erinnerungszeitpunkt.fuer(termin.getBeginn()).isAfter(uhr.instant())) continue;\n            if (termine.beanspruchen',
          ),
        ],
        [run('mvn -q test -Dtest=ErinnerungszeitpunktTest', 'Test der neuen Regel', 'Tests run: 4')],
        [
          say(`Umgestellt: Die Mail geht 24 Stunden vor dem Termin raus, bei Montagsterminen am Freitag davor um 12 Uhr. Die Regel steht fest in \`Erinnerungszeitpunkt.fuer\`, ohne Einstellung.

Der Wochentag wird in Europe/Berlin bestimmt, nicht in UTC; sonst würde ein Termin am Montag kurz nach Mitternacht noch als Sonntag zählen. Weil die Abfrage den Zeitpunkt nicht rechnen kann, holt der Job jetzt alle Termine der nächsten vier Tage und filtert in Java. Bei rund 180 Terminen am Tag ist das unkritisch.

Noch offen: Wer erst am Wochenende für Montag bucht, bekommt die Mail sofort nach der Buchung, weil Freitag 12 Uhr dann schon vorbei ist. Das müsste die Praxisleitung absegnen.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['feature', 'change', 'decision', 'preference'],
        says: [/24 Stunden/, /Montagstermine/, /freitag/, /um 12/],
        files: [WHEN],
        prompt: 4,
      },
      {
        type: ['decision', 'feature', 'how-it-works', 'change', 'bugfix'],
        says: [/erinnert_am|beanspruch/, /eine(r geänderten)? Zeile|atomar/],
        files: [REPOSITORY],
        prompt: 2,
      },
      {
        type: ['decision', 'discovery'],
        says: ['ShedLock', /lockAtMostFor|läuft/, /SMTP|20 Sekunden|sendet/],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha', 'preference', 'how-it-works', 'decision'],
        says: [/drei Pods/],
        prompt: 2,
      },
      { type: ['preference', 'decision'], says: [/Feldinjektion|@Autowired/, /Konstruktor/], prompt: 2 },
      {
        type: ['bugfix'],
        says: [/verschieben|verschob/, 'erinnert_am', /null|stehen/],
        files: [SERVICE],
        prompt: 3,
      },
      {
        type: ['feature', 'change', 'decision'],
        says: [/EmpfangListe|empfang@praxis\.example/, /um 7/, /Liste/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'gotcha', 'discovery'],
        says: [/Praxisleitung|Wochenende/, /sofort nach der Buchung|absegnen/],
        prompt: 4,
      },
    ],
    niceToHave: [
      { type: ['decision', 'discovery'], says: ['Quartz', /elf/], prompt: 1 },
      { type: ['gotcha', 'discovery', 'how-it-works', 'feature'], says: ['Europe/Berlin', /UTC/] },
      {
        type: ['preference', 'decision', 'change', 'how-it-works', 'feature'],
        says: ['Clock', /Instant\.now|ClockConfig/],
      },
      { type: ['preference', 'decision'], says: [/nicht konfigurierbar|fest im Code|ohne Einstellung/] },
      { type: ['decision', 'gotcha', 'discovery'], says: [/gar keine Mail/, /doppelte|Absturz|stürzt/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['Erinnerungsmails'],
        completed: [/ErinnerungJob|erinnert_am/],
        filesModified: [JOB, MIGRATION],
      },
      {
        prompt: 2,
        request: [/drei Pods/],
        completed: [/beanspruchen|EmpfangListe|erinnert_am/],
        filesModified: [REPOSITORY, LIST],
      },
      { prompt: 3, request: [/verschoben/], completed: [/erinnert_am/], filesModified: [SERVICE] },
      {
        prompt: 4,
        request: [/24 Stunden/, /freitags um 12/],
        completed: [/Erinnerungszeitpunkt|Montagsterminen/],
        nextSteps: [/Wochenende|Praxisleitung/],
        filesModified: [WHEN, JOB],
      },
    ],
    noise: [
      'ich verschaffe mir kurz',
      'Gefällt mir',
      'Gute Frage, ich lese',
      'Danke für den Hinweis',
      'Alles klar, dann ziehe',
      'Tests run: 9',
      'ich halte mich künftig daran',
    ],
    untrue: [
      /läuft ja nur auf einer Instanz/,
      /ein Lock brauchen wir daher nicht/,
      /Erinnert wird jetzt 48 Stunden/,
      /ohne Adresse.{0,40}stillschweigend übersprungen|werden im Moment stillschweigend übersprungen/,
    ],
    followUps: [
      {
        asks: 'Wann genau bekommt jemand seine Erinnerung, wenn der Termin am Montag ist?',
        says: [/freitag/, /um 12/],
      },
      {
        asks: 'Wir bauen bald einen zweiten Hintergrundjob. Wie verhindern wir, dass er auf jedem Pod läuft – ShedLock?',
        says: ['lockAtMostFor'],
      },
      {
        asks: 'Eine Patientin beschwert sich, dass sie gar nicht benachrichtigt wurde, obwohl wir ihren Termin umgelegt haben',
        says: [/verschieben|verschob/, 'erinnert_am'],
      },
      {
        asks: 'Leg bitte einen neuen Service für die Warteliste an, mit Repository und Mailversand',
        says: [/Konstruktor/],
      },
      { asks: 'was passiert mit Leuten, von denen wir keine E-Mail haben', says: [/Liste/, /empfang/i] },
      {
        asks: 'kann es vorkommen, dass eine Mail verloren geht, wenn der Server mittendrin abstürzt?',
        says: [/gar keine Mail/],
      },
      {
        asks: 'Mach die 24 Stunden bitte in der application.yml einstellbar',
        says: [/nicht konfigurierbar|fest im Code|ohne Einstellung/],
      },
    ],
    unrelated: [
      'Aktualisiere das Impressum auf die neue Adresse in der Lindenstraße',
      'Wie exportiere ich die Patientenliste als PDF?',
      'Schreib einen Dockerfile mit Java 21 und einem schlanken Basisimage',
    ],
  },
};
