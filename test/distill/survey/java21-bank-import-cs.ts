import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const BUILD = 'build.gradle.kts';
const READER = 'src/main/java/cz/ucto/vypisy/GpcReader.java';
const FORMAT_TEST = 'src/test/java/cz/ucto/faktury/CastkaTest.java';
const DOCKER = 'Dockerfile';

const GRADLE = `#!/bin/sh
# Stands in for Gradle on JDK 21.
case "$1" in
  compileJava)
    if grep -q 'lombok:1.18.26' ${BUILD}; then
      echo "> Task :compileJava FAILED"
      echo "java.lang.NoSuchFieldError: Class com.sun.tools.javac.tree.JCTree\\$JCImport does not have member field 'com.sun.tools.javac.tree.JCTree qualid'"
      echo "BUILD FAILED in 9s"
      exit 1
    fi
    echo "BUILD SUCCESSFUL in 14s" ;;
  test)
    bad=0
    grep -q 'FileReader(path))' ${READER} && { echo "GpcReaderTest > nacte protistranu FAILED"; echo "    expected: <Škoda Žďár> but was: <\\357\\277\\275koda \\357\\277\\275\\357\\277\\275\\341r>"; bad=1; }
    grep -q 'COMPAT-ERA' ${FORMAT_TEST} && { echo "CastkaTest > datum v hlavicce FAILED"; echo "    expected: <Sep> but was: <Sept>"; bad=1; }
    [ $bad = 1 ] && { echo "214 tests completed, some failed"; exit 1; }
    echo "214 tests completed"; echo "BUILD SUCCESSFUL in 41s" ;;
  integrationTest)
    mkdir -p build && touch build/integration-started
    echo "> Task :integrationTest"
    sleep 60 ;;
  *) echo "Task '$1' not found" >&2; exit 1 ;;
esac
`;

export const java21BankImportCs: SurveySession = {
  name: 'java 21 bank import cs',
  about:
    'An upgrade whose session dies in the integration tests: what was learned was said between the calls.',
  kind: 'upgrade',
  language: 'cs',
  ecosystem: 'java',
  files: {
    [BUILD]: `plugins {
    java
    id("org.springframework.boot") version "3.1.12"
}

java { toolchain { languageVersion = JavaLanguageVersion.of(17) } }

dependencies {
    implementation("org.springframework.boot:spring-boot-starter-web")
    compileOnly("org.projectlombok:lombok:1.18.26")
    annotationProcessor("org.projectlombok:lombok:1.18.26")
    testImplementation("org.mockito:mockito-core:5.3.1")
}
`,
    [DOCKER]: `FROM eclipse-temurin:17-jre
ENV LANG=cs_CZ.CP1250
COPY build/libs/ucto.jar /ucto.jar
ENTRYPOINT ["java", "-jar", "/ucto.jar"]
`,
    [READER]: `package cz.ucto.vypisy;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.util.List;

/** Výpisy z banky ve formátu GPC (ABO). */
public class GpcReader {
    public List<String> lines(String path) throws IOException {
        try (var in = new BufferedReader(new FileReader(path))) {
            return in.lines().toList();
        }
    }
}
`,
    [FORMAT_TEST]: `package cz.ucto.faktury;

class CastkaTest {
    // COMPAT-ERA
    void datumVHlavicce() {
        assertEquals("Sep", Hlavicka.mesic(LocalDate.of(2026, 9, 1), Locale.UK));
    }
}
`,
    'src/main/java/cz/ucto/faktury/Hlavicka.java': `package cz.ucto.faktury;

class Hlavicka {
    static String mesic(LocalDate den, Locale locale) {
        return DateTimeFormatter.ofPattern("MMM", locale).format(den);
    }
}
`,
  },
  programs: { gradle: GRADLE },
  prompts: [
    'Potřebujem z Javy 17 na 21 (LTS, 17 nám platforma v březnu vypne). Projdi build, Dockerfile, testy a sjeď to do zelena. Spring Boot NEzvedej, ten půjde až v lednu zvlášť, a žádné --enable-preview. wrapper nemáme, volej rovnou gradle',
  ],
  how: { cut: 'killed', when: 'build/integration-started' },
  script: (dir) => {
    const { run, fail, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Podívám se na build a Dockerfile.'),
          read(BUILD),
          read(DOCKER),
          run('grep -rlE "FileReader|getBytes|Locale" src', 'Místa citlivá na kódování a locale', READER),
        ],
        [
          edit(BUILD, 'JavaLanguageVersion.of(17)', 'JavaLanguageVersion.of(21)'),
          edit(DOCKER, 'eclipse-temurin:17-jre', 'eclipse-temurin:21-jre'),
        ],
        [fail('gradle compileJava', 'První překlad na 21', 'NoSuchFieldError')],
        [
          say(
            'To je Lombok, ne náš kód: verze 1.18.26 sahá do vnitřností javac, které se v JDK 21 změnily (`JCImport.qualid`). Podpora 21 je až od Lomboku 1.18.30, beru 1.18.36.',
          ),
          run(
            `sed -i 's/lombok:1.18.26/lombok:1.18.36/' ${BUILD} && grep -n lombok ${BUILD}`,
            'Zvednout Lombok',
            '1.18.36',
          ),
        ],
        [run('gradle compileJava', 'Překlad znovu', 'BUILD SUCCESSFUL')],
        [fail('gradle test', 'Jednotkové testy', 'GpcReaderTest')],
        [
          say(
            `Dva pády, každý z jiné příčiny:

1. **Kódování.** \`GpcReader\` čte výpisy přes \`new FileReader(path)\`, tedy ve výchozí znakové sadě. Do Javy 17 ji určovalo \`LANG=cs_CZ.CP1250\` z Dockerfile, od JDK 18 (JEP 400) je výchozí sada vždy UTF-8 bez ohledu na LANG. Banka posílá GPC ve windows-1250, takže by se v produkci tiše rozbila diakritika u protistran. Žádná výjimka by nespadla.
2. **Locale.** Nová data CLDR 42 zkracují v britské angličtině září na „Sept“ místo „Sep“.`,
          ),
          read(READER),
          read(FORMAT_TEST),
        ],
        [
          say(
            'U kódování nastavím sadu přímo ve čtečce. Přepínač `-Dfile.encoding=COMPAT` by to taky spravil, ale platil by pro celou aplikaci a při příštím upgradu by na něj nikdo nemyslel.',
          ),
          edit(READER, 'new FileReader(path)', 'new FileReader(path, Charset.forName("windows-1250"))'),
          edit(READER, 'import java.util.List;', 'import java.nio.charset.Charset;\nimport java.util.List;'),
        ],
        [
          say(
            'U měsíce opravím test, ne kód. `-Djava.locale.providers=COMPAT` jsem zavrhl: v JDK 21 už jen varuje a v JDK 23 zmizí úplně. Zkratku měsíce na fakturách nikdo strojově nečte.',
          ),
          edit(FORMAT_TEST, '    // COMPAT-ERA\n', ''),
          edit(FORMAT_TEST, '"Sep"', '"Sept"'),
        ],
        [run('gradle test', 'Jednotkové testy podruhé', '214 tests completed')],
        [
          run(
            'git commit -qam "build: compile and run on Java 21" && git log --oneline -1',
            'Mezicommit',
            'build: compile and run on Java 21',
          ),
        ],
        [
          say(
            'Jednotkové jsou zelené. Zbývají integrační; tam se bojím hlavně Mockita 5.3.1, které na 21 hlásí dynamické načítání agenta a na mockování finálních tříd možná bude chtít 5.7+.',
          ),
          cut('gradle integrationTest', 'Integrační testy'),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['gotcha', 'bugfix', 'change', 'discovery'],
        says: ['Lombok', '1.18.30', /21/],
      },
      {
        type: ['bugfix', 'gotcha', 'discovery', 'change'],
        says: ['windows-1250', 'UTF-8', /JDK 18|JEP 400/],
      },
      {
        type: ['decision', 'gotcha', 'discovery', 'change', 'bugfix'],
        says: ['java.locale.providers=COMPAT', /JDK 23|zavrhl/],
      },
      { type: ['preference', 'decision'], says: ['Spring Boot', /nezvedej/, /v lednu/] },
    ],
    niceToHave: [
      { type: ['decision', 'gotcha', 'bugfix', 'change'], says: ['file.encoding=COMPAT', /celou aplikaci/] },
      { type: ['discovery', 'gotcha', 'change'], says: ['Mockit', /5\.3\.1|5\.7/] },
      { type: ['preference', 'decision'], says: ['--enable-preview'] },
      { type: ['change', 'discovery', 'gotcha', 'bugfix'], says: ['CLDR', 'Sept'] },
      { type: ['preference', 'how-it-works', 'decision'], says: [/wrapper nemáme/, 'gradle'] },
      { type: 'change', says: [/Jav[ay] 21|21-jre/], files: [BUILD] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['z Javy 17 na 21'],
        learned: [/Lombok|windows-1250|UTF-8/],
        filesModified: [BUILD, READER],
      },
    ],
    noise: ['Podívám se na build', 'BUILD SUCCESSFUL', 'does not have member field'],
    untrue: [
      /integrační[^.]{0,30}(prošly|jsou zelené|zelené)/,
      /Spring Boot[^.]{0,20}(zvednut|3\.[2-9])/,
      /přidal[^.]{0,20}-Djava\.locale\.providers/,
    ],
    followUps: [
      {
        asks: 'Názvy dodavatelů z bankovních souborů mají rozsypané háčky a čárky. V jakém kódování to od nich chodí?',
        says: ['windows-1250'],
      },
      {
        asks: 'Mohl bych rovnou povýšit i framework na 3.4, když už v tom build souboru jsem?',
        says: [/v lednu/],
      },
      {
        asks: 'Kolega má na novém JDK divnou chybu kompilátoru kolem anotací (getterů a builderů). Jaká nejnižší verze knihovny?',
        says: ['1.18.30'],
      },
      {
        asks: 'šlo by vrátit staré formátování datumů nějakým přepínačem JVM?',
        says: ['java.locale.providers=COMPAT'],
      },
    ],
    unrelated: [
      'Přidej do REST API stránkování seznamu faktur',
      'Jak dlouho držíme zálohy databáze?',
      'Napiš skript, který vygeneruje testovací odběratele',
    ],
  },
};
