import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const LISTENER = 'src/main/java/de/lagerblick/orders/OrderListener.java';
const CONFIG = 'src/main/java/de/lagerblick/orders/KafkaConfig.java';
const GUARD = 'src/main/java/de/lagerblick/orders/ProcessedEvents.java';

const processed = Array.from(
  { length: 400 },
  (_, i) =>
    `14:${10 + Math.floor(i / 20)}:00 INFO OrderListener done offset=${88000 + i} ms=${560 + ((i * 37) % 300)}`,
);
const evicted = [
  '14:15:31 WARN ConsumerCoordinator consumer poll timeout has expired, leaving group order-service',
  '14:20:44 WARN ConsumerCoordinator consumer poll timeout has expired, leaving group order-service',
  '14:26:02 WARN ConsumerCoordinator consumer poll timeout has expired, leaving group order-service',
];

export const kafkaRedeliveryDe: SurveySession = {
  name: 'kafka-redelivery-de',
  about:
    'Questions about double orders, dead letters and parallelism in a Kafka consumer; nothing is edited.',
  kind: 'question',
  language: 'de',
  ecosystem: 'kafka',
  files: {
    [LISTENER]: `package de.lagerblick.orders;

import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
class OrderListener {
  private final ProcessedEvents processed;
  private final InventoryClient inventory;

  OrderListener(ProcessedEvents processed, InventoryClient inventory) {
    this.processed = processed;
    this.inventory = inventory;
  }

  @KafkaListener(topics = "orders.v2", groupId = "order-service", concurrency = "3")
  void on(OrderPlaced event) {
    if (processed.alreadySeen(event.id())) {
      return;
    }
    inventory.reserve(event.orderId(), event.lines());
    processed.remember(event.id());
  }
}
`,
    [GUARD]: `package de.lagerblick.orders;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

@Service
class ProcessedEvents {
  private final ProcessedEventRepository repository;

  ProcessedEvents(ProcessedEventRepository repository) {
    this.repository = repository;
  }

  boolean alreadySeen(String eventId) {
    return repository.existsById(eventId);
  }

  @Transactional(propagation = Propagation.REQUIRES_NEW)
  void remember(String eventId) {
    repository.save(new ProcessedEvent(eventId));
  }
}
`,
    [CONFIG]: `package de.lagerblick.orders;

import org.apache.kafka.common.TopicPartition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

@Configuration
class KafkaConfig {
  @Bean
  DefaultErrorHandler errorHandler(KafkaTemplate<Object, Object> template) {
    var recoverer = new DeadLetterPublishingRecoverer(
        template, (record, failure) -> new TopicPartition("orders.dead", 0));
    var handler = new DefaultErrorHandler(recoverer, new FixedBackOff(2000L, 5));
    handler.addNotRetryableExceptions(UnknownArticleException.class);
    return handler;
  }
}
`,
    'src/main/resources/application.yml': `spring:
  kafka:
    consumer:
      enable-auto-commit: false
      max-poll-records: 500
      properties:
        max.poll.interval.ms: 300000
    listener:
      ack-mode: batch
`,
    'deploy/topics.yml': `topics:
  - name: orders.v2
    partitions: 6
    key: customerId
    retention: 14d
  - name: orders.dead
    partitions: 1
    retention: 72h
`,
    'deploy/order-service.yml': `kind: Deployment
metadata:
  name: order-service
spec:
  replicas: 3
`,
    'logs/order-service-0603.log': `${[...processed, ...evicted].sort().join('\n')}\n`,
  },
  script(projectDir) {
    const { run, read } = callsIn(projectDir);
    return {
      main: [
        [
          say(
            'Ich schaue mir zuerst den Listener und die Kafka-Konfiguration an. Mein erster Verdacht ist Auto-Commit.',
          ),
          read(LISTENER),
          read('src/main/resources/application.yml'),
          run('grep -rn "KafkaListener\\|Recoverer" src/main/java', 'Kafka-Stellen suchen', 'orders.v2'),
        ],
        [
          say(
            'Auto-Commit ist es nicht: `enable-auto-commit` steht auf false, bestätigt wird mit `ack-mode: batch`. Auffällig ist dagegen `max-poll-records: 500` bei einem Poll-Intervall von 300 s. Ob das reicht, hängt davon ab, wie lange ein Datensatz dauert, das steht im Log.',
          ),
          run(
            "python3 -c \"import re; t=[int(m) for m in re.findall(r'ms=(\\d+)', open('logs/order-service-0603.log').read())]; print(len(t), 'Datensaetze, Mittel', round(sum(t)/len(t)), 'ms')\"",
            'Mittlere Dauer je Datensatz',
            '400 Datensaetze, Mittel 709 ms',
          ),
          run(
            'grep -n "poll timeout has expired" logs/order-service-0603.log',
            'Rauswürfe aus der Gruppe suchen',
            'leaving group order-service',
          ),
          read(GUARD),
        ],
        [
          say(`Die doppelten Reservierungen entstehen aus zwei Dingen, die zusammenkommen:

**1. Der Consumer fliegt aus der Gruppe.** Ein Datensatz braucht im Mittel 709 ms (400 Datensätze vom 3. Juni). Ein voller Poll mit 500 Datensätzen dauert also rund 355 s, erlaubt sind durch \`max.poll.interval.ms\` aber nur 300 s. Das Log zeigt an dem Nachmittag drei Mal "poll timeout has expired". Weil mit \`ack-mode: batch\` erst am Ende des Polls bestätigt wird, bekommt der nächste Consumer den ganzen Stapel noch einmal.

**2. Der Schutz vor Doppelten hat eine Lücke.** \`alreadySeen\` und \`remember\` in \`ProcessedEvents\` laufen in getrennten Transaktionen (\`REQUIRES_NEW\`), und die Reservierung liegt dazwischen. Wer rausgeworfen wurde, arbeitet noch weiter, während der neue Consumer dieselbe Event-ID prüft und nichts findet: beide reservieren.

Mit einem Deployment hat es nichts zu tun, außer dass danach die Polls voll sind, weil sich ein Rückstand gebildet hat.

Ich habe nichts geändert. Sag gern Bescheid, wenn ich einen Vorschlag ausarbeiten soll!`),
        ],
        [
          say('Dafür brauche ich den Error-Handler und die Topic-Definitionen.'),
          read(CONFIG),
          read('deploy/topics.yml'),
          run('grep -rn "orders.dead" src/main/java --include=*Listener.java', 'Gibt es einen Leser?'),
        ],
        [
          say(`Der Weg einer kaputten Nachricht:

- Der \`DefaultErrorHandler\` versucht es nach dem ersten Fehlschlag noch fünf Mal im Abstand von 2 s, also blockiert eine defekte Nachricht ihre Partition etwa 10 s.
- \`UnknownArticleException\` wird gar nicht wiederholt und geht sofort raus.
- Danach landet sie in \`orders.dead\`, immer in Partition 0, unabhängig vom Schlüssel.
- **Niemand liest \`orders.dead\`**, im Code gibt es keinen Listener dafür. Und das Topic hat nur 72 h Aufbewahrung: Was am Freitagabend dort landet, ist am Montagabend weg, ohne dass es jemand gesehen hat.

Die Nachrichten vom letzten Wochenende sind damit nicht mehr aus \`orders.dead\` zu holen. In \`orders.v2\` selbst liegen sie noch, dort sind es 14 Tage.`),
        ],
        [
          say('Dazu noch die Zahl der Pods.'),
          read('deploy/order-service.yml'),
          run('grep -n "partitions" deploy/topics.yml', 'Partitionen zählen', 'partitions: 6'),
        ],
        [
          say(`Nein, das würde nichts bringen. \`orders.v2\` hat 6 Partitionen, und eine Partition hat in einer Gruppe höchstens einen Consumer. Schon heute laufen 3 Pods × \`concurrency = 3\` = 9 Threads, drei davon sind immer untätig. Mit 12 wären es 36 Threads, 30 davon ohne Arbeit.

Möglichkeiten:

- A) Mehr Partitionen. Das verteilt die Schlüssel (\`customerId\`) neu, und während der Umstellung ist die Reihenfolge je Kunde nicht mehr garantiert.
- B) \`max-poll-records\` senken. Das macht nicht schneller, beseitigt aber die Rauswürfe: bei 50 Datensätzen dauert ein Poll etwa 35 s.
- C) \`max.poll.interval.ms\` erhöhen. Das verdeckt das Problem nur.

Ich würde B nehmen.`),
        ],
        [
          say(
            'Alles klar: B mit `max-poll-records` 50 kommt mit ORD-812, das Poll-Intervall bleibt bei 300 s, und die Partitionen bleiben bei 6, weil die Rechnungsstellung auf die Reihenfolge je Kunde angewiesen ist. Im Repository ist nichts verändert. Viel Erfolg mit dem Ticket!',
          ),
        ],
      ],
    };
  },
  prompts: [
    'nur eine frage, bitte nichts ändern: warum reservieren wir manchmal bestände doppelt? passiert gern nach deployments. logs vom 3. juni liegen unter logs/',
    'ok das erklärt einiges. und wo landen nachrichten die nicht verarbeitet werden können? der support vermisst welche vom letzten wochenende',
    'können wir nicht einfach concurrency auf 12 stellen, dann gehts schneller?',
    'gut, dann B mit 50, aber das mach ich selbst mit ORD-812. C kommt eh nicht in frage, max.poll.interval.ms fassen wir nie an, das ist mit dem plattform-team so vereinbart. und mehr partitionen auch nicht, die rechnungsstellung braucht die reihenfolge je kunde',
  ],
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'how-it-works', 'bugfix'],
        says: [/709 ?ms|355 ?s/, /300 ?s|300000|max\.poll\.interval/, /500/],
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [
          /alreadySeen|ProcessedEvents|REQUIRES_NEW/,
          /getrennte\w* Transaktion|REQUIRES_NEW|Lücke|dazwischen/,
        ],
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/orders\.dead/, /72 ?h|72 Stunden/],
        files: ['deploy/topics.yml'],
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works', 'decision'],
        says: [/6 Partitionen|Partitionen bleiben bei 6/, /concurrency|Threads|untätig|ohne Arbeit/],
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/max\.poll\.interval|Poll-Intervall/, /Plattform-Team/],
      },
      {
        type: ['decision', 'preference'],
        says: [/ORD-812|max-poll-records/, /\b50\b/],
      },
    ],
    niceToHave: [
      {
        type: ['decision', 'preference', 'gotcha'],
        says: [/Partitionen/, /Rechnungsstellung|Reihenfolge je Kunde/],
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/fünf Mal|UnknownArticleException|10 s/, /DefaultErrorHandler|wiederholt|2 s/],
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/Niemand liest|kein\w* Listener/, /orders\.dead/],
      },
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: [/Auto-Commit/, /false|ist es nicht/],
      },
      {
        type: ['discovery', 'how-it-works'],
        says: [/orders\.v2/, /14 Tage/],
      },
    ],
    summaries: [
      { prompt: 1, request: [/doppelt/], learned: [/709 ms|355 s|REQUIRES_NEW|getrennten Transaktionen/] },
      { prompt: 2, request: [/nachrichten/], learned: [/72 h|orders\.dead/] },
      { prompt: 3, request: [/concurrency/], learned: [/6 Partitionen|untätig/] },
      { prompt: 4, optional: true, request: [/ORD-812|max\.poll\.interval/] },
    ],
    noise: [
      /Ich schaue mir zuerst/,
      /Sag gern Bescheid/,
      /Viel Erfolg mit dem Ticket/,
      /Dafür brauche ich den/,
      /Dazu noch die Zahl/,
    ],
    untrue: [
      /(Ursache|Grund|Verdacht)( dafür)? ist( das)? Auto-Commit/,
      /concurrency (wurde|ist jetzt|wird) auf 12/,
      /max-poll-records (wurde|ist jetzt|steht jetzt) (auf )?50/,
      /max\.poll\.interval\.ms (wurde )?(erhöht|angehoben)/,
    ],
    followUps: [
      {
        asks: 'ein kunde hat wieder zwei reservierungen für dieselbe bestellung, woran kann das liegen?',
        says: [/max\.poll\.interval|355 s|REQUIRES_NEW|getrennten Transaktionen|poll timeout/],
      },
      {
        asks: 'darf ich max.poll.interval.ms auf 10 minuten setzen?',
        says: [/Plattform-Team/],
      },
      {
        asks: 'wie lange kann ich fehlgeschlagene nachrichten in orders.dead noch nachlesen?',
        says: [/72 h|72 Stunden/],
      },
      {
        asks: 'lohnt es sich, dem order-service mehr threads zu geben?',
        says: [/6 Partitionen|untätig|ohne Arbeit/],
      },
      {
        asks: 'warum hat orders.v2 eigentlich nur sechs partitionen, kann man das erhöhen?',
        says: [/Rechnungsstellung|Reihenfolge je Kunde/],
      },
    ],
    unrelated: [
      'schreib bitte ein Dockerfile mit distroless basis für den service',
      'welche java-version verlangt unser maven-build?',
      'kannst du die swagger-beschreibung der rest-endpunkte ins englische übersetzen?',
    ],
  },
};
