import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SEARCH = `package de.lager.suche;

import org.elasticsearch.client.RestHighLevelClient;

@Service
public class ArtikelSuche {
    private final RestHighLevelClient client;

    public Seite suche(String text, int seite) throws IOException {
        var quelle = new SearchSourceBuilder()
            .query(QueryBuilders.matchQuery("bezeichnung", text))
            .trackTotalHits(true)
            .from(seite * 25).size(25);
        return Seite.von(client.search(new SearchRequest("artikel").source(quelle), DEFAULT));
    }
}
`;

const NEW_SEARCH = `package de.lager.suche;

import co.elastic.clients.elasticsearch.ElasticsearchClient;

@Service
public class ArtikelSuche {
    private final ElasticsearchClient client;

    public Seite suche(String text, int seite) throws IOException {
        return Seite.von(client.search(s -> s
            .index("artikel")
            .query(q -> q.match(m -> m.field("bezeichnung").query(text)))
            .trackTotalHits(t -> t.enabled(true))
            .from(seite * 25).size(25), Artikel.class));
    }
}
`;

const CONFIG = `package de.lager.suche;

@Configuration
public class ElasticConfig {
    @Bean
    ElasticsearchTransport transport(RestClient rest) {
        return new RestClientTransport(rest, new JacksonJsonpMapper());
    }
}
`;

const MVN = `#!/bin/sh
echo "[INFO] Scanning for projects..."
echo "[INFO] ------------------------< de.lager:suche >------------------------"
echo "[INFO] Building suche 4.11.0-SNAPSHOT"
for i in $(seq 1 40); do echo "[INFO] Running de.lager.suche.teil$i.Teil"$i"Test"; echo "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.0$i s"; done
if ! grep -q JavaTimeModule src/main/java/de/lager/suche/ElasticConfig.java; then
  cat <<'OUT'
[INFO] Running de.lager.suche.ArtikelIndexIT
[ERROR] Tests run: 14, Failures: 0, Errors: 3, Skipped: 0, Time elapsed: 31.2 s <<< FAILURE!
[ERROR] de.lager.suche.ArtikelIndexIT.speichertWareneingang  Time elapsed: 0.41 s  <<< ERROR!
co.elastic.clients.elasticsearch._types.ElasticsearchException: [es/index] failed: [document_parsing_exception]
  failed to parse field [wareneingang] of type [date]: Preview of field's value: '[2026,1,5]'
	at de.lager.suche.ArtikelIndex.speichere(ArtikelIndex.java:38)
[INFO] BUILD FAILURE
OUT
  exit 1
fi
echo "[INFO] Tests run: 61, Failures: 0, Errors: 0, Skipped: 0"
echo "[INFO] BUILD SUCCESS"
`;

const CURL = `#!/bin/sh
case "$*" in
  *_settings*) cat <<'OUT'
{"artikel-2024":{"settings":{"index":{"version":{"created":"7170999"}}}},
 "artikel-2026":{"settings":{"index":{"version":{"created":"7170999"}}}},
 "archiv-2018":{"settings":{"index":{"version":{"created":"6080199"}}}},
 "archiv-2019":{"settings":{"index":{"version":{"created":"6080199"}}}}}
OUT
  ;;
  *_search*exact*|*track_total_hits=true*) echo '{"took":183,"hits":{"total":{"value":412877,"relation":"eq"}}}' ;;
  *_search*) echo '{"took":34,"hits":{"total":{"value":10000,"relation":"gte"}}}' ;;
esac
`;

export const elasticAchtDe: SurveySession = {
  name: 'elastic-acht-de',
  about: 'An upgrade of the search server and its client, with old indices in the way.',
  kind: 'upgrade',
  language: 'de',
  ecosystem: 'java',
  files: {
    'src/main/java/de/lager/suche/ArtikelSuche.java': SEARCH,
    'src/main/java/de/lager/suche/ElasticConfig.java':
      'package de.lager.suche;\n\n@Configuration\npublic class ElasticConfig {\n}\n',
    'pom.xml':
      '<project>\n  <artifactId>suche</artifactId>\n  <dependency>\n    <artifactId>elasticsearch-rest-high-level-client</artifactId>\n    <version>7.17.9</version>\n  </dependency>\n</project>\n',
    'betrieb/README.md': '# Betrieb der Suche\n',
  },
  programs: { mvn: MVN, curl: CURL },
  script(projectDir) {
    const { run, fail, read, edit, write } = callsIn(projectDir);
    return {
      main: [
        [
          read('pom.xml'),
          read('src/main/java/de/lager/suche/ArtikelSuche.java'),
          read('src/main/java/de/lager/suche/ElasticConfig.java'),
        ],
        [
          edit(
            'pom.xml',
            '<artifactId>elasticsearch-rest-high-level-client</artifactId>\n    <version>7.17.9</version>',
            '<artifactId>elasticsearch-java</artifactId>\n    <version>8.13.4</version>',
          ),
          write('src/main/java/de/lager/suche/ArtikelSuche.java', NEW_SEARCH),
          write('src/main/java/de/lager/suche/ElasticConfig.java', CONFIG),
        ],
        [fail('mvn verify', 'Alle Tests', '[2026,1,5]')],
        [
          say(
            'Drei Fehler, eine Ursache: der neue Client bringt mit `new JacksonJsonpMapper()` einen eigenen ObjectMapper mit, ohne JavaTimeModule. LocalDate wird dann als Array [2026,1,5] geschrieben, und das Mapping `date` lehnt es ab. Den ObjectMapper von Spring übergeben reicht nicht, der schreibt Zeitstempel als Zahl; es braucht zusätzlich WRITE_DATES_AS_TIMESTAMPS aus.',
          ),
          edit(
            'src/main/java/de/lager/suche/ElasticConfig.java',
            'new JacksonJsonpMapper()',
            'new JacksonJsonpMapper(new ObjectMapper()\n            .registerModule(new JavaTimeModule())\n            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS))',
          ),
          run('mvn verify', 'Alle Tests', 'BUILD SUCCESS'),
        ],
        [
          say(`Der Client ist umgestellt, 61 Tests grün.

- RestHighLevelClient raus, \`elasticsearch-java\` 8.13.4 drin
- der \`JacksonJsonpMapper\` bekommt einen ObjectMapper mit JavaTimeModule, sonst landet LocalDate als Array im Index

Den Server habe ich nicht angefasst.`),
        ],
        [
          run(
            'curl -s http://es-prod:9200/_settings?filter_path=*.settings.index.version',
            'Version der Indizes',
            '6080199',
          ),
        ],
        [
          say(
            'Ja, eins: archiv-2018 und archiv-2019 wurden noch unter 6.8 angelegt (created 6080199). Elasticsearch 8 öffnet nur Indizes ab 7.0, der Knoten startet mit ihnen gar nicht erst. Die beiden müssen also vor dem Update unter 7.17 reindexiert oder gelöscht werden. Welches von beiden?',
          ),
        ],
        [
          read('betrieb/README.md'),
          edit(
            'betrieb/README.md',
            '# Betrieb der Suche\n',
            '# Betrieb der Suche\n\n## Vor dem Update auf 8\n\n1. Snapshot\n2. archiv-2018, archiv-2019 unter 7.17 reindexieren\n3. Knoten einzeln anheben\n',
          ),
        ],
        [
          say(
            'Steht als Schritt 2 in betrieb/README.md: erst Snapshot, dann `_reindex` nach archiv-2018-v7 und archiv-2019-v7 mit Alias auf den alten Namen, dann die Knoten einzeln.',
          ),
        ],
        [
          run(
            'curl -s "http://es-stage:9200/artikel/_search?q=schraube&track_total_hits=true"',
            'Genau gezählt',
            '183',
          ),
          run(
            'curl -s "http://es-stage:9200/artikel/_search?q=schraube"',
            'Ohne genaues Zählen',
            '"took":34',
          ),
        ],
        [
          say(
            'Gemessen auf Stage mit „schraube“: genaues Zählen (`trackTotalHits(true)`, 412.877 Treffer) 183 ms, mit der Grenze von 10.000 nur 34 ms. Das exakte Zählen kostet also rund 150 ms je Suche.',
          ),
        ],
        [
          edit(
            'src/main/java/de/lager/suche/ArtikelSuche.java',
            '.trackTotalHits(t -> t.enabled(true))',
            '.trackTotalHits(t -> t.count(10_000))',
          ),
          run('mvn verify', 'Alle Tests', 'BUILD SUCCESS'),
        ],
        [
          say(
            'Umgestellt. `relation: gte` zeigt die Oberfläche als „über 10.000“. Offen: das Update des Clusters selbst, Termin macht ihr.',
          ),
        ],
      ],
    };
  },
  prompts: [
    'wir müssen von elasticsearch 7.17 auf 8.13. fang mit dem client an, den server fasst du nicht an. kein compatibility-modus mit dem alten client, den hatten wir beim letzten mal zwei jahre am bein',
    'gibts am cluster selbst noch was das uns auf die füße fällt?',
    'auf keinen fall löschen, das archiv muss wegen der betriebsprüfung zehn jahre bleiben. reindexieren, schreib das in betrieb/README',
    'die suche kommt mir langsam vor, liegt das am trefferzählen? miss mal',
    'dann weg mit dem genauen zählen, ab 10000 interessiert das im lager keinen mehr',
  ],
  expects: {
    essentials: [
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works', 'change'],
        says: [/JavaTimeModule/, /LocalDate|\[2026,1,5\]/],
        prompt: 1,
      },
      { type: ['preference', 'decision'], says: [/compatibility-modus/], prompt: 1 },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/archiv-2018/, /startet mit ihnen|ab 7\.0|6\.8/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'gotcha'],
        says: [/betriebsprüfung/, /archiv|löschen/],
        prompt: 3,
      },
      { type: ['discovery', 'decision', 'gotcha'], says: [/183 ms|150 ms/, /zählen/], prompt: 4 },
      {
        type: ['decision', 'preference', 'change'],
        says: [/10000|10\.000|10_000/, /genauen zählen|Umgestellt|über/],
        prompt: 5,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'bugfix', 'change'], says: ['WRITE_DATES_AS_TIMESTAMPS'], prompt: 1 },
      {
        type: ['change', 'feature', 'refactor'],
        says: [/RestHighLevelClient|elasticsearch-java/],
        prompt: 1,
      },
      {
        type: ['change', 'decision', 'how-it-works'],
        says: [/Snapshot|_reindex|betrieb\/README/],
        prompt: 3,
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['elasticsearch'],
        learned: [/JavaTimeModule|ObjectMapper/],
        completed: [/umgestellt|RestHighLevelClient|8\.13\.4/],
        filesModified: ['pom.xml'],
      },
      { prompt: 2, request: ['cluster'], learned: [/archiv-2018|6\.8/] },
      { prompt: 3, request: ['reindexieren'], completed: [/README|reindex/] },
      { prompt: 4, request: ['trefferzählen'], learned: [/183 ms/] },
      {
        prompt: 5,
        request: ['10000'],
        completed: [/Umgestellt|10\.000/],
        nextSteps: [/Update des Clusters/],
      },
    ],
    noise: ['Scanning for projects'],
    untrue: [/archiv-201[89] (wurden?|sind|ist) gelöscht/, /Cluster (läuft|ist) (jetzt )?auf 8/],
    followUps: [
      {
        asks: 'leg einen neuen index für lieferscheine an, mit lieferdatum als LocalDate und eigenem ElasticsearchClient-Bean',
        says: [/JavaTimeModule/],
      },
      {
        asks: 'auf den es-knoten ist die platte zu 90% voll, welche alten indizes kann ich wegwerfen?',
        says: [/betriebsprüfung/],
      },
      {
        asks: 'the paging widget says "more than 10,000", product wants the exact number of hits back',
        says: [/183 ms|34 ms|150 ms|interessiert/],
      },
      {
        asks: 'heute abend heben wir den ersten knoten auf 8.13 an, was muss vorher passiert sein?',
        says: [/archiv-2018|reindexier/],
      },
    ],
    unrelated: [
      'der druckdialog für etiketten merkt sich das papierformat nicht',
      'bitte sonar-regel S1192 projektweit abschalten',
    ],
  },
};
