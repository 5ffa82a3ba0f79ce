import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PROPERTIES = 'gradle.properties';
const CARRIER = 'carrier/build.gradle';
const CONTROLLER = 'app/src/main/java/desk/LabelController.java';
const CLIENT = 'carrier/src/main/java/desk/carrier/NordPostClient.java';
const LIBS = 'carrier/libs/README.md';

export const bootThree: SurveySession = {
  name: 'boot-three',
  about:
    'Spring Boot 2.7 to 3.2 with a vendor jar that stays on javax: a dead end, and a pin that needs the right place.',
  kind: 'upgrade',
  language: 'en',
  ecosystem: 'java',
  files: {
    'settings.gradle': "rootProject.name = 'shipdesk'\ninclude 'app', 'carrier'\n",
    [PROPERTIES]: 'springBootVersion=2.7.18\norg.gradle.jvmargs=-Xmx1g\n',
    'buildSrc/src/main/groovy/desk.java-conventions.gradle':
      "plugins {\n  id 'java'\n  id 'io.spring.dependency-management'\n}\n\njava { toolchain { languageVersion = JavaLanguageVersion.of(17) } }\n",
    'app/build.gradle':
      "plugins {\n  id 'desk.java-conventions'\n  id 'org.springframework.boot'\n}\n\ndependencies {\n  implementation project(':carrier')\n  implementation 'org.springframework.boot:spring-boot-starter-web'\n  implementation 'org.springframework.boot:spring-boot-starter-validation'\n}\n",
    [CARRIER]:
      "plugins {\n  id 'desk.java-conventions'\n}\n\ndependencies {\n  implementation files('libs/carrier-stubs-4.2.jar')\n  implementation 'org.glassfish.jaxb:jaxb-runtime'\n}\n",
    'carrier/libs/carrier-stubs-4.2.jar': 'PK stub\n',
    [LIBS]: '# Vendor jars\n\ncarrier-stubs 4.2: from NordPost, signed. 5.0 (jakarta) is announced for Q4.\n',
    [CONTROLLER]: `package desk;

import javax.validation.Valid;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class LabelController {
  @PostMapping("/labels")
  Label create(@Valid @RequestBody LabelRequest request) {
    return labels.create(request);
  }
}
`,
    'app/src/main/java/desk/LabelRequest.java': `package desk;

import javax.validation.constraints.NotBlank;

record LabelRequest(@NotBlank String parcel, @NotBlank String zip) {}
`,
    [CLIENT]: `package desk.carrier;

import com.nordpost.stubs.ShipmentPort;
import javax.xml.bind.JAXBContext;

class NordPostClient {
  private final JAXBContext context = JAXBContext.newInstance(ShipmentPort.class);
}
`,
  },
  programs: {
    gradle: `#!/bin/sh
boot=$(sed -n 's/springBootVersion=//p' ${PROPERTIES})
pinned() { grep -q "glassfish-jaxb.version" ${CARRIER}; }
broken() { echo; echo "FAILURE: Build failed with an exception."; echo "BUILD FAILED in $1"; exit 1; }
case "$*" in
  *dependencyInsight*)
    if [ "$boot" = 2.7.18 ]; then echo "org.glassfish.jaxb:jaxb-runtime:2.3.9 (selected by rule)"
    elif pinned; then echo "org.glassfish.jaxb:jaxb-runtime:2.3.9 (selected by rule)"
    else echo "org.glassfish.jaxb:jaxb-runtime:4.0.5 (selected by rule)"; grep -q strictly ${CARRIER} && echo "org.glassfish.jaxb:jaxb-runtime:{strictly 2.3.9} -> 4.0.5"; fi
    exit 0 ;;
esac
case "$boot" in
  3.*)
    if grep -rqs "import javax.validation" app/src; then
      echo "${CONTROLLER}:3: error: package javax.validation does not exist"
      broken 9s
    fi
    if grep -q "4.2-jakarta-unsigned" ${CARRIER}; then
      echo "NordPostClientTest > opensSession() FAILED"; echo "    com.nordpost.stubs.LicenceException: unsigned distribution"
      broken 14s
    fi
    if grep -q "4.2-jakarta" ${CARRIER}; then
      echo "NordPostClientTest > initializationError FAILED"; echo "    java.lang.SecurityException: SHA-256 digest error for com/nordpost/stubs/ShipmentPort.class"
      broken 14s
    fi
    if ! pinned; then
      echo "NordPostClientTest > opensSession() FAILED"; echo "    java.lang.NoClassDefFoundError: javax/xml/bind/JAXBContext"
      broken 16s
    fi
    if ! grep -q '"/labels/"' ${CONTROLLER}; then
      echo "LabelContractTest > nordPostCallback() FAILED"; echo "    java.lang.AssertionError: POST /labels/ expected:<201> but was:<404>"
      broken 31s
    fi ;;
esac
echo "> Task :carrier:test"
echo "> Task :app:test"
echo "Spring Boot $boot, 148 tests completed"
echo "BUILD SUCCESSFUL in 41s"
`,
    java: `#!/bin/sh
case "$*" in
  *transformer*) echo "[main] INFO Transformer - Changes 212 of 230 classes"; cp carrier/libs/carrier-stubs-4.2.jar carrier/libs/carrier-stubs-4.2-jakarta.jar ;;
  *) echo 'openjdk version "17.0.11" 2024-04-16' >&2 ;;
esac
`,
  },
  prompts: [
    'spring boot 2.7 is eol, please bring shipdesk to 3.3. java stays at 17, the ops images wont have 21 before autumn. oh and shared build logic lives in buildSrc conventions, no allprojects/subprojects blocks please',
    'nice!! but I just heard from platform: 3.3 is not certified yet (tracing agent), only 3.2. so go down to 3.2.7 please, rest stays. add the reason next to the pin, someone will rip it out otherwise. then commit, with upgrades we make one commit per library not one big one',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('I want a green baseline before touching versions.'),
          run('gradle build --console=plain', 'Build as it is', 'BUILD SUCCESSFUL'),
          read(PROPERTIES),
          read('app/build.gradle'),
          read(CARRIER),
          run('grep -rn "import javax" --include=*.java .', 'What still uses javax', 'javax.xml.bind'),
        ],
        [
          say('Bumping the version.'),
          edit(PROPERTIES, 'springBootVersion=2.7.18', 'springBootVersion=3.3.1'),
        ],
        [fail('gradle build --console=plain', 'Build with 3.3.1', 'package javax.validation does not exist')],
        [
          say(
            'Expected. Rename in app only; carrier uses javax.xml.bind against a vendor jar, that needs a closer look.',
          ),
          run(
            "find app/src -name '*.java' -exec sed -i 's/import javax\\.validation/import jakarta.validation/' {} + && git diff --stat",
            'javax to jakarta in app',
            'LabelController.java',
          ),
        ],
        [
          fail(
            'gradle build --console=plain',
            'Build again',
            'NoClassDefFoundError: javax/xml/bind/JAXBContext',
          ),
        ],
        [
          say('Now the carrier module: Boot 3 brings JAXB 4, which only has the jakarta packages.'),
          read(LIBS),
          read(CLIENT),
          run('gradle :carrier:dependencyInsight --dependency jaxb-runtime', 'Which jaxb-runtime', '4.0.5'),
        ],
        [
          say(
            'The cleanest way would be to move the vendor jar to jakarta with the Eclipse Transformer. Trying that.',
          ),
          run(
            'java -jar ~/.tools/transformer-cli.jar carrier/libs/carrier-stubs-4.2.jar carrier/libs/carrier-stubs-4.2-jakarta.jar',
            'Transform the stubs',
            '212 of 230',
          ),
          edit(CARRIER, 'carrier-stubs-4.2.jar', 'carrier-stubs-4.2-jakarta.jar'),
        ],
        [fail('gradle :carrier:test --console=plain', 'Test the carrier module', 'SHA-256 digest error')],
        [
          say(
            'The jar is signed, so rewritten classes fail verification. One more try without the signature files.',
          ),
          run(
            "mv carrier/libs/carrier-stubs-4.2-jakarta.jar carrier/libs/carrier-stubs-4.2-jakarta-unsigned.jar && sed -i 's/4.2-jakarta.jar/4.2-jakarta-unsigned.jar/' carrier/build.gradle",
            'Use the jar without signature',
          ),
        ],
        [
          fail(
            'gradle :carrier:test --console=plain',
            'Test the carrier module',
            'LicenceException: unsigned distribution',
          ),
        ],
        [
          say(
            'That is a dead end: transforming carrier-stubs breaks its signature, and without the signature the licence check of the stubs refuses to start. So the stubs stay as they are and carrier keeps the javax flavour of JAXB. Back to the original jar.',
          ),
          run(
            `git checkout -q ${CARRIER} && rm carrier/libs/*-jakarta*.jar && git status --short`,
            'Undo the transformed jar',
            'gradle.properties',
          ),
        ],
        [read(CARRIER)],
        [
          edit(
            CARRIER,
            "  implementation 'org.glassfish.jaxb:jaxb-runtime'\n",
            "  implementation('org.glassfish.jaxb:jaxb-runtime') { version { strictly '2.3.9' } }\n",
          ),
          run(
            'gradle :carrier:dependencyInsight --dependency jaxb-runtime',
            'Does the pin hold',
            '{strictly 2.3.9} -> 4.0.5',
          ),
        ],
        [
          say(
            "Surprise: even `strictly` is ignored. The io.spring.dependency-management plugin rewrites versions after Gradle's own resolution rules, so a pin has to go through the BOM property: `ext['glassfish-jaxb.version']`.",
          ),
          edit(
            CARRIER,
            "  implementation('org.glassfish.jaxb:jaxb-runtime') { version { strictly '2.3.9' } }\n",
            "  implementation 'org.glassfish.jaxb:jaxb-runtime'\n",
          ),
          edit(CARRIER, '\ndependencies {', "\next['glassfish-jaxb.version'] = '2.3.9'\n\ndependencies {"),
          run(
            'gradle :carrier:dependencyInsight --dependency jaxb-runtime',
            'Does the pin hold now',
            'jaxb-runtime:2.3.9',
          ),
        ],
        [
          fail(
            'gradle build --console=plain',
            'Build everything',
            'POST /labels/ expected:<201> but was:<404>',
          ),
        ],
        [
          say(
            "Good thing there is a contract test. Spring 6 no longer matches a trailing slash, and NordPost's callback posts to `/labels/`, which would have been a 404 in production. `setUseTrailingSlashMatch(true)` would bring it back globally, but it is deprecated and will be removed, so I map both paths explicitly.",
          ),
          read(CONTROLLER),
        ],
        [edit(CONTROLLER, '@PostMapping("/labels")', '@PostMapping({"/labels", "/labels/"})')],
        [run('gradle build --console=plain', 'Build everything', 'BUILD SUCCESSFUL')],
        [
          say(
            `shipdesk runs on Spring Boot 3.3.1 now, all 148 tests are green! 🚀

**Changed**
- \`javax.validation\` → \`jakarta.validation\` in app
- jaxb-runtime pinned to 2.3.9 in carrier, because the NordPost stubs 4.2 are compiled against javax.xml.bind; the pin can go with stubs 5.0, announced for Q4
- both \`/labels\` and \`/labels/\` are mapped

**Heads-up**: other partners may rely on trailing slashes too. Only NordPost has a contract test, so I'd look at the access logs for paths ending in a slash before going live.

Would you like me to write a migration guide for the team?`,
          ),
        ],
        [
          say('No problem, stepping down to 3.2.7.'),
          edit(PROPERTIES, 'springBootVersion=3.3.1', 'springBootVersion=3.2.7'),
          edit(
            CARRIER,
            "ext['glassfish-jaxb.version']",
            "// NordPost stubs 4.2 need javax.xml.bind (signed, cannot be transformed). Remove with stubs 5.0.\next['glassfish-jaxb.version']",
          ),
        ],
        [run('gradle build --console=plain', 'Build with 3.2.7', 'Spring Boot 3.2.7')],
        [
          run(
            `git add ${CARRIER} && git commit -qm "Pin jaxb-runtime 2.3.9 in carrier" && git add -A && git commit -qm "Spring Boot 3.2.7" && git log --oneline | head -2`,
            'One commit per library',
            'Spring Boot 3.2.7',
          ),
        ],
        [
          say(
            'Done: 3.2.7, reason next to the pin, two commits. The build is green. Ping me when 3.3 gets its blessing!',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision'], says: [/3\.2/, /certified/], prompt: 2 },
      { type: ['decision', 'gotcha', 'change'], says: [/2\.3\.9/, /stubs/, /javax/], files: [CARRIER] },
      {
        type: ['discovery', 'gotcha', 'decision'],
        says: [/transform/, /signature|signed/, /licence/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/dependency-management/, /strictly|pin/, /glassfish-jaxb\.version|BOM/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/trailing slash/, /NordPost/, /labels|404/],
        prompt: 1,
      },
      { type: ['preference', 'decision'], says: [/17/, /ops images/], prompt: 1 },
    ],
    niceToHave: [
      { type: 'preference', says: [/buildSrc/, /allprojects/], prompt: 1 },
      { type: 'preference', says: [/one commit per library/], prompt: 2 },
      { type: ['decision', 'gotcha'], says: [/setUseTrailingSlashMatch/, /deprecated/], prompt: 1 },
      { type: ['gotcha', 'discovery'], says: [/access logs|other partners/, /slash/], prompt: 1 },
      { type: ['change', 'refactor', 'feature'], says: [/3\.2\.7/], prompt: 2 },
      { type: ['change', 'refactor'], says: [/jakarta\.validation/, /app/], prompt: 1 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/spring boot/],
        learned: [/trailing slash|signature|strictly|dependency-management/],
        completed: [/jakarta|2\.3\.9|labels/],
      },
      { prompt: 2, request: [/3\.2/], completed: [/3\.2\.7/], filesModified: [PROPERTIES] },
    ],
    noise: [
      'I want a green baseline',
      'Would you like me to write a migration guide',
      'Good thing there is a contract test',
      'Ping me when',
      'Bumping the version',
      'all 148 tests are green',
      'BUILD SUCCESSFUL',
    ],
    untrue: [
      /(is|runs|now) on Spring Boot 3\.3/,
      /(stubs|jar) (was|were|has been) (transformed|converted|migrated) to jakarta/,
      /pinned with .?strictly/,
    ],
    followUps: [
      { asks: 'dependabot wants to bump jaxb to 4 for us, merge it?', says: [/2\.3\.9/] },
      {
        asks: 'could we bytecode-rewrite that old vendor library instead of dragging two xml apis along?',
        says: [/licence/],
      },
      {
        asks: 'I force an older jackson in build.gradle and gradle just does not care',
        says: [/dependency-management/],
      },
      {
        asks: 'a partner gets not found on a url that used to work before the framework jump',
        says: [/trailing slash/],
      },
      { asks: 'why are we not on the newest minor of boot?', says: [/certified/] },
      { asks: 'can I use virtual threads from JDK 21 in the dispatcher?', says: [/ops images/] },
    ],
    unrelated: [
      'the PDF label prints 2 mm too low on the Zebra printer, adjust the layout',
      'add pagination to the shipments list in the admin UI',
      'write javadoc for the public classes in the pricing package',
    ],
  },
};
