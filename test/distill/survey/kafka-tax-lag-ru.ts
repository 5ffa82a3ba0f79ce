import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CONFIG = 'src/main/resources/application.yml';
const LISTENER = 'src/main/java/ru/kassa/tax/ReceiptListener.java';
const CLIENT = 'src/main/java/ru/kassa/tax/TaxClient.java';

export const kafkaTaxLagRu: SurveySession = {
  name: 'kafka-tax-lag-ru',
  about:
    'Лаг потребителя Kafka: сначала подозревают GC, после сжатия контекста находят превышение max.poll.interval, значение меняют дважды.',
  kind: 'bug hunt',
  language: 'ru',
  ecosystem: 'java',
  files: {
    'pom.xml': '<project><artifactId>kassa-tax</artifactId></project>\n',
    [CONFIG]: `spring:
  kafka:
    consumer:
      group-id: kassa-tax
      max-poll-records: 500
      enable-auto-commit: false
tax:
  timeout: 10s
`,
    [LISTENER]: `@Component
class ReceiptListener {
    @KafkaListener(topics = "receipts", batch = "true")
    void on(List<Receipt> receipts, Acknowledgment ack) {
        for (Receipt receipt : receipts) {
            tax.register(receipt);
        }
        ack.acknowledge();
    }
}
`,
    [CLIENT]: `class TaxClient {
    void register(Receipt receipt) {
        http.post("/receipts", receipt); // ОФД отвечает за 0.8 с в среднем
    }
}
`,
    'logs/gc.log': '[18:02:11] Pause Young 12ms\n[18:04:40] Pause Young 38ms\n[18:07:02] Pause Young 21ms\n',
    'logs/app.log': `18:05:00 INFO  poll returned 500 records
18:10:01 WARN  consumer poll timeout has expired. max.poll.interval.ms exceeded
18:10:01 INFO  Member consumer-2 sending LeaveGroup request
18:10:03 INFO  Revoked partitions receipts-0, receipts-1
18:11:40 ERROR CommitFailedException: offset commit cannot be completed
18:11:41 INFO  poll returned 500 records
`,
  },
  programs: {
    mvn: `#!/bin/sh
case "$*" in
  *-Dtest=ReceiptListenerTest*) echo "Tests run: 6, Failures: 0, Errors: 0" ;;
  *) echo "BUILD SUCCESS" ;;
esac
`,
    'kafka-consumer-groups':
      '#!/bin/sh\nprintf "TOPIC     PARTITION  LAG\\nreceipts  0          184210\\nreceipts  1          179954\\n"\n',
  },
  prompts: [
    'после каждого деплоя лаг на receipts растет до утра, потом сам рассасывается. подозреваю сборщик мусора, логи в logs/. посмотри. Testcontainers локально не гоняй, docker на ноутбуках запрещен безопасниками, только CI',
    'да не gc это значит. копай дальше, смотри app.log. и еще клиенты жалуются что чек пробивается дважды, может связано',
    '/compact',
    'ок, чини. max-poll-records поставь 100. идемпотентность на стороне ОФД не обещай, они её так и не сделали',
    'стоп, посчитал: p99 у ОФД вечером 4 секунды, 100*4=400, опять не влезем. ставь 50. и static membership не включай, у нас HPA, имена подов меняются. коммить',
  ],
  script: (dir) => {
    const { run, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Сначала проверю паузы сборщика.'),
          run('grep -o "Pause.*" logs/gc.log', 'Паузы GC', '38ms'),
          run('kafka-consumer-groups --describe --group kassa-tax', 'Лаг', '184210'),
        ],
        [
          say(
            'Гипотеза со сборщиком мусора не подтверждается: самая длинная пауза 38 мс, а лаг растёт часами. При этом лаг одинаковый на обеих партициях, то есть потребитель не перекошен, а стоит целиком. Могу посмотреть логи приложения, если хотите.',
          ),
        ],
        [
          run('cat logs/app.log', 'Лог приложения', 'max.poll.interval.ms exceeded'),
          read(LISTENER),
          read(CLIENT),
          read(CONFIG),
        ],
        [
          say(`Нашёл, и это одна причина для обоих симптомов.

Слушатель берёт 500 чеков за poll и регистрирует их в ОФД по одному, в среднем 0,8 с на чек. Это 400 секунд, а max.poll.interval.ms по умолчанию 300 секунд. Брокер выкидывает потребителя из группы, начинается ребалансировка, ack падает с CommitFailedException, и те же 500 чеков читаются заново.

Отсюда и двойные чеки: они уже зарегистрированы в ОФД, но смещение не зафиксировано. После деплоя лаг большой, poll всегда возвращает полные 500, поэтому цикл не прерывается, пока ночью поток не ослабнет.`),
        ],
        [
          say(
            'Меняю размер пачки и фиксирую смещение после каждого чека, чтобы при обрыве повторялся максимум один.',
          ),
          edit(CONFIG, 'max-poll-records: 500', 'max-poll-records: 100'),
          edit(
            LISTENER,
            '    @KafkaListener(topics = "receipts", batch = "true")\n    void on(List<Receipt> receipts, Acknowledgment ack) {\n        for (Receipt receipt : receipts) {\n            tax.register(receipt);\n        }\n        ack.acknowledge();\n',
            '    @KafkaListener(topics = "receipts")\n    void on(Receipt receipt, Acknowledgment ack) {\n        tax.register(receipt);\n        ack.acknowledge();\n',
          ),
        ],
        [run('mvn -q test -Dtest=ReceiptListenerTest', 'Тест слушателя', 'Failures: 0')],
        [
          say(
            'Готово: max-poll-records 100, слушатель обрабатывает по одному чеку и подтверждает каждый. Просто поднять max.poll.interval.ms до 10 минут я не стал: тогда реально зависший под десять минут держит свои партиции, и никто их не забирает. Полностью повтор не исключён: если под умрёт между ответом ОФД и ack, один чек уйдёт второй раз.',
          ),
        ],
        [read(CONFIG)],
        [edit(CONFIG, 'max-poll-records: 100', 'max-poll-records: 50')],
        [
          run('mvn -q test -Dtest=ReceiptListenerTest', 'Тест слушателя', 'Failures: 0'),
          run(
            'git add -A && git commit -qm "fix(tax): не вылетать из группы при медленном ОФД" && git log --oneline -1',
            'Коммит',
            'fix(tax)',
          ),
        ],
        [
          say(
            'Поставил 50: при p99 в 4 секунды это 200 секунд, запас до 300 есть. Static membership не трогал. Осталось добавить алерт на CommitFailedException, сейчас его никто не видит. Удачного вечера!',
          ),
        ],
      ],
      compact: [
        [
          say(`<analysis>Восстановить ход расследования.</analysis>
<summary>
1. Запрос: лаг на receipts растёт после деплоя, клиенты видят двойные чеки.
2. GC исключён, максимум 38 мс.
3. Причина: 500 записей за poll по 0,8 с дают 400 с, больше max.poll.interval.ms (300 с); потребителя исключают, пачка читается заново.
4. Дальше: уменьшить max-poll-records, подтверждать каждый чек. Testcontainers локально не запускать.
</summary>`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [/500/, /max\.poll\.interval/, /300/],
        prompt: 2,
      },
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [/двойные чеки|заново|дважды/, /CommitFailedException|смещение/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'bugfix', 'change'],
        says: [/50/, /p99/, /4 секунды|200 секунд/],
        prompt: 4,
      },
      { type: ['preference', 'decision'], says: [/static membership/, /HPA|имена подов/], prompt: 4 },
      { type: 'preference', says: [/Testcontainers/, /CI|docker/], prompt: 1 },
      { type: ['preference', 'gotcha', 'discovery'], says: [/идемпотентност/, /ОФД/], prompt: 3 },
      {
        type: ['decision', 'gotcha'],
        says: [/max\.poll\.interval/, /10 минут/, /зависший|партиции/],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/38 мс/, /сборщик|GC/], prompt: 1 },
      { type: ['gotcha', 'discovery'], says: [/между ответом ОФД и ack/], prompt: 3 },
      {
        type: ['bugfix', 'change', 'decision'],
        says: [/по одному|каждого чека|подтверждает каждый/],
        files: [LISTENER],
        prompt: 3,
      },
      { type: ['discovery', 'change', 'gotcha'], says: [/алерт/, /CommitFailedException/], prompt: 4 },
    ],
    summaries: [
      { prompt: 1, request: [/лаг/], learned: [/38 мс|не подтверждается/] },
      { prompt: 2, request: [/app\.log/], learned: [/max\.poll\.interval/], filesRead: [LISTENER] },
      {
        prompt: 3,
        request: [/max-poll-records/],
        completed: [/подтвержда|по одному/],
        filesModified: [CONFIG, LISTENER],
      },
      { prompt: 4, request: [/p99/], completed: [/50/], nextSteps: [/алерт/], filesModified: [CONFIG] },
    ],
    noise: ['Сначала проверю паузы', 'Могу посмотреть логи приложения', 'Удачного вечера', 'Tests run: 6'],
    untrue: [
      /(причина|виноват)\S* .{0,15}сборщик/,
      /ОФД (гарантирует|обеспечивает) идемпотентность/,
      /(включ[её]н|включили|добавлен) static membership/,
    ],
    followUps: [
      {
        asks: 'покупателю пришло два одинаковых фискальных чека, почему так бывает?',
        says: [/CommitFailedException|смещение|ack/],
      },
      {
        asks: 'почему пачка такая маленькая, давай вернем несколько сотен записей за раз для скорости',
        says: [/50/, /p99|4 секунды|max\.poll\.interval|300/],
      },
      { asks: 'хочу задать group.instance.id чтобы реже был ребаланс', says: [/HPA|имена подов/] },
      {
        asks: 'как мне запустить интеграционные тесты с контейнерами у себя на ноуте?',
        says: [/Testcontainers/],
      },
      { asks: 'почему бы просто не увеличить таймаут между опросами брокера?', says: [/10 минут|зависший/] },
    ],
    unrelated: [
      'добавь в личный кабинет смену языка',
      'обнови логотип в письмах',
      'сделай отчёт по возвратам в excel',
    ],
  },
};
