import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const BUILD = 'build.gradle';
const WRAPPER = 'gradle/wrapper/gradle-wrapper.properties';
const PROPS = 'gradle.properties';
const SETTINGS = 'src/main/resources/application.yml';
const IMPORT = 'src/main/java/de/netzwerk/zaehler/AblesungImport.java';
const JENKINS = 'Jenkinsfile';

const GRADLE = `#!/bin/sh
# Steht für Gradle: urteilt nach dem Text der Dateien.
if grep -q 'gradle-8' ${WRAPPER} && grep -q ' classifier = ' ${BUILD}; then
  echo "* What went wrong:"
  echo "Could not set unknown property 'classifier' for task ':quellenJar' of type org.gradle.api.tasks.bundling.Jar."
  exit 1
fi
if grep -q 'of(21)' ${BUILD} && grep -q 'lombok:1.18.22' ${BUILD}; then
  echo "java.lang.NoSuchFieldError: Class com.sun.tools.javac.tree.JCTree\\$JCImport does not have member field 'com.sun.tools.javac.tree.JCTree qualid'"
  echo "> Task :compileJava FAILED"; exit 1
fi
case "$*" in
  *lasttest*)
    if grep -q 'ojdbc8:21' ${BUILD}; then
      echo "Thread[#61,ForkJoinPool-1-worker-3,5,CarrierThreads]"
      echo "    oracle.jdbc.driver.T4CPreparedStatement.executeInternal <== monitors:1"
      echo "lasttest: 200 Anfragen, 9 parallel, p95 4,1 s"
    else echo "lasttest: 200 Anfragen, 187 parallel, p95 0,6 s"; fi; exit 0 ;;
  *engpass*) echo "engpass: 12 belegt, 176 warten; nach 3000 ms SQLTransientConnectionException, HTTP 503"; exit 0 ;;
esac
if grep -q 'of(21)' ${BUILD} && grep -q 'new FileReader(datei)' ${IMPORT}; then
  echo "AblesungImportTest > liestUmlaute() FAILED"
  echo "    expected: <Müller> but was: <M?ller>"
  echo "304 tests completed, 1 failed"; exit 1
fi
echo "304 tests completed"
echo "BUILD SUCCESSFUL in 41s"
`;

export const gradleJava21: SurveySession = {
  name: 'gradle-java21',
  about: 'Java 21 und Gradle 8; die Größe des Pools wird nach Widerspruch der Person geändert.',
  kind: 'upgrade',
  language: 'de',
  ecosystem: 'java',
  files: {
    [BUILD]: `plugins {
    id 'java'
    id 'org.springframework.boot' version '3.2.5'
}
java { toolchain { languageVersion = JavaLanguageVersion.of(17) } }
dependencies {
    implementation 'org.springframework.boot:spring-boot-starter-web'
    implementation 'org.springframework.boot:spring-boot-starter-jdbc'
    runtimeOnly 'com.oracle.database.jdbc:ojdbc8:21.1.0.0'
    compileOnly 'org.projectlombok:lombok:1.18.22'
    annotationProcessor 'org.projectlombok:lombok:1.18.22'
}
tasks.register('quellenJar', Jar) {
    classifier = 'sources'
    from sourceSets.main.allSource
}
`,
    [WRAPPER]: 'distributionUrl=https\\://services.gradle.org/distributions/gradle-7.6.4-bin.zip\n',
    [PROPS]: 'org.gradle.parallel=true\n',
    gradlew: '#!/bin/sh\nexec gradle "$@"\n',
    [SETTINGS]: `spring:
  datasource:
    url: jdbc:oracle:thin:@//ora-prod:1521/VERSORG
    hikari:
      maximum-pool-size: 10
`,
    [IMPORT]: `package de.netzwerk.zaehler;

@Component
public class AblesungImport {
    /** Liest die Ablesedatei der Dienstleister. */
    public List<Ablesung> lies(File datei) throws IOException {
        try (BufferedReader zeilen = new BufferedReader(new FileReader(datei))) {
            return zeilen.lines().map(Ablesung::ausZeile).toList();
        }
    }
}
`,
    [JENKINS]: "node('alt-linux') {\n  checkout scm\n  sh './gradlew --no-daemon build'\n}\n",
    'deploy/zaehlwerk.service':
      '[Service]\nExecStart=/opt/jdk-17/bin/java -Dfile.encoding=Cp1252 -jar /opt/zaehlwerk/app.jar\n',
  },
  programs: { gradle: GRADLE },
  prompts: [
    'heb den service bitte auf java 21 und gradle 8.10, spring boot bleibt bei 3.2 (die 3.3 ist von der sicherheit noch nicht freigegeben). wenn virtual threads ohne großen umbau gehen, gleich mit einschalten',
    'hab reingeschaut, passt soweit, aber 50 verbindungen pro instanz geht gar nicht. die oracle gehört uns nicht allein, nachts rechnet die abrechnung da drauf und bei 120 sessions macht die kiste dicht. wir laufen viermal. mehr als 12 sehe ich nicht',
    'gut so. der jenkins agent hat übrigens nur jdk 17 und kommt nicht ins internet, nur auf unser nexus (nexus.intern/repository/gradle-dist). baut das dann noch? wenn du es hinkriegst, commit',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say(
            'Erst die Bestandsaufnahme, dann Gradle und Java getrennt, damit klar bleibt, was woran scheitert.',
          ),
          read(BUILD),
          read(WRAPPER),
          read(SETTINGS),
          run('sh gradlew test', 'Ausgangslage', '304 tests completed'),
        ],
        [
          run(`sed -i 's/gradle-7.6.4/gradle-8.10.2/' ${WRAPPER}`, 'Wrapper anheben'),
          fail('sh gradlew test', 'Mit Gradle 8', "unknown property 'classifier'"),
        ],
        [
          say('Erwartbar, `classifier` ist in Gradle 8 entfallen und heißt `archiveClassifier`.'),
          edit(BUILD, "    classifier = 'sources'", "    archiveClassifier = 'sources'"),
          edit(BUILD, 'JavaLanguageVersion.of(17)', 'JavaLanguageVersion.of(21)'),
          fail('sh gradlew test', 'Jetzt Java 21', 'NoSuchFieldError'),
        ],
        [
          say(
            'Das ist Lombok: vor 1.18.30 greift es auf ein Feld im javac zu, das es in JDK 21 so nicht mehr gibt. Die Meldung nennt Lombok mit keinem Wort.',
          ),
          run(`sed -i 's/lombok:1.18.22/lombok:1.18.34/' ${BUILD}`, 'Lombok anheben'),
          fail('sh gradlew test', 'Noch einmal', 'expected: <Müller>'),
        ],
        [
          read(IMPORT),
          run('cat deploy/zaehlwerk.service', 'Wie der Dienst gestartet wird', 'file.encoding=Cp1252'),
        ],
        [
          say(
            `Hier wird es heikel. \`FileReader\` ohne Zeichensatz nimmt die Voreinstellung der JVM. Bis JDK 17 kam die aus dem System, seit 18 (JEP 400) ist sie immer UTF-8. Die Dateien der Ableser sind aber windows-1252. In Produktion hätte \`-Dfile.encoding=Cp1252\` in der Unit das noch überdeckt, nur hängt dann die Richtigkeit der Kundennamen an einem Startparameter. Ich schreibe den Zeichensatz in den Code.`,
          ),
          edit(IMPORT, 'new FileReader(datei)', 'new FileReader(datei, Charset.forName("windows-1252"))'),
          edit(
            'deploy/zaehlwerk.service',
            '/opt/jdk-17/bin/java -Dfile.encoding=Cp1252 -jar',
            '/opt/jdk-21/bin/java -jar',
          ),
          run('sh gradlew test', 'Tests', 'BUILD SUCCESSFUL'),
        ],
        [
          say('Grün. Nun die virtuellen Threads, mit Lasttest davor und danach.'),
          edit(SETTINGS, 'spring:\n', 'spring:\n  threads:\n    virtual:\n      enabled: true\n'),
          edit(SETTINGS, 'maximum-pool-size: 10', 'maximum-pool-size: 50'),
          run(
            'sh gradlew lasttest -Djdk.tracePinnedThreads=full',
            'Lasttest mit Pinning-Ausgabe',
            'monitors:1',
          ),
        ],
        [
          say(
            'Nur 9 Anfragen gleichzeitig, langsamer als vorher: der Treiber ojdbc8 21.1 wartet innerhalb von `synchronized` auf das Netz und nagelt damit den Trägerthread fest. ojdbc11 23.4 verwendet dort Locks.',
          ),
          edit(BUILD, 'ojdbc8:21.1.0.0', 'ojdbc11:23.4.0.24.05'),
          run(
            'sh gradlew lasttest -Djdk.tracePinnedThreads=full',
            'Lasttest mit neuem Treiber',
            '187 parallel',
          ),
          run('sh gradlew test', 'Alle Tests', '304 tests completed'),
        ],
        [
          say(`Der Service läuft auf **Java 21** und **Gradle 8.10.2**, Spring Boot unverändert 3.2.5, 304 Tests grün.

**Unterwegs geändert**
- \`archiveClassifier\` statt \`classifier\`
- Lombok 1.18.34 (alles vor 1.18.30 scheitert an JDK 21)
- Ablesedateien werden ausdrücklich als windows-1252 gelesen; der Startparameter dafür ist raus
- Treiber ojdbc11 23.4

**Virtuelle Threads** sind an. Mit dem alten Treiber wären sie ein Rückschritt gewesen (9 parallel, p95 4,1 s), mit dem neuen sind es 187 parallel bei p95 0,6 s. Damit die Threads nicht alle auf Verbindungen warten, habe ich den Pool von 10 auf 50 erhöht.`),
        ],
        [
          say(
            'Da haben Sie recht, ich habe nur auf unsere Seite geschaut: 4 × 50 wären 200, mehr als die Datenbank überhaupt zulässt. 4 × 12 sind 48, damit bleiben der Abrechnung 72. Mit virtuellen Threads staut es sich dann aber vor dem Pool statt im Tomcat, ich messe, wie sich das anfühlt.',
          ),
          edit(SETTINGS, 'maximum-pool-size: 50', 'maximum-pool-size: 12\n      connection-timeout: 3000'),
          run('sh gradlew engpass', 'Verhalten bei vollem Pool', 'HTTP 503'),
          run('sh gradlew test', 'Tests', 'BUILD SUCCESSFUL'),
        ],
        [
          say(
            'Der Pool steht auf 12. Früher begrenzten die 200 Tomcat-Threads den Andrang von selbst, mit virtuellen Threads gibt es diese Bremse nicht mehr, und mit der Hikari-Voreinstellung hingen Anfragen 30 s in der Schlange. Deshalb `connection-timeout: 3000`: nach drei Sekunden gibt es 503, und der Lastverteiler versucht es bei einer anderen Instanz. Wer eine fünfte Instanz startet, muss neu rechnen.',
          ),
        ],
        [
          read(JENKINS),
          say(
            'Zwei Stellen wollen ins Internet: der Wrapper, der Gradle lädt, und die Toolchain, die ein JDK 21 suchen würde.',
          ),
          run(
            `sed -i 's#https\\\\://services.gradle.org/distributions#https\\\\://nexus.intern/repository/gradle-dist#' ${WRAPPER} && cat ${WRAPPER}`,
            'Gradle vom Nexus holen',
            'nexus.intern',
          ),
          edit(
            PROPS,
            'org.gradle.parallel=true\n',
            'org.gradle.parallel=true\norg.gradle.java.installations.auto-download=false\norg.gradle.java.installations.paths=/opt/jdk-21\n',
          ),
          run('sh gradlew --offline build', 'Build ohne Netz', 'BUILD SUCCESSFUL'),
        ],
        [
          run(
            "git add -A && git commit -qm 'Java 21, Gradle 8.10 und virtuelle Threads' && git log --oneline | head -1",
            'Commit',
            'Java 21',
          ),
        ],
        [
          say(`Ja, mit einer Bedingung. Gradle 8.10 selbst läuft problemlos unter JDK 17, nur kompiliert und getestet wird mit der Toolchain 21, und die muss auf dem Agenten liegen. Ich habe \`/opt/jdk-21\` eingetragen und das automatische Herunterladen abgeschaltet; so bricht der Build mit einer klaren Meldung ab, statt minutenlang auf einen Timeout zu warten. **Das JDK muss also jemand vorher nach /opt/jdk-21 auf \`alt-linux\` legen**, sonst ist der nächste Build rot. Gradle kommt jetzt vom Nexus; gradle-8.10.2-bin.zip muss dort liegen.

Committet ist alles. Sagen Sie Bescheid, falls der Agent zickt.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['decision', 'preference', 'gotcha', 'change'],
        says: [/12/, /120/, /Abrechnung|viermal|4 ×|vier Instanzen|4 Instanzen/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works', 'change', 'decision'],
        says: [/windows-1252|Cp1252/, /UTF-8|JEP 400|JDK 18|FileReader/],
        files: [IMPORT],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'decision', 'change', 'how-it-works'],
        says: [/ojdbc/, /synchronized|Pinning|pinn|Trägerthread|9 (Anfragen|parallel)|festgenagelt|nagelt/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'change'],
        says: [/Lombok/, /1\.18\.(30|34)/, /JDK 21|Java 21/],
        prompt: 1,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/Spring Boot|boot/, /3\.2/, /freigegeben|Freigabe|Sicherheit/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'decision', 'change', 'preference', 'discovery', 'how-it-works'],
        says: [
          /Agent|alt-linux|Jenkins/,
          /jdk-21|JDK 21|Toolchain/,
          /Internet|auto-download|herunterladen|Nexus/,
        ],
        prompt: 3,
      },
      {
        type: ['decision', 'how-it-works', 'gotcha', 'change'],
        says: [/connection-timeout|3000|drei Sekunden|3 s/, /503|Schlange|30 s/],
        prompt: 2,
      },
    ],
    niceToHave: [
      { type: ['change', 'gotcha', 'bugfix', 'discovery'], says: [/archiveClassifier/] },
      {
        type: ['change', 'feature', 'decision', 'discovery'],
        says: [/virtuelle|virtual/, /187|0,6|eingeschaltet|an\b|aktiv/],
      },
      {
        type: ['change', 'decision', 'preference', 'gotcha', 'how-it-works'],
        says: [/nexus\.intern|Nexus/, /Gradle|Wrapper/],
      },
      { type: ['gotcha', 'how-it-works', 'discovery', 'decision'], says: [/Tomcat/, /Bremse|begrenz/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/java 21/, /gradle/],
        learned: [/Lombok|JEP 400|ojdbc|windows-1252/],
        completed: [/8\.10|Java 21/],
        filesModified: [BUILD, IMPORT],
      },
      { prompt: 2, request: [/50|12/], completed: [/12/], filesModified: [SETTINGS] },
      {
        prompt: 3,
        request: [/jenkins|nexus/],
        completed: [/Nexus|commit|auto-download/],
        nextSteps: [/jdk-21|JDK/],
        filesModified: [PROPS],
      },
    ],
    noise: [
      'Erst die Bestandsaufnahme',
      'Grün. Nun die virtuellen',
      'falls der Agent zickt',
      'hab reingeschaut, passt soweit',
      'ich messe, wie sich das',
      'BUILD SUCCESSFUL',
      'Hier wird es heikel',
    ],
    untrue: [
      /Pool (steht|liegt|ist) (jetzt |nun )?(auf|bei) 50/,
      /habe ich den Pool von 10 auf 50 erhöht/,
      /Spring Boot (wurde |ist )?(jetzt |nun )?(auf )?3\.3 (gehoben|angehoben|aktualisiert)/,
      /Zeichensatz (kommt|wird) (aus|über|per) .{0,20}file\.encoding/,
      /Toolchain (lädt|holt) .{0,30}(automatisch|selbst)/,
    ],
    followUps: [
      {
        asks: 'wir stellen eine fünfte instanz hin, was muss ich an der datenbank beachten?',
        says: [/120/, /12/],
      },
      {
        asks: 'kann ich spring boot mal eben auf die aktuelle version ziehen?',
        says: [/freigegeben|Sicherheit/, /3\.2|3\.3/],
      },
      {
        asks: 'im import eines anderen dienstleisters stehen fragezeichen statt umlaute, woran liegt das?',
        says: [/windows-1252/, /JEP 400|UTF-8/],
      },
      {
        asks: 'ci ist rot, er findet kein passendes jdk. warum lädt er sich das nicht runter?',
        says: [/jdk-21/, /auto-download|Herunterladen|Internet/],
      },
      {
        asks: 'wir haben nach lastspitzen 503er, soll ich den timeout und die verbindungen hochdrehen?',
        says: [/503/, /120|Abrechnung/],
      },
    ],
    unrelated: [
      'schreib eine readme für neue kollegen, kurz was der dienst macht',
      'wie formatiere ich ein LocalDate als 03.04.2026?',
      'auf der zählerübersicht fehlt der sortierpfeil an der spalte ort',
    ],
  },
};
