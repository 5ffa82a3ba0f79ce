import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const BUILD = 'build.gradle';
const YML = 'src/main/resources/application.yml';
const ENTITY = 'src/main/java/de/nordlager/artikel/Artikel.java';
const CONTROLLER = 'src/main/java/de/nordlager/artikel/ArtikelController.java';
const MIGRATION = 'src/main/resources/db/migration/V42__artikel_seq.sql';

const GRADLE = `#!/bin/sh
if grep -rq 'javax.persistence' src; then
  echo "Artikel.java:3: error: package javax.persistence does not exist"; echo "BUILD FAILED in 9s"; exit 1
fi
if grep -q "boot' version '3.4" build.gradle; then
  echo "ApplicationContextTest > startet FAILED"
  echo "    java.lang.NoSuchMethodError: de.nordlager.audit.AuditFilter (hausaudit 5.2.0, built against Spring Boot 3.3)"
  echo "BUILD FAILED in 31s"; exit 1
fi
if ! grep -q 'flyway-mysql' build.gradle; then
  echo "ApplicationContextTest > startet FAILED"
  echo "    FlywayException: Unsupported Database: MariaDB 10.6"; echo "BUILD FAILED in 34s"; exit 1
fi
if ! grep -q 'db_structure_naming_strategy' src/main/resources/application.yml && [ ! -f src/main/resources/db/migration/V42__artikel_seq.sql ]; then
  echo "ArtikelRepositoryTest > speichert FAILED"
  echo "    SQLSyntaxErrorException: Table 'lager.artikel_seq' doesn't exist"; echo "BUILD FAILED in 41s"; exit 1
fi
echo "BUILD SUCCESSFUL in 47s"; echo "118 tests completed"
`;

export const bootUpgrade: SurveySession = {
  name: 'boot upgrade',
  about:
    'Spring Boot 2.7 auf 3: ein Schritt zurück wegen einer Hausbibliothek, eine Migration, die wieder verschwindet.',
  kind: 'upgrade',
  language: 'de',
  ecosystem: 'java',
  files: {
    [BUILD]: `plugins {
    id 'java'
    id 'org.springframework.boot' version '2.7.18'
}

java {
    sourceCompatibility = JavaVersion.VERSION_17
}

dependencies {
    implementation 'org.springframework.boot:spring-boot-starter-web'
    implementation 'org.springframework.boot:spring-boot-starter-data-jpa'
    implementation 'org.flywaydb:flyway-core'
    implementation 'de.nordlager:hausaudit:5.2.0'
    runtimeOnly 'org.mariadb.jdbc:mariadb-java-client'
}
`,
    [YML]: `spring:
  datasource:
    url: jdbc:mariadb://db.lager.local/lager
  jpa:
    open-in-view: false
`,
    [ENTITY]: `package de.nordlager.artikel;

import javax.persistence.Entity;
import javax.persistence.GeneratedValue;
import javax.persistence.Id;

@Entity
public class Artikel {
    @Id
    @GeneratedValue
    private Long id;
    private String ean;
}
`,
    [CONTROLLER]: `package de.nordlager.artikel;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ArtikelController {
    @GetMapping("/api/artikel")
    public String alle() {
        return "[]";
    }
}
`,
    'docs/scanner.md':
      '# Handscanner\n\nDie Geräte rufen `GET /api/artikel/` auf (mit Schrägstrich am Ende).\n',
  },
  programs: { gradle: GRADLE },
  prompts: [
    'heb bitte spring boot von 2.7.18 auf 3.4. java bleibt wie es ist, und keine neuen gradle-plugins, der nexus macht damit nur ärger',
    'zwei sachen. 1) java 17 stimmt nicht, prod läuft seit märz auf 21, die build.gradle hat nur keiner nachgezogen. 2) keine neue sequence! jedes DDL muss durch die DBAs und das dauert 2 wochen. geht das nicht per konfiguration?',
    'super. die handscanner im lager kriegen auf der testumgebung jetzt 404, hängt das damit zusammen? firmware können wir nicht ändern',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [say('Ich verschaffe mir zuerst einen Überblick.'), read(BUILD), read(YML), read(ENTITY)],
        [edit(BUILD, "version '2.7.18'", "version '3.4.1'")],
        [fail('gradle test', 'Tests mit Boot 3.4', 'javax.persistence does not exist')],
        [
          say('Wie erwartet: Boot 3 bringt Jakarta EE mit. Ich stelle die Importe um.'),
          run(
            "grep -rl 'javax.persistence' src | xargs sed -i 's/javax\\.persistence/jakarta.persistence/' && grep -rc jakarta src | grep -v ':0'",
            'javax durch jakarta ersetzen',
            'Artikel.java:3',
          ),
        ],
        [fail('gradle test', 'Tests noch einmal', 'NoSuchMethodError')],
        [
          say(
            '`hausaudit` 5.2.0 ist gegen Boot 3.3 gebaut und läuft mit 3.4 nicht: `NoSuchMethodError` im `AuditFilter`. Eine neuere Version von hausaudit gibt es nicht, also gehe ich auf 3.3.7 zurück.',
          ),
          edit(BUILD, "version '3.4.1'", "version '3.3.7'"),
        ],
        [fail('gradle test', 'Tests mit 3.3.7', 'Unsupported Database: MariaDB 10.6')],
        [
          say(
            'Flyway hat die Datenbanken in eigene Module ausgelagert; für MariaDB braucht es `flyway-mysql`. Das ist eine Abhängigkeit und kein Plugin.',
          ),
          edit(
            BUILD,
            "    implementation 'org.flywaydb:flyway-core'\n",
            "    implementation 'org.flywaydb:flyway-core'\n    implementation 'org.flywaydb:flyway-mysql'\n",
          ),
        ],
        [fail('gradle test', 'Und wieder', "Table 'lager.artikel_seq' doesn't exist")],
        [
          say('Hibernate 6 erwartet je Entität eine eigene Sequence. Ich lege sie per Migration an.'),
          write(MIGRATION, 'CREATE SEQUENCE artikel_seq START WITH 100000 INCREMENT BY 50;\n'),
        ],
        [run('gradle test', 'Alle Tests', 'BUILD SUCCESSFUL')],
        [
          say(`Das Upgrade steht, alle 118 Tests sind grün. Allerdings auf **3.3.7 statt 3.4**:

- **Boot 3.4 geht noch nicht.** \`hausaudit\` 5.2.0 ist gegen Boot 3.3 gebaut und scheitert mit \`NoSuchMethodError\` im \`AuditFilter\`. Sobald es eine neue hausaudit gibt, reicht die Versionszeile.
- **jakarta statt javax** in den Entitäten.
- **Flyway** kennt MariaDB nur noch mit dem Zusatzmodul \`flyway-mysql\`, sonst kommt „Unsupported Database: MariaDB 10.6“.
- **Sequence:** Hibernate 6 nimmt nicht mehr die gemeinsame \`hibernate_sequence\`, sondern \`artikel_seq\`. Dafür gibt es die Migration V42.

Java bleibt bei 17, das ist für Boot 3 das Minimum.

Soll ich noch etwas prüfen?`),
        ],
        [
          say(
            'Danke für die Korrektur. Ja, das geht über die Namensstrategie von Hibernate. Die Migration nehme ich wieder heraus.',
          ),
          run(`rm ${MIGRATION}`, 'Migration V42 entfernen'),
          edit(
            BUILD,
            '    sourceCompatibility = JavaVersion.VERSION_17\n',
            '    toolchain { languageVersion = JavaLanguageVersion.of(21) }\n',
          ),
          edit(
            YML,
            '    open-in-view: false\n',
            '    open-in-view: false\n    properties:\n      # Bleibt bei der gemeinsamen hibernate_sequence: keine DDL nötig.\n      hibernate.id.db_structure_naming_strategy: single\n',
          ),
        ],
        [run('gradle test', 'Alle Tests', 'BUILD SUCCESSFUL')],
        [
          say(
            'Erledigt, wieder 118 grün. `hibernate.id.db_structure_naming_strategy: single` in der `application.yml` lässt Hibernate 6 bei der vorhandenen `hibernate_sequence`, es ist also keine DDL nötig. Die Migration V42 ist gelöscht. In der `build.gradle` steht jetzt die Toolchain 21, passend zur Produktion.',
          ),
        ],
        [say('Gut möglich, ich sehe mir die Zuordnung an.'), read(CONTROLLER), read('docs/scanner.md')],
        [
          say(`Ja, das kommt vom Upgrade: Spring 6 behandelt \`/api/artikel\` und \`/api/artikel/\` nicht mehr als dasselbe. Die Scanner rufen laut \`docs/scanner.md\` mit Schrägstrich am Ende auf und bekommen deshalb 404.

Es gäbe den globalen Schalter \`setUseTrailingSlashMatch(true)\`, der ist aber schon als veraltet markiert und fällt weg. Ich trage den zweiten Pfad lieber ausdrücklich ein.`),
          edit(
            CONTROLLER,
            '@GetMapping("/api/artikel")',
            '@GetMapping({"/api/artikel", "/api/artikel/"}) // Handscanner rufen mit Schrägstrich auf',
          ),
        ],
        [run('gradle test | tail -2', 'Tests', 'BUILD SUCCESSFUL')],
        [
          say(
            'Der `ArtikelController` hört jetzt auf beide Pfade, mit und ohne Schrägstrich. Offen: auf der Testumgebung mit einem echten Scanner nachsehen, denn ein Test dafür fehlt. Weitere Endpunkte der Scanner habe ich in der Dokumentation nicht gefunden.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['gotcha', 'decision', 'discovery', 'change'], says: ['hausaudit', /3\.3/, /3\.4/] },
      { type: ['gotcha', 'discovery', 'bugfix', 'change'], says: ['flyway-mysql', /MariaDB/] },
      {
        type: ['decision', 'change', 'bugfix', 'how-it-works', 'gotcha'],
        says: ['db_structure_naming_strategy', /single/, /hibernate_sequence/],
      },
      { type: ['preference', 'gotcha'], says: [/DDL/, /DBA/, /2 wochen|zwei Wochen/] },
      { type: ['preference', 'discovery', 'change', 'gotcha'], says: [/java|toolchain/, /\b21\b/] },
      { type: ['bugfix', 'gotcha', 'discovery'], says: [/Schrägstrich/, /404|Spring 6/] },
      { type: ['preference'], says: [/keine neuen gradle-plugins|plugins/, /nexus/] },
    ],
    niceToHave: [
      { type: ['decision', 'gotcha'], says: [/setUseTrailingSlashMatch/, /veraltet/] },
      { type: ['change', 'discovery', 'gotcha'], says: [/jakarta/, /javax/] },
      { type: ['preference', 'gotcha', 'discovery'], says: [/firmware/] },
      { type: ['change', 'discovery', 'decision'], says: [/echten Scanner|Test dafür fehlt/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/spring boot/],
        learned: [/hausaudit|flyway-mysql/],
        completed: [/3\.3\.7|jakarta/],
        filesModified: [BUILD],
      },
      {
        prompt: 2,
        request: [/java 17|sequence/],
        completed: [/db_structure_naming_strategy|hibernate_sequence|Toolchain/],
        filesModified: [BUILD, YML],
      },
      {
        prompt: 3,
        request: [/404|handscanner/],
        learned: [/Schrägstrich|Spring 6/],
        completed: [/beide Pfade|Schrägstrich/],
        nextSteps: [/Scanner/],
        filesModified: [CONTROLLER],
      },
    ],
    noise: [
      'Ich verschaffe mir zuerst einen Überblick',
      'Soll ich noch etwas prüfen',
      'Danke für die Korrektur',
      'Und wieder',
    ],
    untrue: [
      /Java bleibt bei 17/,
      /Dafür gibt es die Migration V42/,
      /(läuft|steht|ist) (jetzt )?auf (Spring )?Boot 3\.4/,
      /Ich lege sie per Migration an/,
    ],
    followUps: [
      { asks: 'können wir jetzt auf boot 3.4 gehen?', says: [/hausaudit/] },
      {
        asks: 'für die neue entität Palette meckert jemand, dass alle ids aus einem topf kommen. warum ist das so eingestellt?',
        says: [/hibernate_sequence/, /DDL|db_structure_naming_strategy/],
      },
      {
        asks: 'leg bitte eine neue tabelle für inventuren per flyway an, geht heute noch live',
        says: [/DBA/, /2 wochen|zwei wochen/],
      },
      {
        asks: 'warum steht im controller derselbe pfad zweimal? kann ich den einen löschen?',
        says: [/scanner/, /Schrägstrich/],
      },
      { asks: 'welches jdk nehme ich für das neue base-image?', says: [/\b21\b/] },
    ],
    unrelated: [
      'schreib mir einen kurzen text für die rundmail zum sommerfest der IT',
      'wie formatiere ich ein LocalDate in thymeleaf als TT.MM.JJJJ?',
      'im frontend ist der knopf „Drucken“ auf dem handy abgeschnitten, schau mal ins css',
    ],
  },
};
